"""Text to vectors: the protocol, the bundled model, remote models."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it on import; without it, it sends telemetry
