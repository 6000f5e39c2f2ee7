"""The state of a palace as a picture: well-formed whatever names are in it, harmless, and of a bounded size."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from palace.models import Calendar, CalendarSlot, CalendarUnit, PalaceStatus, ServerStatus, Wing, WingKind
from palace_cli.render.status_picture import MOST_WINGS, state_svg
from tests.cli.conftest import Run

State = tuple[PalaceStatus, Calendar, tuple[Wing, ...]]
SVG = "{http://www.w3.org/2000/svg}"
TAGS = {f"{SVG}{tag}" for tag in ("svg", "title", "style", "rect", "text", "g", "path")}
HOSTILE = '</text><script>alert("1")</script>&amp;]]><!--\x1b[31m\u202e\ud800\ufffe\x00'
STATUS = PalaceStatus(
    user="mara",
    server=ServerStatus("embedded", running=True, url="postgresql://…"),
    wings=2,
    rooms=5,
    drawers=1_204,
    passages=1_300,
    sentences=900,
    embeddings=(),
    last_mined_at=datetime(2026, 5, 1, 9, tzinfo=UTC),
)
MONTHS = Calendar(
    CalendarUnit.MONTH,
    tuple(
        CalendarSlot(datetime(2025, month, 1, tzinfo=UTC), datetime(2025, month + 1, 1, tzinfo=UTC), drawers)
        for month, drawers in ((5, 200), (6, 0), (7, 0), (8, 1_000))
    ),
)
WINGS = (
    Wing(1, 1, "efoil", "Efoil rebuild", WingKind.PROJECT, 3, 900),
    Wing(2, 2, "garden", "Garden", WingKind.TOPIC, 2, 304),
)


def wings(*names: str, drawers: int = 1) -> tuple[Wing, ...]:
    """Make wings of names, as large as each other."""
    return tuple(
        Wing(number, number, "", name, WingKind.TOPIC, 1, drawers) for number, name in enumerate(names, start=1)
    )


def read(state: State) -> ElementTree.Element:
    """Read a picture as a program does that knows nothing of it, and look at what it may do."""
    root = ElementTree.fromstring(state_svg(*state).encode())
    assert {element.tag for element in root.iter()} <= TAGS
    for element in root.iter():
        assert set(element.attrib) <= {"class", "x", "y", "width", "height", "d", "viewBox", "role"}
    style = root.findtext(f"{SVG}style") or ""
    assert not {"url(", "@import", "http"} & {word for word in ("url(", "@import", "http") if word in style}
    return root


def texts(state: State) -> list[str]:
    """List what stands in a picture."""
    return [element.text or "" for element in read(state).iter(f"{SVG}text")]


def test_a_picture_has_the_numbers_the_growth_and_the_largest_wings() -> None:
    shown = texts((STATUS, MONTHS, WINGS))
    assert {"mara", "1,204", "drawers", "1,300", "Efoil rebuild", "900", "Garden", "304"} <= set(shown)
    assert "Drawers by the month in which they were said" in shown
    assert {"May 2025", "Aug 2025: 1,200 drawers", "4 earlier"} <= set(shown)
    titles = [element.text for element in read((STATUS, MONTHS, WINGS)).iter(f"{SVG}title")]
    assert {"May 2025: 200 new, 200 in all", "Jun 2025: 0 new, 200 in all"} <= set(titles)
    assert "Efoil rebuild (W-001)" in titles


def test_of_many_wings_the_largest_are_drawn_and_the_others_counted() -> None:
    shown = texts((STATUS, MONTHS, (*wings(*map(str, range(7, 2_007))), *WINGS)))
    assert shown.index("Efoil rebuild") < shown.index("Garden") < shown.index("7")
    assert f"and {2_002 - MOST_WINGS:,} more wings" in shown
    assert len(state_svg(STATUS, MONTHS, wings("W" * 10_000, "電" * 10_000))) < 40_000


NAMES = st.one_of(st.text(st.characters(), max_size=40), st.just(HOSTILE))


@given(NAMES, st.lists(NAMES, max_size=MOST_WINGS + 2), st.integers(1, 10**9))
def test_whatever_names_are_it_is_well_formed_and_harmless(user: str, names: list[str], drawers: int) -> None:
    drawn = (replace(STATUS, user=user), MONTHS, wings(*names, drawers=drawers))
    assert not set("\x1b\x00\u202e") & set("".join(texts(drawn)))


def test_the_command_draws_into_a_file_and_replaces_none_unasked(run: Run, tmp_path: Path) -> None:
    run("note", "The spare battery is with Derek", "--wing", "Efoil rebuild", "--said-at", "2026-05-01")
    file = tmp_path / "palace.svg"
    result = run("status", "--svg", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith(f"drawn: {file}, ")
    drawn = file.read_text()
    assert "Efoil rebuild" in drawn
    again = run("status", "--svg", str(file))
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)
    assert run("status", "--svg", str(file), "--force").exit_code == 0
    assert run("status", "--svg", "-").stdout == drawn == file.read_text()
    assert run("status", "--svg", "-", "--json").exit_code == 2
