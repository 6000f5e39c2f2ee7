"""Tables with a header: which are read as messages, as what, and which are refused with their columns."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.errors import UnreadableSource
from palace.mining.readers.reading import Reading
from palace.mining.readers.tables import rows, table
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]

CHAT = 'date,author,message\n2024-05-01 10:32,Ann,"Hello, Bob.\nAll well?"\n2024-05-02 08:00,Bob,Yes.\n'


def said(conversations: list[Conversation]) -> list[tuple[str | None, str]]:
    return [(turn.speaker, turn.content) for conversation in conversations for turn in conversation.turns]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["x.csv", "x.txt"])
def test_a_row_is_a_message(read_told: ReadTold, delimiter: str, end: str, name: str) -> None:
    text = f'date{delimiter}author{delimiter}message\n2024-05-01 10:32{delimiter}Ann{delimiter}"Hello.\n""Well""?"\n'
    text += f"2024-05-02 08:00{delimiter}Bob{delimiter}Yes.\n"
    [chat], reading = read_told(text.replace("\n", end), name)
    assert said([chat]) == [("Ann", f'Hello.{end}"Well"?'), ("Bob", "Yes.")]
    assert [turn.said_at.isoformat() for turn in chat.turns if turn.said_at] == [
        "2024-05-01T10:32:00+00:00",
        "2024-05-02T08:00:00+00:00",
    ]
    assert reading.notices[0].endswith(
        'is read as a table of messages: "date" as when, "author" as who says it, "message" as what is said'
    )


def test_columns_that_are_not_read_are_named_and_counted(read_told: ReadTold) -> None:
    text = "id,priority,Message Text,Sender,colour\n1,high,Broken.,Ann,red\n2,low,Mended.,Bob,blue\n"
    found, reading = read_told(text, "x.csv")
    assert said(found) == [("Ann", "Broken."), ("Bob", "Mended.")]
    assert reading.left_out == {"columns of tables that are not read": 2}
    assert "; not read: priority, colour" in reading.notices[0]


@pytest.mark.parametrize(
    "text",
    [
        "date,amount,balance\n2024-05-01,5,10\n2024-05-02,6,4\n",
        "date,amount,note\n2024-05-01,5,rent\n2024-05-02,6,food\n",
        "name;price\nmast;900\nboom;300\n",
        "1,2,3\n4,5,6\n7,8,9\n1,1,1\n",
    ],
)
def test_a_table_of_something_else_is_refused_with_its_columns(read: Read, text: str) -> None:
    with pytest.raises(
        UnreadableSource, match=r"is a table \(CSV\) without a column of texts .* its first row is \""
    ) as caught:
        read(text, "x.csv")
    assert f'"{text.replace(";", ",").split(",")[0]}"' in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_rows_with_titles_are_notes_of_their_own(read: Read) -> None:
    found = read("title,content,created_at\nMast,Order it.,2024-05-01T10:32:00Z\nSail,Wash it.,1714633920\n", "x.csv")
    assert [(note.title, note.turns[0].content) for note in found] == [("Mast", "Order it."), ("Sail", "Wash it.")]
    assert [turn.said_at.isoformat() for note in found for turn in note.turns if turn.said_at] == [
        "2024-05-01T10:32:00+00:00",
        "2024-05-02T07:12:00+00:00",
    ]


def test_a_column_tells_conversations_apart(read: Read) -> None:
    text = "channel,role,text\na,user,One.\nb,user,Two.\na,assistant,Three.\n"
    found = read(text, "x.csv")
    assert [(each.title, said([each])) for each in found] == [
        ("a", [(None, "One."), (None, "Three.")]),
        ("b", [(None, "Two.")]),
    ]
    assert [turn.role for turn in found[0].turns] == [Role.USER, Role.ASSISTANT]
    assert found[0].source_id is None


def test_ids_that_no_other_table_has_are_kept(read: Read) -> None:
    text = "conversation_id,message_id,text\n6f1c2a9e-0000-4000-8000-000000000001,aaaaaaaa-1,One.\n"
    [chat] = read(text, "x.csv")
    assert (chat.source_id, chat.turns[0].source_id) == ("6f1c2a9e-0000-4000-8000-000000000001", "aaaaaaaa-1")


def test_dates_of_two_numbers_are_read_as_everywhere(read_told: ReadTold) -> None:
    [chat], reading = read_told("date,time,text\n05/13/2024,10:32,One.\n05/14/2024,08:00,Two.\n", "x.csv")
    assert chat.turns[0].said_at is not None
    assert chat.turns[0].said_at.isoformat() == "2024-05-13T10:32:00+00:00"
    assert any("month first" in notice for notice in reading.notices)


def test_rows_that_do_not_fit_are_missing_alone_and_named(read_told: ReadTold) -> None:
    text = "who,text,when\nAnn,One.,2024-05-01\nBob,Two.,2024-05-01,x,y\nZed\n,,\nAnn,,2024-05-01\nAnn,Three.\n"
    found, reading = read_told(text, "x.csv")
    assert [text for _, text in said(found)] == ["One.", "Three."]
    assert [str(problem).partition(", ")[2] for problem in reading.failures] == [
        "line 3: the row has 5 cells where the header has 3",
        "line 4: the row has 1 cells where the header has 3",
    ]
    assert reading.left_out == {"lines that could not be read": 2, "rows of a table without a text": 1}


def test_a_text_without_quotation_marks_that_stands_last_keeps_its_commas(read: Read) -> None:
    assert said(read("who,text\nAnn,Hello, Bob, you.\nBob,Yes.\n", "x.csv"))[0] == ("Ann", "Hello, Bob, you.")


def test_a_quotation_that_never_ends_is_named(read_told: ReadTold) -> None:
    text = 'text,who,when\nOne.,Ann,2024-05-01\n"Two.,Bob,2024-05-01\n' + "Three.,Ann,2024-05-01\n" * 40
    found, reading = read_told(text, "x.csv")
    assert [text for _, text in said(found)] == ["One.", '"Two.', *["Three."] * 40]
    assert any("line 3: a quotation mark that opens here is never closed" in each for each in reading.notices)


def test_a_quotation_that_never_ends_in_the_last_column_takes_no_row_with_it(read_told: ReadTold) -> None:
    found, reading = read_told('who,text\nAnn,"One,\nor two."\nBob,"Two.\n' + "Zed,Three.\n" * 1_000, "x.csv")
    assert [text for _, text in said(found)] == ["One,\nor two.", '"Two.', *["Three."] * 1_000]
    assert sum("never closed" in each for each in reading.notices) == 1


def test_a_last_row_of_several_lines_is_whole_though_an_inch_stands_in_it(read_told: ReadTold) -> None:
    found, reading = read_told('text,who\n"One.\nTwo, 5"" wide.",Ann\n"Three\n\nfour.",Bob 5"', "x.csv")
    assert [text for _, text in said(found)] == ['One.\nTwo, 5" wide.', "Three\n\nfour."]
    assert not any("never closed" in each for each in reading.notices)


def test_a_row_that_is_too_large_is_missing_alone(read_told: ReadTold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LARGEST_MESSAGE", 100_000)
    found, reading = read_told("who,text\nAnn,One.\nBob," + "x" * 100_001 + "\nAnn,Three.\n", "x.csv")
    assert [text for _, text in said(found)] == ["One.", "Three."]
    assert [str(each).partition(", ")[2] for each in reading.failures] == [
        "line 3: the row cannot be read: field larger than field limit (100000)"
    ]


@pytest.mark.parametrize("text", ["x" * 200_000, '"' + "x\n" * 100_000 + '"'])
def test_a_first_row_of_any_length_is_read(read: Read, text: str) -> None:
    assert said(read(f"who,text\nAnn,{text}\nBob,Yes.\n", "x.csv")) == [("Ann", text.strip('"')), ("Bob", "Yes.")]


@pytest.mark.parametrize("row", ["a," * 1_000_000 + "\n", '"' * 1_000_001 + "\n", "Ann,\0\n", 'Ann,"\n' * 200_000])
def test_a_table_that_is_made_to_be_slow_is_read_in_linear_time(read_told: ReadTold, row: str) -> None:
    began = time.process_time()
    found, _ = read_told(f"who,text\nAnn,One.\n{row}Bob,Two.\n", "x.csv")
    assert said(found)[0] == ("Ann", "One.")
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("encoding", "notice"), [("cp1252", True), ("utf-8", False), ("utf-8-sig", False), ("utf-16", False)]
)
def test_a_table_is_read_in_the_encoding_of_spreadsheets(read_told: ReadTold, encoding: str, *, notice: bool) -> None:
    found, reading = read_told("who,text\nJürgen,größer – €\n".encode(encoding), "x.csv")
    assert said(found) == [("Jürgen", "größer – €")]
    assert any("Windows-1252" in each for each in reading.notices) is notice


def test_a_note_with_commas_is_no_table(read: Read) -> None:
    text = "Text, and more text, by Ann\nShe said, in short, yes\n"
    assert read(text, "x.md")[0].reader == "note"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damage=st.binary(max_size=12), at=st.integers(0, len(CHAT)), length=st.integers(0, 20))
def test_a_damaged_table_is_read_or_refused(read: Read, damage: bytes, at: int, length: int) -> None:
    data: Any = CHAT.encode()
    try:
        read(data[:at] + damage + data[at + length :], "x.csv")
    except UnreadableSource:
        return


def test_behind_a_mark_that_is_never_closed_a_row_that_cannot_be_read_is_missing_alone() -> None:
    text = 'date,author,message\n2024-05-01 10:32,Ann,"Hello.\n2024-05-02\r08:00,Bob,Yes.\n2024-05-03 08:00,Bob,No.\n'
    reading = Reading("a.csv")
    [found] = table.read(text, reading)
    assert [turn.content for turn in found.turns] == ['"Hello.', "No."]
    assert ["line 3" in str(each) and "the row cannot be read" in str(each) for each in reading.failures] == [True]


def test_of_hundreds_of_columns_those_are_kept_that_are_read() -> None:
    row = f"hi,{','.join(['ab'] * 200)}\n"
    text = f"text,{','.join(f'c{number}' for number in range(200))}\n{row * 5000}"
    tracemalloc.start()
    try:
        [found] = table.read(text, Reading("a.csv"))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.turns) == 5000
    assert most < 30_000_000
