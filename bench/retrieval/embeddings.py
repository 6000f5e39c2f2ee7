"""An embedder that embeds equal texts once, in this run and in the next."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from palace.ai.embedders.protocol import EmbeddedTexts, Embedder, Vectors

SAVE_EVERY = 4000
"""New vectors after which the file is written: what an interrupted run loses at most."""

QUERY = "query\0"
"""Keeps a query apart from a passage of the same words: a model may tell them apart."""


class KeptEmbeddings:
    """Stands before another embedder of the same model and keeps what it answers, in a file below ``folder``.

    Safe to share between threads.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        name = re.sub(r"[^\w.@-]", "--", inner.model)
        self._keys_file, self._vectors_file = folder / f"{name}.keys", folder / f"{name}.npy"
        self._lock = threading.Lock()
        self._vectors: dict[bytes, Vectors] = self._read()
        self._saved = len(self._vectors)

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def normalised(self) -> bool:
        return self._inner.normalised

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed queries in order; only those not asked before reach the model."""
        return self._embed(texts, [_key(QUERY + text) for text in texts], self._inner.embed_queries)

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts in order; only those not seen before reach the model."""
        return self._embed(texts, [_key(text) for text in texts], self._inner.embed_passages)

    def _embed(
        self, texts: Sequence[str], keys: Sequence[bytes], embed: Callable[[Sequence[str]], EmbeddedTexts]
    ) -> EmbeddedTexts:
        with self._lock:
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors}
        embedded = embed(list(new.values())) if new else EmbeddedTexts(np.empty((0, 0), np.float32))
        with self._lock:
            self._vectors.update(zip(new, embedded.vectors, strict=True))
            if len(self._vectors) - self._saved >= SAVE_EVERY:
                self._write()
            found = [self._vectors[key] for key in keys]
        vectors = np.stack(found) if found else np.empty((0, self.dimension), np.float32)
        return EmbeddedTexts(vectors, embedded.calls)

    def save(self) -> None:
        """Write what is new to the file."""
        with self._lock:
            if len(self._vectors) > self._saved:
                self._write()

    def _read(self) -> dict[bytes, Vectors]:
        if not (self._keys_file.exists() and self._vectors_file.exists()):
            return {}
        keys = self._keys_file.read_bytes()
        vectors = np.load(self._vectors_file)
        size = hashlib.sha256().digest_size
        if len(keys) != size * len(vectors):
            return {}
        return {keys[place * size : (place + 1) * size]: vector for place, vector in enumerate(vectors)}

    def _write(self) -> None:
        self._keys_file.parent.mkdir(parents=True, exist_ok=True)
        self._keys_file.write_bytes(b"".join(self._vectors))
        np.save(self._vectors_file, np.stack(list(self._vectors.values())))
        self._saved = len(self._vectors)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
