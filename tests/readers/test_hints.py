"""A text that is kept as a note and looks like a transcript is named; prose, code and recipes are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palace.errors import UnreadableSource
from palace.mining.readers.reading import Reading
from palace.records import Conversation

ReadTold = Callable[..., tuple[list[Conversation], Reading]]

LIKE = {
    "names behind a sentence": "I met them.\n\nAnn: hi\nBob: hello\nAnn: bye\n",
    "small names": "So it was:\nann: hi\nbob: hello\nann: bye\nbob: bye\n",
    "times and names": "10:32 ann says hello\n10:33 bob says hi\n10:34 ann goes\n",
    "names below a day with prose": "2024-05-01\nAt sea.\nAnn: hi\nBob: hello\nAnn: bye\n\n2024-05-02\nHome.\n",
}
UNLIKE = {
    "prose": "It rained. We stayed in:\nthe boat was wet, and so were we.\nAt 10:32 it stopped.\nThen we went.\n",
    "recipe": "# Soup\n\nServes: 4\n\nIngredients:\n- 2 onions\n- water\n\nStep 1: boil.\nStep 2: salt.\nTip: stir.\n",
    "code": "try:\n    x: int = 1\nexcept ValueError:\n    raise\nelse:\n    pass\ntry:\n    y = 2\nelse:\n    pass\n",
    "styles": "color: red;\nmargin: 0;\ncolor: blue;\nmargin: 1px;\ncolor: green;\n",
    "settings": "host: a\nport: 1\nuser: b\nname: c\n",
    "timetable": "08:00 Breakfast: eggs\n12:30 Lunch: pasta\n19:00 Dinner: fish\n",
    "fields of a diary": "2024-05-01\nRun: 5 km\nPain: none\n\n2024-05-02\nRun: 3 km\nPain: some\n",
    "definitions": "Amp: of current.\nVolt: of tension.\nOhm: of resistance.\n",
    "talk in code": "See:\n\n```\nAnn: hi\nBob: hello\nAnn: bye\n```\n\nThat is all.\n",
}


def hints(reading: Reading) -> list[str]:
    return [notice for notice in reading.notices if "looks like a transcript" in notice]


@pytest.mark.parametrize("text", LIKE.values(), ids=LIKE)
def test_a_note_that_looks_like_a_transcript_is_named_in_one_line(read_told: ReadTold, text: str) -> None:
    [found], reading = read_told(text, "talk.txt")
    assert found.reader in ("note", "journal")
    assert len(hints(reading)) == 1
    assert hints(reading)[0].rpartition("/")[2].startswith("talk.txt looks like a transcript (")


@pytest.mark.parametrize("text", UNLIKE.values(), ids=UNLIKE)
def test_what_looks_like_no_transcript_is_kept_without_a_word(read_told: ReadTold, text: str) -> None:
    [found], reading = read_told(text, "talk.txt")
    assert found.reader in ("note", "journal")
    assert hints(reading) == []


def test_the_hint_counts_the_lines_and_names_who_comes_back(read_told: ReadTold) -> None:
    _, reading = read_told(LIKE["small names"], "talk.txt")
    assert [hint.rpartition("/")[2] for hint in hints(reading)] == [
        'talk.txt looks like a transcript (4 of 5 lines begin with "ann", "bob") but is written like none that is read:'
        " kept as one note"
    ]


def test_a_list_of_two_items_with_labels_is_a_note_and_one_in_which_a_name_comes_back_is_not(
    read_told: ReadTold,
) -> None:
    assert read_told("- User: a\n- Assistant: b\n", "x.md")[0][0].reader == "note"
    assert read_told("- User: a\n- Assistant: b\n- User: c\n", "x.md")[0][0].reader == "transcript"


def test_times_that_go_back_in_a_file_of_several_dates_or_with_its_latest_first_stay_on_their_day(
    read_told: ReadTold,
) -> None:
    dated = "2024-05-01\n\n15:00 Ann: a\n10:05 Ann: b\n\n2024-05-02\n\n09:00 Ann: c\n"
    backwards = "[15:00] Ann: a\n[12:00] Bob: b\n[10:05] Ann: c\n"
    for text in (dated, backwards):
        [found], reading = read_told(text, "2024-05-01 x.txt")
        assert [turn.said_at.day for turn in found.turns if turn.said_at][:2] == [1, 1]
        assert reading.notices == []


def test_a_post_with_comments_is_no_message(read_told: ReadTold) -> None:
    with pytest.raises(UnreadableSource, match="JSON of no known format"):
        read_told([{"author": "Ann", "text": "A post", "date": "2024-05-01", "comments": [{"text": "lost"}]}])
