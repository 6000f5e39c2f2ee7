"""What a query was read as is told with what was found: whom it names, and when."""

from __future__ import annotations

from datetime import UTC, datetime

from palace import Palace


def test_names_and_times_of_a_query_are_told(palace: Palace) -> None:
    said = "My sister Anna Berg works at Bosch in Ghent."
    palace.file([{"role": "user", "content": said, "timestamp": "2026-05-04T10:00:00Z"}], id="talk")
    palace.embeddings.backfill()
    found = palace.recall("where does Anna Berg work?", floor="none", now=datetime(2026, 6, 1, tzinfo=UTC))
    assert "Anna Berg" in found.names
    assert found.times == ()
    then = palace.recall("what did I say about work in May 2026?", floor="none", now=datetime(2026, 6, 1, tzinfo=UTC))
    assert [time.start.month for time in then.times] == [5]


def test_the_parts_of_a_hit_add_up_to_its_score(palace: Palace) -> None:
    for number, said in enumerate(("The wire overheated at 60 A.", "The wire is red.", "Beans want water.")):
        palace.file([{"role": "user", "content": said}], id=f"talk-{number}")
    hits = palace.recall("which wire overheated?", floor="none").hits
    assert {"similarity", "keyword"} <= {part.signal for part in hits[0].parts}
    assert all(abs(sum(part.share for part in hit.parts) - hit.score) < 1e-4 for hit in hits)
