"""Palace: a Postgres-native long-term memory for people and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palace.palace import Palace
    from palace.recall.strategy import Strategy

__all__ = ["Palace", "Strategy", "__version__"]
__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Load what is public on first use, so that `import palace` costs nothing."""
    if name == "Palace":
        from palace.palace import Palace

        return Palace
    if name == "Strategy":
        from palace.recall.strategy import Strategy

        return Strategy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
