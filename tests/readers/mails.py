"""Mails for tests, as they are sent and as mailboxes keep them."""

from __future__ import annotations

from collections.abc import Sequence

DAY = "Wed, 1 May 2024 12:32:15 +0200"


def mail(text: str = "Hello.", *heads: str, number: int = 1, sender: str = "Ann Example <ann@example.org>") -> bytes:
    """Write a mail with an id, a sender and a date, and further lines of its head, which may stand in for those."""
    given = {line.partition(":")[0].lower() for line in heads}
    own = [f"Message-ID: <{number}@example.org>", f"From: {sender}", f"Date: {DAY}"]
    lines = [*(line for line in own if line.partition(":")[0].lower() not in given), *heads]
    return "\n".join([*lines, "", text, ""]).encode()


def mailbox(*mails: bytes) -> bytes:
    """Write a mailbox as programs do, lines of a text that begin with "From " escaped."""
    escaped = [mail.replace(b"\nFrom ", b"\n>From ") for mail in mails]
    return b"".join(b"From ann@example.org Wed May  1 10:32:15 2024\n" + each + b"\n" for each in escaped)


def multipart(kind: str, parts: Sequence[tuple[str, str]], boundary: str = "edge") -> tuple[str, str]:
    """Write several parts, each with its head, as one: give its head and its text."""
    body = "".join(f"--{boundary}\n{head}\n\n{text}\n" for head, text in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"', f"{body}--{boundary}--"
