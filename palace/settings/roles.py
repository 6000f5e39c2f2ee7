"""The roles of the database that everyday work is done as, by name."""

from __future__ import annotations

RUNTIME_ROLE = "palace_app"
WORKER_ROLE = "palace_worker"
"""Sees the queue of background work, and nothing else of a palace."""
