"""Fetching a file that may be large: in pieces that survive an interruption, checked where a checksum is published."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import httpx

from bench.harness import sha256_of
from palace.errors import UnreadableSource

TIMEOUT_SECONDS = 60
_SHA256 = re.compile(r'(?:W/)?"?([0-9a-f]{64})"?')


def download(address: str, path: Path) -> Path:
    """Fetch a file, going on with what an earlier attempt left; a finished one is not fetched again.

    The checksum is the one that the Hugging Face hub gives of a large file (``X-Linked-Etag``) before it redirects;
    other places publish none, and then only the announced length is checked.

    Raises:
        UnreadableSource: nobody answers, the file is not there, or what came is not what was announced.
    """
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        with httpx.Client(timeout=TIMEOUT_SECONDS) as client:
            published = _SHA256.fullmatch(client.head(address).headers.get("X-Linked-Etag", ""))
            _fetch_rest(client, address, part)
    except (httpx.HTTPError, OSError) as problem:
        raise UnreadableSource(address, f"cannot be fetched: {problem}; the same command goes on with it") from problem
    found = sha256_of(part)
    if published and found != published[1]:
        part.unlink()
        raise UnreadableSource(address, f"came with SHA-256 {found}, published is {published[1]}; it was removed")
    if not published:
        print(f"{path.name}: no checksum is published for it; its SHA-256 is {found}", file=sys.stderr)
    part.rename(path)
    return path


def _fetch_rest(client: httpx.Client, address: str, part: Path) -> None:
    there = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={there}-"} if there else {})
    with client.stream("GET", address, headers=headers, follow_redirects=True) as answer:
        if answer.status_code == 416 and there:
            # What is asked for begins where the file ends: all of it is here.
            return
        answer.raise_for_status()
        # A server that does not know ranges sends everything, from the start.
        with part.open("ab" if answer.status_code == 206 else "wb") as file:
            for block in answer.iter_raw(1 << 20):
                file.write(block)
                if sys.stderr.isatty():
                    print(f"{part.stem}: {file.tell() / 1e6:,.0f} MB", end="\r", file=sys.stderr, flush=True)
