"""Text to vectors: the protocol, the bundled model, remote models."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime looks when it is imported, and else reports to its maker
