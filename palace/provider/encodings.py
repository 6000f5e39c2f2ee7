"""OpenAI's tokenizers, of the files that litellm brings: nothing is downloaded, and litellm itself is not imported.

What litellm offers to count with looks Llama's tokenizer up on the network and waits for it, and takes an old one of
OpenAI's for every model that it does not know.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from palace.provider.client import environment

if TYPE_CHECKING:
    from tiktoken import Encoding

_O200K = "fb374d419588a4632f3f557e76b4b70aebbca790"
_FILES = {"cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4", "o200k_base": _O200K, "o200k_harmony": _O200K}
"""Under which names tiktoken looks for its files: hashes of their addresses."""


@cache
def find_encoding(model: str) -> Encoding | None:
    """Find the tokenizer of a model by its name, a provider's in front of it or not; None where it is not at hand."""
    from tiktoken import encoding_name_for_model, get_encoding

    try:
        name = encoding_name_for_model(model.rpartition("/")[2])
    except KeyError:
        return None
    folder = _folder()
    if folder is None or name not in _FILES or not (folder / _FILES[name]).is_file():
        return None
    with environment(TIKTOKEN_CACHE_DIR=str(folder)):
        return get_encoding(name)


def _folder() -> Path | None:
    found = find_spec("litellm")
    places = (found and found.submodule_search_locations) or ()
    return next((Path(place, "litellm_core_utils", "tokenizers") for place in places), None)
