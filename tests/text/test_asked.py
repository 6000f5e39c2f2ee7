"""A query about the person whose palace it is, put into the first person; all others left alone, to the byte."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from palace.text.asked import LONGEST_QUESTION, in_first_person
from palace.text.asked.names import names_of_user
from tests.text.tables import lines, misread, rows

MARTA, KATRIN = ["Marta Lindqvist"], ["Katrin Vollmer"]
ENGLISH = """
Where does the user work? -> Where do I work?
Was the user ill? -> Was I ill?
Is there a herb the user dislikes? -> Is there a herb I dislike?
What was the thyroid condition of the user? -> What was my thyroid condition?
What happened to the user in Rome? -> What happened to me in Rome?
How does the user describe themselves? -> How do I describe myself?
user's favourite tea -> My favourite tea
Which train does Lindqvist catch? -> Which train do I catch?
What does Marta call her cat? -> What do I call my cat?
They're allergic to what? -> I am allergic to what?
Which instrument is their daughter learning? -> Which instrument is my daughter learning?
What should be avoided when cooking for them? -> What should be avoided when cooking for me?
Tell me where the user works. -> Tell me where I work.
"""
GERMAN = """
Hat der Nutzer Kinder? -> Habe ich Kinder?
Ob die Nutzerin noch in Berlin wohnt -> Ob ich noch in Berlin wohne
Was war die Todesursache beim Vater des Nutzers? -> Was war die Todesursache bei meinem Vater?
Was ist dem Nutzer wichtig? -> Was ist mir wichtig?
Weiß der Nutzer, wo sein Pass ist? -> Weiß ich, wo mein Pass ist?
Wie heißt Katrins Ehemann? -> Wie heißt mein Ehemann?
In welcher Branche arbeitet der Bruder von Katrin Vollmer? -> In welcher Branche arbeitet mein Bruder?
welche stimmlage hat katrin? -> welche stimmlage habe ich?
Wie heißt ihr Hund? -> Wie heißt mein Hund?
Für welche Laufveranstaltung trainiert sie? -> Für welche Laufveranstaltung trainiere ich?
Was schenkt man ihm? -> Was schenkt man mir?
Sag mir, wo der Nutzer arbeitet. -> Sag mir, wo ich arbeite.
"""
LEFT = """
Where is the user interface described? | Which user story is next? | What does the user manual say?
Who wrote to user@example.org? | What did "the user" mean in the spec? | What did the spec mean by “the user's data”?
What does `the user` do in that query? | How many users does the site have? | Do user-friendly phones exist?
What did I tell the user about taxes? | What did Anna say about their house? | Where does Joel Lindqvist work?
Who is Marta Schmidt? | What does my friend Marta do? | Does Aunt Marta like tea? | Where is Lindqvist Street?
where does joel lindqvist work? | what does my friend marta do? | where is the marta? | When do they open?
Do the children like their school? | What did the neighbours say when they moved?
Where are the keys and who has them? | Where does he work? | Which customer was unhappy? | What did the client pay?
Who wrote the song they played at Aunt Noor's funeral?
"""
LEFT_GERMAN = """
Wie sieht die Nutzeroberfläche aus? | Was wollen die Nutzer? | Wie groß ist die Anzahl der Nutzer?
Was sagen Nutzer:innen? | Was heißt „der Nutzer“ im Vertrag? | Wo arbeitet Thorsten Vollmer?
Wo wohnt meine Freundin Katrin? | Wo wohnt ihr? | Wohin fahren sie? | Wie können Sie helfen?
Was macht Leonie mit ihrem Hund? | Womit verdient Thorsten sein Geld?
Wo steht die Maschine und wer hat sie repariert? | Was hat der Kunde bezahlt? | Was habe ich dem Nutzer gesagt?
"""
WORDS_THAT_ARE_NAMES = """
when may it rain in the will -> Will May
when does rose bloom? -> Rose Baker
which baker is open on sunday -> Rose Baker
when is ernst said -> Ernst Klein
wo steht frank und frei -> Frank Vogel
what is max speed -> Max Stein
what is an ian -> An Li
where is jo -> Jo Quist
"""
NOBODY = (
    "Where does Anna work on the quay and who fed old Bruno his tea ,;?! wo was wer Haus mit von users Nutzerzahl"
    " user-id user@example.org 'x' \" “ ” „ \ue000 \ue001 \ue002 ` é 日本"
)


def test_what_is_about_the_person_is_put_into_the_first_person() -> None:
    assert misread(lambda query: in_first_person(query, MARTA), rows(ENGLISH)) == []
    assert misread(lambda query: in_first_person(query, KATRIN), rows(GERMAN)) == []


def test_what_is_not_about_the_person_stays() -> None:
    assert [query for query in lines(LEFT) if in_first_person(query, MARTA) != query] == []
    assert [query for query in lines(LEFT_GERMAN) if in_first_person(query, KATRIN) != query] == []
    assert in_first_person("Where does Marta work?") == "Where does Marta work?", "nobody told that name"
    message = "Where does the user work? " * 20
    assert len(message) > LONGEST_QUESTION
    assert in_first_person(message) == message


def test_a_name_that_is_a_word_as_well_counts_only_in_full() -> None:
    assert [query for query, name in rows(WORDS_THAT_ARE_NAMES) if in_first_person(query, [name]) != query] == []
    assert in_first_person("Will it rain in May?", ["Will May"]) == "Will it rain in May?"
    assert in_first_person("Where does Will May live?", ["Will May"]) == "Where do I live?"
    assert in_first_person("where does will may live?", ["Will May"]) == "where do I live?"
    assert in_first_person("Where does Rose live?", ["Rose Quist"]) == "Where do I live?"


def test_a_user_name_counts_where_it_looks_like_one() -> None:
    meant = {"marta": ("Marta",), "Marta Lindqvist": ("Marta Lindqvist",), "marta.lindqvist": ("Marta Lindqvist",)}
    none = dict.fromkeys(("root", "user-42", "u8f3", "x", "marta@example.org"), ())
    assert misread(names_of_user, [*meant.items(), *none.items()]) == []


@given(st.lists(st.sampled_from([*NOBODY.split(), "\t\n", ""]), max_size=30).map(" ".join))
def test_text_without_any_mention_comes_back_to_the_byte(text: str) -> None:
    assert in_first_person(text, ["Zora Quist"]) == text


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=3))
def test_any_text_and_any_names_are_taken(text: str, names: list[str]) -> None:
    in_first_person(text + " the user's " + text, names)


def test_no_query_takes_long() -> None:
    for word in ("they ", "wo sie ", "the user ", "die Nutzerin ", "who they ", '"', " ", "der "):
        query = (word * LONGEST_QUESTION)[:LONGEST_QUESTION]
        in_first_person(query, MARTA)
        started = time.process_time()
        in_first_person(query, MARTA)
        assert time.process_time() - started < 0.25, word
