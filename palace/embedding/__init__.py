"""Text to vectors: the protocol, the bundled model, remote models."""

import os

# onnxruntime would make an id for this computer, and tell its maker of each use: it looks when it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
