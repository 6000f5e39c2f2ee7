"""What a stranger needs: a first screen that says what the palace is, titles that differ, a way back, keys shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from palace import NotFound, Palace, SettingLevel
from palace.models import WingPointer
from palace_cli.tui.places import Level, Place, with_shared
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.overview import OverviewPane
from tests.held import locked
from tests.tui.conftest import SEEN_AT
from tests.tui.test_browse_screen import SECOND, TO_A_DRAWER, Make, browse_of
from tests.tui.test_entity_view import tell
from tests.tui.test_settings_page import to
from tests.tui.walking import Walk, walk

FIRST = "W-001/R-01/D-001"


def footer(person: Walk) -> dict[str, str]:
    """Return what the keys in the footer are said to do."""
    footer = person.app.screen.query_one(Footer)
    shown = (each for each in footer.query(FooterKey) if each.region.right <= footer.region.right)
    return {each.key_display: each.description for each in shown}


async def use(person: Walk, key: str, says: str) -> str:
    """Press a key that is on the footer, where it says what it does."""
    assert footer(person).get(key) == says, f"{key} {says}: {footer(person)}"
    return await person.press(
        {"/": "slash", "⏎": "enter", "esc": "escape", "↓": "down", "?": "question_mark"}.get(key, key)
    )


def test_the_first_screen_says_how_much_there_is_what_came_what_is_open_and_what_comes(
    palace: Palace, make_app: Make
) -> None:
    for day, text in ((1, "My sister Anna works at Bosch."), (2, "I must order the hull paint.")):
        palace.note(text, wing="Boat", said_at=SEEN_AT.replace(day=day))
    palace.note("The dentist is on 9 May 2026.", wing="Home", said_at=SEEN_AT - timedelta(hours=1))

    async def steps(person: Walk) -> None:
        person.sees("overview")
        await person.press("tab", "end", "enter")
        assert "1 text" in person.screen

    async def wide(person: Walk) -> None:
        person.sees("overview-160")

    walk(make_app(palace), steps)
    walk(make_app(palace), wide, size=(160, 50))


def test_of_titles_that_begin_alike_the_part_is_seen_that_differs(palace: Palace, make_app: Make) -> None:
    titles = [f"Minutes of the committee for the harbour, {day} May" for day in (3, 4, 5)]
    for title in titles:
        said = [{"role": "user", "content": "We met.", "timestamp": "2026-05-01T10:00:00Z"}]
        palace.file(said, id=title, title=title, wing="Harbour")

    async def steps(person: Walk) -> None:
        await person.press("right")
        for day in (3, 4, 5):
            assert f"…{day} May" in person.screen

    walk(make_app(palace), steps)
    named = [Place(Level.ROOM, at, WingPointer(1), name) for at, name in enumerate((*titles, "Minutes", "Other"))]
    assert [place.shared for place in with_shared(named)] == [len(titles[0]) - 5] * 3 + [0, 0]


def test_what_is_being_forgotten_is_taken_back_as_soon_as_it_is(changing: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "f")
        with locked(changing, "drawer"):
            await person.pilot.press("y", "u")
            await person.pilot.pause(0.2)
        await person.settle()
        assert "took back" in person.told
        assert "1 drawer" in person.told
        assert changing.show(FIRST)

    walk(make_app(changing), steps)


def test_what_was_forgotten_before_is_taken_back_when_that_is_confirmed(changing: Palace, make_app: Make) -> None:
    changing.forget(SECOND)

    async def steps(person: Walk) -> None:
        assert "Take back 1 drawer of Efoil rebuild / Efoil rebuild talk?" in await person.press("u")
        await person.press("n")
        with pytest.raises(NotFound):
            changing.show(SECOND)
        await person.press("u", "y")
        assert changing.show(SECOND)
        assert "took back 1 drawer of Efoil rebuild" in person.told

    walk(make_app(changing), steps)


def test_a_key_is_about_the_drawer_that_is_on_the_screen(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        async def asks(*keys: str) -> str:
            await person.press(*keys, "f")
            question = " ".join(" ".join(person.screen.split()).split("Forget drawer § ")[1:])
            await person.press("escape")
            return question[:17]

        assert await asks(*TO_A_DRAWER, "n") == f"{SECOND}?"
        assert await asks("enter", "n", "escape") == "W-001/R-01/D-003?"
        assert await asks("slash", *"beans", "down", "p") == "W-002/R-01/D-001?"
        await person.press("escape", "t", "f")
        assert "nothing is chosen" in person.told
        assert await asks("escape") == "W-001/R-01/D-003?"
        assert "W-001/R-01/D-003" in str(browse_of(person.app).pane.border_title)
        await person.press("home", "Y")
        assert "no drawer is shown" in person.told
        await person.press("tab", "end")
        chosen = browse_of(person.app).query_one(OverviewPane).chosen
        assert chosen is not None
        assert await asks() == f"{str(chosen.pointer)[2:]}?"

    walk(make_app(filled), steps, size=(120, 40))


def test_undo_takes_back_what_was_done_last_on_any_screen_and_says_what_it_cannot(
    changing: Palace, make_app: Make
) -> None:
    changing.forget(SECOND)

    async def steps(person: Walk) -> None:
        await person.press("home", "r", "ctrl+u", *"Foil", "enter")
        assert "Efoil rebuild is called Foil now; u takes it back" in person.told
        await person.press("right", "right", "m", *"Garden", "enter")
        assert len(changing.tree.rooms(changing.tree.wing("Garden"))) == 2
        await to(person, "top_k")
        await person.press("enter", "ctrl+u", "9", "enter", "escape")
        assert changing.settings.get("top_k").value == 9
        await person.press("u")
        assert changing.settings.get("top_k").level is SettingLevel.DEFAULT
        await person.press("u")
        assert [room.name for room in changing.tree.rooms(changing.tree.wing("Foil"))] == ["Efoil rebuild talk"]
        await person.press("u")
        assert {wing.name for wing in changing.tree.wings()} == {"Garden", "Efoil rebuild"}
        assert "There is nothing to take back since you started" in await person.press("u")
        await person.press("escape", "home", "m", *"Garden", "enter", "y", "u")
        assert "that cannot be taken back: merged Efoil rebuild into Garden" in person.told

    walk(make_app(changing), steps)


def test_escape_goes_back_step_by_step_and_says_on_the_first_screen_how_one_leaves(
    filled: Palace, make_app: Make
) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "enter")
        assert browse_of(person.app).pane.reader.has_focus
        await person.press("escape")
        assert browse_of(person.app).places.has_focus
        assert "Overview" in await person.press("escape")
        await person.press("escape")
        assert "q leaves" in person.told

    walk(make_app(filled), steps)


def test_a_time_without_words_lists_all_that_was_said_in_it(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("t", "left", "enter")
        hits = person.app.screen.query_one(HitsList).hits
        assert [str(hit.drawer.pointer) for hit in hits] == [f"§ W-001/R-01/D-00{at}" for at in (1, 2, 3)]

    walk(make_app(filled), steps)


def known(palace: Palace) -> list[tuple[object, ...]]:
    """List what is known of Anna."""
    relations = [entry.relation for entry in palace.timeline("Anna").entries]
    return [(each.subject, each.predicate, each.object, each.valid_from, each.valid_to) for each in relations]


def holds(palace: Palace, **expected: set[str]) -> bool:
    """Tell whether of Anna and a predicate just that holds now."""
    now = palace.relations("Anna")
    return all({each.object for each in now if each.predicate == name} == of for name, of in expected.items())


@pytest.mark.parametrize(
    ("about", "choice", "typed", "then"),
    [
        ("lives in Aalst", 0, (), lambda palace: holds(palace, lives_in=set())),
        ("lives in Aalst", 1, (), lambda palace: "Aalst" not in str(palace.timeline("Anna"))),
        ("lives in Aalst", 2, ("ctrl+u", *"Lund", "enter"), lambda palace: holds(palace, lives_in={"Lund"})),
        ("lives in Aalst", 3, (*"Bob", "enter"), lambda palace: [str(each) for each in palace.relations("Bob")] != []),
        ("likes jazz", 2, ("ctrl+u", *"blues", "enter"), lambda palace: holds(palace, likes={"blues", "chess"})),
    ],
)
def test_a_relation_is_corrected_and_that_is_taken_back(
    palace: Palace, make_app: Make, about: str, choice: int, typed: tuple[str, ...], then: Callable[[Palace], bool]
) -> None:
    tell(palace)
    palace.note("My sister Anna likes jazz. My sister Anna likes chess.")
    before = known(palace)

    async def steps(person: Walk) -> None:
        await person.press("w", "slash", *"anna", "enter", "t")
        while about not in await person.press("c"):
            await person.press("escape", "down")
        await person.press(*["down"] * choice, "enter", *(typed or ("enter",) * (choice == 0)))
        assert "corrected" in person.told
        assert then(palace)
        await person.press("u")
        assert "took back the correction" in person.told
        assert known(palace) == before

    walk(make_app(palace), steps)


def test_names_are_changed_and_merged_and_that_is_taken_back(palace: Palace, make_app: Make) -> None:
    tell(palace)

    async def steps(person: Walk) -> None:
        await person.press("w", "slash", *"anna", "enter", "r", "ctrl+u", *"Annika", "enter")
        assert palace.entities.find("Anna").name == "Annika"
        assert "Annika (person)" in person.screen
        await person.press("u", "m", *"Ghent (place)", "enter")
        assert "Anna (person) and Ghent (place) are of two types, and hardly one. Merge" in " ".join(
            person.screen.split()
        )
        await person.press("n")
        assert palace.entities.find("Anna").name == "Anna"
        await person.press("m", *"Ghent (place)", "enter", "y")
        assert palace.entities.find("Anna").name == "Ghent"


def test_names_of_the_same_type_complete_first(palace: Palace, make_app: Make) -> None:
    palace.note("My brother Tom lives in Annecy. My friend Anna is here. I work at Annecy Motors. Annecy is far.")

    async def steps(person: Walk) -> None:
        await person.press("w", "slash", *"tom", "enter", "m", *"ann")
        assert "Anna (person)" in await person.press("right")

    walk(make_app(palace), steps)

    walk(make_app(palace), steps)


def test_ten_tasks_are_done_with_keys_that_the_screen_shows(palace: Palace, make_app: Make) -> None:
    said = [
        {"role": "user", "content": text, "timestamp": f"2026-05-0{day}T10:00:00Z"}
        for day, text in ((1, "The silicone wire overheated."), (2, "My sister Anna lives in Ghent."))
    ]
    palace.file(said, id="one", title="Talk", wing="Boat")
    palace.note("The beans want water.", wing="Garden", said_at=SEEN_AT)

    async def steps(person: Walk) -> None:
        await use(person, "/", "Find")
        await person.press(*"wire overheated")
        await use(person, "↓", "List")
        await use(person, "⏎", "Open")
        assert "overheated" in await use(person, "⏎", "Open")  # read
        await use(person, "esc", "Back")
        assert "no work of coding agents yet" in await use(person, "W", "Work")
        await use(person, "esc", "Back")
        await use(person, "w", "Who")
        await use(person, "/", "Find")
        await person.press(*"anna", "enter")
        assert "Anna (person)" in await use(person, "t", "When")
        while "lives in Ghent" not in await use(person, "c", "Correct"):
            await person.press("escape", "down")
        await person.press("enter", "enter")
        assert "Ghent" not in str(palace.relations("Anna"))
        await person.press("escape")
        await use(person, "esc", "Back")
        await person.press("home")
        await use(person, "f", "Forget")
        await person.press("y")
        with pytest.raises(NotFound):
            palace.show("W-001/R-01/D-001")
        await use(person, "u", "Undo")
        assert palace.show("W-001/R-01/D-001")
        await person.press("home")
        await use(person, "r", "Rename")
        await person.press("ctrl+u", *"Ship", "enter")
        assert palace.tree.wing("Ship").number == 1
        await use(person, "m", "Merge")
        await person.press(*"Garden", "enter", "y")
        assert palace.tree.wing("Ship").name == "Garden"
        await use(person, "t", "When")
        assert "⏎ List" in person.screen
        await use(person, "?", "Keys")
        assert "Find what was said." in person.screen
        await person.press("escape", "escape")
        assert footer(person)["q"] == "Quit"
        await person.pilot.press("q")
        assert person.app._exit

    walk(make_app(palace), steps)


def test_an_empty_palace_says_the_one_command_to_begin_with(palace: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        assert [line for line in person.screen.splitlines() if "palace " in line and "FILE" in line]
        assert person.screen.count("palace mine") == 1

    walk(make_app(palace), steps, size=(50, 16))
