"""Why a configuration is left as it is."""

from __future__ import annotations


class Refused(Exception):
    """Said of a text that cannot be read, or not be changed as it is meant; whose text it is, the caller knows."""
