"""What holds from then on without a word that says so, and is told from requests of the moment."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.hooks.instructions import measure_instructions
from palace.text.standing import gives_instruction, own_words, revokes

FOR_GOOD = """
use pnpm, not npm
no deploys on fridays
nie freitags deployen, das hat Ole verlangt
we don't do default exports here
always run the linter before you commit
please write commit messages in English
keine neuen Abhängigkeiten ohne Rücksprache
bitte immer Sie statt du in den Texten
no new dependencies without asking me
ok, merged. btw no inline styles
Rule: no default exports
- use single quotes in javascript
hier wird gesiezt
generierte Dateien werden nicht angefasst
"""
OF_THE_MOMENT = """
use the other branch
use the blue button
use the staging db, not production
use 8 instead of 7
no deploy today
no tests failed this time
don't touch the tests, just fix the bug
we never got an answer from the vendor
always fails with the same message
the docs say never use eval
the linter says: no unused variables
Error: no default export in index.ts
ask me before you delete the branch
don't use mocks for this
dates are stored as strings, that's the bug
nimm den anderen Branch
jetzt nicht deployen
keine Fehler mehr im Log
zeig mir nur den Diff
die Funktion soll immer eine Liste zurückgeben
hier wird nichts angezeigt
Should we use pnpm, not npm?
"""
TAKEN_BACK = """
you can use npm again
default exports are ok now
deploys on fridays are allowed again
du darfst wieder npm nehmen
freitags darf wieder deployt werden
Default-Exports sind jetzt okay
"""
PASSED_ON = """
> no deploys on fridays
`use pnpm, not npm`
the readme has "use pnpm, not npm" in it
```\\nnever use eval\\n```
$ echo never use npm
    use pnpm, not npm
npm ERR! never use npm here
<note>use pnpm, not npm</note>
„nie freitags deployen“
12:04:11 checking\\nuse pnpm, not npm\\nINFO done\\nWARN slow
"""


@pytest.mark.parametrize("text", FOR_GOOD.strip().splitlines())
def test_what_is_said_of_a_kind_of_thing_holds_from_then_on(text: str) -> None:
    assert gives_instruction(text)
    assert gives_instruction(text[0].upper() + text[1:] + ".")


@pytest.mark.parametrize("text", OF_THE_MOMENT.strip().splitlines())
def test_what_is_said_of_one_thing_or_for_now_does_not(text: str) -> None:
    assert not gives_instruction(text)


@pytest.mark.parametrize("text", TAKEN_BACK.strip().splitlines())
def test_what_is_allowed_again_takes_back(text: str) -> None:
    assert gives_instruction(text)
    assert revokes(text)


@pytest.mark.parametrize("text", PASSED_ON.strip().replace("    use", "\t    use").splitlines())
def test_what_is_passed_on_are_not_the_persons_words(text: str) -> None:
    text = text.replace("\\n", "\n")
    assert gives_instruction(text.replace("`", "").strip(' >$\t"„“')) or "npm" in text
    assert not gives_instruction(own_words(text))


def test_the_persons_words_stay_around_what_they_pass_on() -> None:
    said = 'we say "segments", not "legs"\n```\nnever\n```\n- use pnpm, not npm'
    assert own_words(said) == 'we say "segments", not "legs"\n   \n     \n   \n- use pnpm, not npm'


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("ab \n\t\"'`>|$<>/„“-:{};é"), max_size=200) | st.text(max_size=200))
def test_every_word_of_the_persons_stays_in_its_place(text: str) -> None:
    own = own_words(text)
    assert len(own) == len(text)
    assert all(kept in (said, " ") for kept, said in zip(own, text, strict=True))


def test_most_instructions_are_found_and_what_is_taken_for_one_is_one() -> None:
    told = measure_instructions()["develop"]
    assert told["all"]["precision"] >= 0.95
    assert told["all"]["recall"] >= 0.9
    assert told["near"]["taken"] <= 0.06 * told["near"]["sentences"]


def test_it_is_judged_fast_however_it_is_made() -> None:
    begun = time.perf_counter()
    made = (
        "no a ",
        "we use a, ",
        "use a not ",
        "keine a in ",
        "wir machen a, ",
        "don't add a in ",
        "a-b ",
        "tests in ",
    )
    for text in made:
        for length in (190, 600):
            gives_instruction((text * 200)[:length])
    for text in ("'a ", "<a>", '"x ', "`a b", "|\n", "{", "„a "):
        own_words((text * 6000)[:6000])
    assert time.perf_counter() - begun < 2
