"""Opens what the commands work on; the façade is imported here, when a command runs, and nowhere earlier."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palace.administration import Administration
    from palace.palace import Palace


@contextmanager
def open_palace(user: str | None) -> Iterator[Palace]:
    """Open the palace of ``user``, or of whom the settings name, for the length of the block."""
    from palace.palace import Palace
    from palace.settings import load_settings

    with Palace.open(load_settings(user=user)) as palace:
        yield palace


def administration(user: str | None) -> Administration:
    """Return what starts, stops and examines the server."""
    from palace.administration import Administration
    from palace.settings import load_settings

    return Administration(load_settings(user=user))
