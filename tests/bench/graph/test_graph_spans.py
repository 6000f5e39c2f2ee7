"""When a name that is found is the one that is labelled."""

from __future__ import annotations

import pytest

from bench.graph.spans import Span, Spans, judge

TEXT = "Saw Dr Sato and the Derek Hughes Band in bath"


def span(text: str, type: str = "person") -> Span:
    return Span(TEXT.index(text), text, type)


def judged(wanted: list[Span], found: list[Span], optional: tuple[Span, ...] = ()) -> Spans:
    counts = Spans()
    judge(counts, "c 0", wanted, optional, found)
    return counts


def test_a_title_or_an_article_more_or_less_is_no_error() -> None:
    for labelled, given in (("Sato", "Dr Sato"), ("the Derek Hughes Band", "Derek Hughes Band")):
        counts = judged([span(labelled)], [span(given)])
        assert (counts.f1, counts.exact_f1) == (1.0, 1.0), given


def test_a_name_of_another_type_counts_but_not_as_typed() -> None:
    counts = judged([span("bath", "place")], [span("bath", "item")])
    assert (counts.f1, counts.typed_f1, counts.f1_of("place")) == (1.0, 0.0, 0.0)


def test_what_overlaps_counts_once_and_what_is_optional_neither_way() -> None:
    overlapping = judged([span("the Derek Hughes Band")], [span("Derek")])
    assert (overlapping.f1, overlapping.typed_f1, overlapping.exact_f1) == (1.0, 1.0, 0.0)
    twice = judged([span("Derek Hughes")], [span("Derek"), span("Hughes")])
    assert twice.f1 == pytest.approx(2 / 3)
    assert len(twice.missed) == 1
    optional = (span("bath", "place"),)
    assert judged([], [span("bath", "item")], optional).found.total() == 0
    assert judged([], [], optional).f1 == 1.0


def test_what_is_made_up_or_missed_costs() -> None:
    assert judged([span("Sato")], [span("bath")]).f1 == 0.0
    assert judged([span("Sato"), span("bath", "place")], [span("Sato")]).f1 == pytest.approx(2 / 3)
