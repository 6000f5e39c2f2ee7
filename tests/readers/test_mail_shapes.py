"""A mail of any shape is read, in little time: what is nested too deeply, or has too many parts, as far as it goes."""

from __future__ import annotations

import time

import pytest

from tests.readers.front import Read, ReadTold, texts
from tests.readers.mails import mail, multipart

QUICK = 3
"""Seconds of the processor for any of these mails; where a limit is missing, they take more, or nothing is filed."""
MANY = 3_000


def nested(text: str, depth: int = MANY) -> bytes:
    """Write multiparts in each other, each with a text, the innermost with another one."""
    edges = [f"edge{number}" for number in range(depth)]
    heads = [f"Content-Type: multipart/mixed; boundary={edge}" for edge in edges]
    pairs = zip(edges, heads[1:], strict=False)
    inner = [f"--{edge}\n\nHello {at}.\n--{edge}\n{head}\n" for at, (edge, head) in enumerate(pairs)]
    return mail("\n".join([*inner, f"--{edges[-1]}\n\n{text}"]), heads[0])


def attached(depth: int) -> bytes:
    """Write mails attached to each other."""
    heads = (f"Subject: Round {at}\nContent-Type: message/rfc822\n" for at in range(1, depth))
    return mail("\n".join([*heads, "Subject: Last\n\nHello."]), "Content-Type: message/rfc822")


SHAPES = {
    "multiparts": nested("Goodbye."),
    "multiparts and lines like their ends": nested("--x\n" * 50_000),
    "mails": attached(MANY),
    "parts": mail(*reversed(multipart("mixed", [("X-Part: 1", f"Hello {at}.") for at in range(80_000)]))),
    "a head": mail("Hello.", *(f"X-Line: {at}" for at in range(150_000))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_mail_of_any_shape_is_filed_in_no_time(read_told: ReadTold, shape: str) -> None:
    began = time.process_time()
    found, told = read_told(SHAPES[shape], "x.eml")
    assert time.process_time() - began < QUICK
    assert [len(each.turns) for each in found] == [1]
    assert told.failures == []


@pytest.mark.parametrize("depth", [39, 40])
def test_multiparts_are_read_as_deep_as_programs_write_them(read: Read, depth: int) -> None:
    [[text]] = texts(read(nested("Goodbye.", depth), "x.eml"))
    assert text.split("\n\n") == [*(f"Hello {at}." for at in range(depth - 1)), "Goodbye."]


@pytest.mark.parametrize("depth", [41, 300, MANY])
def test_what_is_nested_deeper_is_told_as_a_file(read: Read, depth: int) -> None:
    [[text]] = texts(read(nested("Goodbye.", depth), "x.eml"))
    assert text.split("\n\n") == [*(f"Hello {at}." for at in range(40)), "[file]"]


@pytest.mark.parametrize("depth", [20, 300, MANY])
def test_mails_attached_to_each_other_are_read_as_deep(read: Read, depth: int) -> None:
    [[text]] = texts(read(attached(depth), "x.eml"))
    rounds = min(depth, 40) - 1
    within = [f"[attachment Round {at}]" for at in range(1, rounds + 1)]
    last = ["[attachment Last]"] if depth <= 40 else [f"[attachment Round {rounds + 1}]"]
    assert [line for line in text.splitlines() if line.startswith("[attachment")] == [*within, *last]
    assert ("Hello." in text, "[file]" in text) == ((True, False) if depth <= 40 else (False, True))


def test_of_very_many_parts_the_first_are_read_and_what_follows_them(read: Read) -> None:
    parts = multipart("mixed", [("X-Part: 1", f"Hello {at}.") for at in range(MANY)])
    [[text]] = texts(read(mail(*reversed(parts)), "x.eml"))
    assert text.split("\n\n") == [f"Hello {at}." for at in range(2_000)]


def test_a_head_is_read_as_far_as_it_is_kept(read: Read) -> None:
    head = (*(f"X-Line: {at:0100}" for at in range(20_000)), "Subject: Too late")
    [found] = read(mail("Hello.", "Subject: Bees", *head), "x.eml")
    assert (found.title, texts([found])) == ("Bees", [["Subject: Bees\n\nHello."]])
