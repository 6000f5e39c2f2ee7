"""Opens what the commands work on; the façade is imported here, when a command runs, and nowhere earlier."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING

from palace_cli.clock import set_zone

if TYPE_CHECKING:
    from palace.administration import Administration
    from palace.palace import Palace
    from palace.settings import Settings


@contextmanager
def open_palace(user: str | None, *, embeds_at_once: bool = False) -> Iterator[Palace]:
    """Open the palace of ``user``, or of whom the settings name, for the length of the block.

    A command that ``embeds_at_once`` has the model loaded while the rest of the program is imported.
    """
    from palace.settings import load_settings

    settings = load_settings(user=user)
    set_zone(settings)
    if embeds_at_once:
        Thread(target=_load_model, args=(settings,), daemon=True).start()
    from palace.palace import Palace

    with Palace.open(settings) as palace:
        yield palace


def _load_model(settings: Settings) -> None:
    from palace.embedding.choose import bundled_embedder
    from palace.errors import EmbeddingError
    from palace.settings import BUNDLED_MODEL

    if settings.embedding_model == BUNDLED_MODEL:
        # What is wrong with the model is told by whoever needs it.
        with suppress(EmbeddingError):
            bundled_embedder(settings).load()


def administration(user: str | None) -> Administration:
    """Return what starts, stops and examines the server."""
    from palace.administration import Administration
    from palace.settings import load_settings

    settings = load_settings(user=user)
    set_zone(settings)
    return Administration(settings)
