"""What is known of a person, or of anybody or anything named, by kinds."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence

import pytest

from palace import About, BadRequest, NotFound, Palace, Palaces

LIFE = (
    ("2025-01-05", "I live in Ghent and work at Arcadis. My wife Lena is a nurse."),
    ("2025-01-06", "We have two kids, Jonas and Mia. Mia is 6 and she is allergic to peanuts."),
    ("2025-01-12", "My sister Ruth lives in Leeds with her husband Paul."),
    ("2025-01-20", "I drive a Volvo V60 and I own a unicycle."),
    ("2025-02-02", "Always answer in metric units, please."),
    ("2025-02-03", "Two things to keep in mind for any place you suggest: I always want a kitchen, and a quiet road."),
    ("2025-02-14", "I love bouldering. I play the cello. I speak Dutch."),
    ("2025-03-01", "We moved to Bruges last weekend."),
    ("2025-03-10", "I have asthma and I take metformin."),
    ("2025-03-15", "We decided to use SQLite for the gauge project."),
    ("2025-03-20", "We decided to use Postgres instead of SQLite for the gauge project."),
    ("2025-04-01", "I left Arcadis and joined Deltares on April 1."),
    ("2025-04-04", "I sold my unicycle. I bought a paddleboard instead."),
    ("2025-05-06", "My project Gaugebox runs on a Raspberry Pi 5. The gaugeboxes outside hang low."),
    ("2025-05-07", "We are moving to Porto in June 2090."),
    ("2025-05-08", "I have to call the plumber about the leaking boiler."),
)
NO_FACTS = (
    ("2025-06-01", 'My friend Bart said: "I live in Antwerp and I hate jazz".'),
    ("2025-06-02", "If I lived in Oslo, I would own a sauna."),
    ("2025-06-03", "Should I move to Berlin? Do I own a Tesla?"),
    ("2025-06-04", "Oh great, I just love waiting two hours at the dentist."),
    ("2025-06-05", "They decided to close the pool. Have we decided on the roof?"),
)


def file(palace: Palace, said: Sequence[tuple[str, str]]) -> None:
    """File what somebody says to an assistant."""
    messages = []
    for day, text in said:
        messages.append({"role": "user", "content": text, "timestamp": f"{day}T10:00:00Z"})
        messages.append({"role": "assistant", "content": "Noted.", "timestamp": f"{day}T10:00:05Z"})
    palace.file(messages, id="life", wing="Home")


def written(page: About) -> dict[str, list[str]]:
    """Give the sentences of a page by kind."""
    return {kind.name: [line.text for line in kind.lines] for kind in page.kinds}


def test_a_page_has_what_holds_now_by_kinds(palace: Palace) -> None:
    file(palace, LIFE)
    assert written(palace.about()) == {
        "who": ["You speak Dutch."],
        "people": [
            "Lena is your wife.",
            "Lena works as a nurse.",
            "Jonas is your child.",
            "Mia is your child.",
            "Mia is allergic to peanuts.",
            "Ruth is your sister.",
            "Ruth lives in Leeds.",
            "Paul is Ruth's husband.",
        ],
        "home": ["You live in Bruges, from about February 2025 to June 2090."],
        "work": ["You are a member of Deltares, since 1 April 2025."],
        "likes": ["You like bouldering."],
        "leisure": ["You play the cello."],
        "health": ["You take metformin.", "You have asthma."],
        "things": ["You own a paddleboard.", "You own a Volvo V60."],
        "rules": [
            "Two things to keep in mind for any place you suggest: I always want a kitchen, and a quiet road.",
            "Always answer in metric units, please.",
        ],
        "decisions": ["We decided to use Postgres instead of SQLite for the gauge project."],
        "coming": ["You will live in Porto from June 2090."],
        "open": ["I have to call the plumber about the leaking boiler."],
    }
    assert palace.about().gaps == ""


def test_what_is_over_is_told_on_request_as_past(palace: Palace) -> None:
    file(palace, LIFE)
    before = written(palace.about(past=True))["before"]
    assert [line.split(",")[0] for line in before] == [
        "You lived in Ghent",
        "You worked at Arcadis",
        "You owned a unicycle",
    ]
    assert "Ghent" not in str(palace.about())


def test_what_others_say_and_what_is_only_thought_of_is_no_fact(palace: Palace) -> None:
    file(palace, NO_FACTS)
    page = palace.about()
    assert written(page) == {"people": ["Bart is your friend."]}
    assert page.gaps == "Nothing is known of your home, work, likes and dislikes or health."


def test_anybody_and_anything_named_has_a_page(palace: Palace) -> None:
    file(palace, LIFE)
    ruth = palace.about("ruth")
    assert written(ruth) == {
        "people": ["Paul is Ruth's husband.", "Ruth is your sister."],
        "home": ["Ruth lives in Leeds."],
    }
    assert ruth.gaps == "Nothing is known of Ruth's work, likes and dislikes or health."
    box = palace.about("Gaugebox")
    assert (written(box), box.gaps) == ({"said": ["My project Gaugebox runs on a Raspberry Pi 5."]}, "")
    assert written(palace.about("Porto")) == {"coming": ["You will live in Porto from June 2090."]}
    assert palace.about("Arcadis").gaps == "Nothing is known of Arcadis but what is no longer so: --past shows it."
    assert written(palace.about("me")) == written(palace.about())


def test_each_line_has_the_drawer_and_the_day_that_said_it(palace: Palace) -> None:
    file(palace, LIFE)
    for kind in palace.about().kinds:
        for line in kind.lines:
            drawer = palace.show(str(line.pointer)).drawer
            assert (drawer.said_at, drawer.role) == (line.said_at, line.role)
    (home,) = (kind for kind in palace.about().kinds if kind.name == "home")
    assert "moved to Bruges" in palace.show(str(home.lines[0].pointer)).drawer.content


def test_what_is_taken_back_or_forgotten_is_on_no_page(palace: Palace) -> None:
    file(palace, [*LIFE, ("2025-06-01", "No need to answer in metric units any more.")])
    assert len(written(palace.about())["rules"]) == 1
    (line,) = next(kind for kind in palace.about().kinds if kind.name == "leisure").lines
    palace.forget(str(line.pointer))
    assert "cello" not in str(palace.about())


def test_an_instruction_that_was_rejected_or_superseded_is_on_no_page(palace: Palace) -> None:
    said = ("Always answer in French.", "Always give prices without VAT.", "Never suggest seafood.")
    file(palace, [("2025-05-01", each) for each in said])
    made = {each.content: str(each.id) for each in palace.memories.make().memories}
    palace.memories.reject(made["Never suggest seafood."])
    palace.memories.update(made["Always answer in French."], "Always answer in German.")
    assert set(written(palace.about())["rules"]) == {"Always answer in German.", "Always give prices without VAT."}


def test_a_block_tells_a_model_of_the_user_and_cites_every_line(palace: Palace) -> None:
    file(palace, LIFE)
    block = palace.context_block(palace.about())
    assert "| 2025-03-01 | user | The user lives in Bruges, from about February 2025 to June 2090.\n" in block
    assert "Ruth is the user's sister." in block
    cited = re.compile(r"§ W-\d+/R-\d+/D-\d+ \| \d{4}-\d\d-\d\d \| user \| .+")
    inside = block.splitlines()[1:-1]
    assert len(inside) > 20
    assert all(map(cited.fullmatch, inside))
    assert len(palace.context_block(palace.about(), token_budget=60)) <= 240
    assert palace.context_block(palace.about(), token_budget=1) == ""


def test_a_limit_cuts_each_kind_and_counts_the_rest(palace: Palace) -> None:
    file(palace, LIFE)
    people = next(kind for kind in palace.about(limit=2).kinds if kind.name == "people")
    assert ([line.text for line in people.lines], people.left_out) == (
        ["Lena is your wife.", "Lena works as a nurse."],
        6,
    )


def test_of_nothing_known_a_page_says_so(palace: Palace) -> None:
    page = palace.about()
    assert (page.is_empty, page.entity) == (True, None)
    assert page.gaps == "Nothing is known of your family, home, work, likes and dislikes or health."
    assert palace.context_block(page) == ""
    with pytest.raises(NotFound, match="nobody and nothing is called 'Ruth'"):
        palace.about("Ruth")
    for wrong in ({"limit": 0}, {"name": "  "}, {"name": 7}):
        with pytest.raises(BadRequest):
            palace.about(**wrong)


def test_in_a_chat_each_speaks_of_themselves(palaces: Palaces) -> None:
    said = (
        ("Nora", "I live in Freiburg now, since January. We meet in Berlin on 5 December 2090."),
        ("Jonas", "I live in Hamburg. I should buy tickets for the concert."),
        ("Nora", "I have to order the oak boards. Don't forget the tents, please."),
    )
    messages = [
        {"role": "user", "name": who, "content": text, "timestamp": f"2025-02-0{day}T10:00:00Z"}
        for day, (who, text) in enumerate(said, 1)
    ]
    palace = palaces.palace(str(uuid.uuid4()), person="Nora")
    palace.file(messages, id="chat", wing="Chat")
    page = written(palace.about())
    assert page["home"] == ["You live in Freiburg, since January 2025."]
    assert page["coming"] == ["5 December 2090: We meet in Berlin on 5 December 2090."]
    assert page["open"] == ["I have to order the oak boards."]
    assert written(palace.about("Jonas"))["home"] == ["Jonas lives in Hamburg."]
