"""What is filed with a message: passages, and of what a person says sentences, choices and times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from palace.models import MessageIndex, PassageKind, Role
from palace.models.wordpiece import tokenizer, well_formed
from palace.nlp.sentences import index_message
from tests.text.tables import misread

WHOLE, KEYWORDS, SENTENCE = PassageKind.WHOLE, PassageKind.KEYWORDS, PassageKind.SENTENCE
SAID_AT = datetime(2026, 5, 20, 12, tzinfo=UTC)
TALK = "The regatta was louder than the last one. I prefer small harbours with a bakery. We sailed on to the next bay."
LONG = "The ferry to the island leaves at noon"
CHINESE = "去码头的船中午开" * 4, "我们先吃饭再走" * 4
MOST_SENTENCES = 60
TOKENS, CHARACTERS, SHARED = 254, 2000, 40
"""Bounds of a passage, and of what it shares with the one before it."""
CUT = [
    (f"{LONG}. {LONG}! {LONG}?", [f"{LONG}.", f"{LONG}!", f"{LONG}?"]),
    (f'She said "{LONG}." {LONG}.', [f'She said "{LONG}."', f"{LONG}."]),
    (f"({LONG}.) {LONG}...  {LONG}", [f"({LONG}.)", f"{LONG}...", LONG]),
    (f"{LONG}\n\n{LONG}\r\n{LONG}", [LONG, LONG, LONG]),
    (f"{LONG} at 3.15 p.m from pier 4.", []),
    (f"{LONG}. Really? No! {LONG}.", [f"{LONG}. Really? No!", f"{LONG}."]),
    (f"Hi. Yes. {LONG}. {LONG}.", [f"Hi. Yes. {LONG}.", f"{LONG}."]),
    (f"{LONG}. Thanks!", []),
    (f"{LONG}:\n```\n{LONG}. {LONG}.\n```\n{LONG}.", [f"{LONG}:", f"{LONG}."]),
    (f"{LONG}. {LONG}. ```{LONG}. {LONG}.", [f"{LONG}.", f"{LONG}."]),
    (f"{LONG} with Mr. Smith. {LONG}.", [f"{LONG} with Mr. Smith.", f"{LONG}."]),
    (f"{CHINESE[0]}。{CHINESE[1]}！", [f"{CHINESE[0]}。", f"{CHINESE[1]}！"]),
    (
        "Papa muss am 27. November ins Krankenhaus zur Operation. Danach kommt er für drei Wochen zu uns.",
        ["Papa muss am 27. November ins Krankenhaus zur Operation.", "Danach kommt er für drei Wochen zu uns."],
    ),
    (" \n ", []),
    (LONG, []),
]
MESSAGES = st.text(alphabet=st.sampled_from("ab .!?\n\"')`\u2028é"), max_size=300) | st.text(max_size=200)


def index(content: str, role: Role = Role.USER, said_at: datetime | None = SAID_AT) -> MessageIndex:
    return index_message(content, role, said_at)


def sentences(content: str) -> list[str]:
    return [content[slice(*each.span)] for each in index(content).passages if each.kind is SENTENCE]


def passages(content: str) -> list[str]:
    return [content[slice(*each.span)] for each in index(content, Role.ASSISTANT).passages]


def count_tokens(text: str) -> int:
    return len(tokenizer().encode(well_formed(text), add_special_tokens=False))


def test_a_message_is_cut_into_its_sentences() -> None:
    assert misread(sentences, CUT) == []


def test_a_pasted_document_has_neither_sentences_nor_times() -> None:
    assert len(sentences(f"{LONG}. " * 90)) == MOST_SENTENCES
    found = index(f"I prefer small harbours. Yesterday we sailed. {TALK} " * 60)
    assert found.passages
    assert not any(passage.kind is SENTENCE for passage in found.passages)
    assert found.spoken_of == ()


def test_a_person_is_heard_by_the_sentence_and_others_by_the_passage() -> None:
    found = index(TALK).passages
    assert [(each.kind, each.kind.has_vector) for each in found] == [(KEYWORDS, False), *[(SENTENCE, True)] * 3]
    for role, kind in ((Role.ASSISTANT, WHOLE), (Role.SYSTEM, WHOLE), (Role.TOOL, PassageKind.TOOL)):
        others = index(f"{TALK} That was yesterday.", role)
        assert [each.kind for each in others.passages] == [kind]
        assert others.spoken_of == ()
    (passage,) = index("I prefer small harbours.").passages
    assert passage.kind is WHOLE


def test_what_sentences_leave_out_keeps_a_vector_of_its_passage() -> None:
    code = "```\n" + "for turn in turns: print(turn.content)\n" * 5 + "```"
    found = index(f"I wrote this loop in the afternoon. It prints far too much for my taste.\n{code}")
    assert [passage.kind for passage in found.passages] == [WHOLE, SENTENCE, SENTENCE]


def test_times_are_widened_by_how_soft_they_are_and_open_ones_reach_ten_years() -> None:
    ((start, end),) = index("We sailed yesterday.").spoken_of
    assert start < datetime(2026, 5, 19, tzinfo=UTC) < datetime(2026, 5, 20, tzinfo=UTC) < end
    assert end - start < timedelta(days=3)
    ((start, end),) = index("I had a dinghy before 2020.").spoken_of
    assert (start.year, end.year) == (2009, 2020)
    ((start, end),) = index("I will build a boat after 2030.").spoken_of
    assert (start.year, end.year) == (2030, 2041)


def test_only_a_message_with_its_moment_speaks_of_times_whatever_its_zone() -> None:
    assert index("We sailed yesterday.", said_at=None).spoken_of == index("We sailed there.").spoken_of == ()
    late = datetime(2026, 5, 20, 23, 30, tzinfo=timezone(timedelta(hours=-7)))
    assert index("We sailed yesterday.", said_at=late) == index("We sailed yesterday.", said_at=late.astimezone(UTC))
    for year in (1, 9999):
        assert index("We sailed in May, before 2020.", said_at=datetime(year, 1, 1, tzinfo=UTC)).spoken_of == ()


WORDS = ["yesterday", "before 2020", "last spring", "in 3 weeks", "I like tea.", "10 years ago", "\n", "."]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.datetimes(timezones=st.just(UTC)))
def test_stretches_are_bounded_and_not_empty(content: str, said_at: datetime) -> None:
    assert all(stretch.start < stretch.end for stretch in index(content, said_at=said_at).spoken_of)


@given(MESSAGES)
def test_sentences_are_in_order_without_overlap_and_visible(content: str) -> None:
    spans = [each.span for each in index(content).passages if each.kind is SENTENCE]
    assert len(spans) != 1
    assert all(earlier.end <= later.start for earlier, later in pairwise(spans))
    assert all(content[slice(*span)].strip() == content[slice(*span)] != "" for span in spans)


@given(st.lists(st.tuples(st.text(max_size=60), st.integers(1, 400)), max_size=6))
@example([("\x0c00000000", 230)])
@example([("x\x850:\x85", 500)])
@example([("[CLS][SEP][MASK]", 200)])
@example([("a", 1), ("\u0301", 5000)])
@example([("한국어", 900)])
@example([("x.\n", 2000)])
@example([("\u200b ", 3000)])
@example([("\ud800", 700)])
def test_passages_are_small_ordered_and_cover_everything_visible(parts: list[tuple[str, int]]) -> None:
    content = "".join(text * times for text, times in parts)
    spans = [each.span for each in index(content, Role.ASSISTANT).passages]
    covered = set[int]()
    for span in spans:
        passage = content[span.start : span.end]
        assert passage == passage.strip() != ""
        assert len(passage) <= CHARACTERS
        assert count_tokens(passage) <= TOKENS
        covered.update(range(span.start, span.end))
    assert all(later.start > earlier.start and later.end > earlier.end for earlier, later in pairwise(spans))
    assert all(character.isspace() for place, character in enumerate(content) if place not in covered)


def test_a_text_that_fits_is_one_passage_and_one_word_more_makes_a_second() -> None:
    assert passages("  Hello there.\n") == ["Hello there."]
    assert passages("\n\t\u3000\u2028") == []
    assert [len(passages("word " * words)) for words in (TOKENS, TOKENS + 1)] == [1, 2]
    assert len(passages("한 " * 120)) > 1, "few characters decompose into many tokens"
    assert len(passages("a" * 100_000)) == 100_000 // CHARACTERS


def test_passages_end_where_people_would_end_them() -> None:
    wire = "The battery of the efoil overheated on the second ride, so we changed the wire. "
    doctor = "We met Dr. Smith e.g. at noon and Mrs. Jones as well and talked on and on "
    family = "👩\u200d👩\u200d👧"
    lines = "\n".join(f"wire gauge {number} silicone insulated copper" for number in range(200))
    assert {each[-1] for each in passages(wire * 60)} == {"."}
    assert {line for each in passages(lines) for line in each.split("\n")} == set(lines.split("\n"))
    assert {each.rsplit(" ", 1)[-1] for each in passages("battery " * 2000)} == {"battery"}
    assert not {each.rsplit(" ", 1)[-1] for each in passages(doctor * 40)} & {"Dr.", "Mrs.", "e.g."}
    assert {each[-1] for each in passages("我们昨天换了电池的电线因为它太热了。" * 100)} == {"。"}
    assert {each[0] for each in passages("e\u0301" * 4001)} == {"e"}
    assert {each[0] + each[-1] for each in passages(family * 1000)} == {"👩👧"}


def test_neighbours_share_one_sentence_or_a_part_of_a_long_one() -> None:
    wire = "The battery of the efoil overheated on the second ride, so we changed the wire. "
    ride = ", and then ".join(f"we rode to the harbour of town {number}" for number in range(200))
    for content in (wire * 60, ride):
        spans = [each.span for each in index(content, Role.ASSISTANT).passages]
        shared = [content[later.start : earlier.end] for earlier, later in pairwise(spans)]
        assert all(0 < count_tokens(text) <= SHARED for text in shared)
        assert content is ride or {*shared} == {wire.strip()}
