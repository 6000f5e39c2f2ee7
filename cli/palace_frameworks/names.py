"""Ids of a framework's conversations in a palace."""

from __future__ import annotations

from urllib.parse import quote


def conversation_id(*parts: str | None) -> str:
    """Return an id made of a framework's name and its ids, which no other parts give."""
    return "/".join("*" if part is None else quote(part, safe="", errors="surrogatepass") for part in parts)
