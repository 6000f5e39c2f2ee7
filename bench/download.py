"""Fetching a file that may be large: in pieces that survive an interruption, checked where a checksum is published."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

from palace.errors import UnreadableSource

BLOCK = 1 << 20
TIMEOUT_SECONDS = 60

_SHA256 = re.compile(r'"?([0-9a-f]{64})"?')


def download(address: str, path: Path) -> Path:
    """Fetch a file, going on with what an earlier attempt left; a finished one is not fetched again.

    The checksum is the one that the Hugging Face hub gives of a large file (``X-Linked-Etag``); other places publish
    none, and then only the announced length is checked.

    Raises:
        UnreadableSource: nobody answers, the file is not there, or what came is not what was announced.
    """
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        expected = published_sha256(address)
        _fetch_rest(address, part)
    except (URLError, OSError, HTTPException) as problem:
        raise UnreadableSource(address, f"cannot be fetched: {problem}; the same command goes on with it") from problem
    found = sha256_of(part)
    if expected and found != expected:
        part.unlink()
        raise UnreadableSource(address, f"came with SHA-256 {found}, published is {expected}; it was removed")
    if not expected:
        print(f"{path.name}: no checksum is published for it; its SHA-256 is {found}", file=sys.stderr)
    part.rename(path)
    return path


def published_sha256(address: str) -> str | None:
    """Ask for a file's checksum without fetching it; None where none is published."""
    request = Request(address, method="HEAD")
    try:
        with build_opener(_Staying).open(request, timeout=TIMEOUT_SECONDS) as answer:
            headers = answer.headers
    except HTTPError as problem:
        if problem.code not in (301, 302, 303, 307, 308):
            raise
        headers = problem.headers
        problem.close()
    found = _SHA256.fullmatch(headers.get("X-Linked-Etag", "").removeprefix("W/"))
    return found[1] if found else None


def sha256_of(path: Path) -> str:
    """Give a file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Staying(HTTPRedirectHandler):
    """Follows no redirection: the hub tells the checksum where it redirects from."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


def _fetch_rest(address: str, part: Path) -> None:
    held = part.stat().st_size if part.exists() else 0
    request = Request(address, headers={"Range": f"bytes={held}-"} if held else {})
    try:
        answer = urlopen(request, timeout=TIMEOUT_SECONDS)
    except HTTPError as problem:
        problem.close()
        # What is asked for begins where the file ends: all of it is here.
        if problem.code == 416 and held:
            return
        raise
    with answer:
        # A server that does not know ranges sends everything, from the start.
        _write(answer, part, held if answer.status == 206 else 0)


def _write(answer: HTTPResponse, part: Path, held: int) -> None:
    announced = answer.headers.get("Content-Length")
    total = held + int(announced) if announced else None
    with part.open("r+b" if held else "wb") as file:
        file.seek(held, os.SEEK_SET)
        while block := answer.read(BLOCK):
            file.write(block)
            held += len(block)
            _tell(part, held, total)
    if total is not None and held < total:
        raise OSError(f"the connection ended after {held:,} of {total:,} bytes")


def _tell(part: Path, held: int, total: int | None) -> None:
    if sys.stderr.isatty():
        share = f" of {total / 1e6:,.0f}" if total else ""
        print(f"{part.stem}: {held / 1e6:,.0f}{share} MB", end="\r", file=sys.stderr, flush=True)
