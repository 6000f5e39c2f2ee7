"""A query about the person whose palace it is, put into the first person; all others left alone, to the byte."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.asked import LONGEST_QUESTION, in_first_person
from palace.text.asked.names import names_of_user

MARTA, KATRIN = ["Marta Lindqvist"], ["Katrin Vollmer"]
ENGLISH = """
Where does the user work? -> Where do I work?
Is the user vegetarian? -> Am I vegetarian?
Has the user got a tattoo? -> Have I got a tattoo?
What fracture has the user had? -> What fracture have I had?
Was the user ill? -> Was I ill?
Isn't the user allergic? -> Aren't I allergic?
Why doesn't the user drink? -> Why don't I drink?
What's the user doing on Friday? -> What am I doing on Friday?
The user works where? -> I work where?
The user always orders what? -> I always order what?
If the user is locked out, who can help? -> If I am locked out, who can help?
When the user goes swimming -> When I go swimming
Is there a herb the user dislikes? -> Is there a herb I dislike?
What is the user's dentist called? -> What is my dentist called?
What is the user’s dentist called? -> What is my dentist called?
a friend of the user's -> a friend of mine
What was the thyroid condition of the user? -> What was my thyroid condition?
Who helps the user? -> Who helps me?
What would make the user laugh? -> What would make me laugh?
What happened to the user in Rome? -> What happened to me in Rome?
How does the user describe themselves? -> How do I describe myself?
How does this user take their coffee? -> How do I take my coffee?
Does the user  have  a dog? -> Do I  have  a dog?
What did the user study? -> What did I study?
user's favourite tea -> My favourite tea
user favourite tea -> My favourite tea
Where does user live? -> Where do I live?
Where does Marta work? -> Where do I work?
What size does Marta Lindqvist take? -> What size do I take?
Which train does Lindqvist catch? -> Which train do I catch?
What allergy does Marta's son have? -> What allergy does my son have?
What makes Marta happy? -> What makes me happy?
What does Marta call her cat? -> What do I call my cat?
where does marta work -> where do I work
where does marta work? -> where do I work?
what size does marta lindqvist take -> what size do I take
what allergy does marta's son have? -> what allergy does my son have?
marta's favourite tea -> My favourite tea
how old is marta? -> how old am I?
which train does lindqvist catch? -> which train do I catch?
Do they eat meat? -> Do I eat meat?
How old are they? -> How old am I?
They're allergic to what? -> I am allergic to what?
Which instrument is their daughter learning? -> Which instrument is my daughter learning?
What streaming subscriptions do they have? -> What streaming subscriptions do I have?
What should be avoided when cooking for them? -> What should be avoided when cooking for me?
Tell me where the user works. -> Tell me where I work.
Does the user know what "the user" means? -> Do I know what "the user" means?
""".strip().splitlines()
GERMAN = """
Wo arbeitet die Nutzerin? -> Wo arbeite ich?
Hat der Nutzer Kinder? -> Habe ich Kinder?
Wann ist die Nutzerin schuldenfrei? -> Wann bin ich schuldenfrei?
Wo am Körper wurde die Nutzerin operiert? -> Wo am Körper wurde ich operiert?
Was isst der Nutzer gern? -> Was esse ich gern?
Worauf freut sich der Nutzer? -> Worauf freue ich mich?
Wo die Nutzerin arbeitet -> Wo ich arbeite
Ob die Nutzerin noch in Berlin wohnt -> Ob ich noch in Berlin wohne
Wie alt ist der Dackel der Nutzerin? -> Wie alt ist mein Dackel?
Welchen Namen trägt das ältere Kind der Nutzerin? -> Welchen Namen trägt mein älteres Kind?
Was war die Todesursache beim Vater des Nutzers? -> Was war die Todesursache bei meinem Vater?
Was ist dem Nutzer wichtig? -> Was ist mir wichtig?
Was läuft bei der Nutzerin im Fernsehen? -> Was läuft bei mir im Fernsehen?
Wer hat den Nutzer angerufen? -> Wer hat mich angerufen?
Wann hat die Nutzerin ihre Ausbildung abgeschlossen? -> Wann habe ich meine Ausbildung abgeschlossen?
Weiß der Nutzer, wo sein Pass ist? -> Weiß ich, wo mein Pass ist?
Welche Stimmlage hat Katrin? -> Welche Stimmlage habe ich?
Wie heißt Katrins Ehemann? -> Wie heißt mein Ehemann?
In welcher Branche arbeitet der Bruder von Katrin Vollmer? -> In welcher Branche arbeitet mein Bruder?
welche stimmlage hat katrin? -> welche stimmlage habe ich?
wie heißt katrins ehemann? -> wie heißt mein ehemann?
wo wohnt katrin? -> wo wohne ich?
Wie heißt ihr Hund? -> Wie heißt mein Hund?
Welche Farbe mag sie am liebsten? -> Welche Farbe mag ich am liebsten?
Für welche Laufveranstaltung trainiert sie? -> Für welche Laufveranstaltung trainiere ich?
Was schenkt man ihm? -> Was schenkt man mir?
Sag mir, wo der Nutzer arbeitet. -> Sag mir, wo ich arbeite.
""".strip().splitlines()
LEFT = """
Where is the user interface described?
How large is the users table?
Which user story is next?
What does the user manual say?
Who wrote to user@example.org?
What did "the user" mean in the spec?
What did the spec mean by “the user's data”?
What does `the user` do in that query?
How many users does the site have?
Do user-friendly phones exist?
What are super user rights?
each user's rights
What did I tell the user about taxes?
What did we decide the user sees?
What did Anna say about their house?
Where does Joel Lindqvist work?
Who is Marta Schmidt?
What does my friend Marta do?
Does Aunt Marta like tea?
Where is Lindqvist Street?
where does joel lindqvist work?
what does my friend marta do?
where is the marta?
where is lindqvist-street?
When do they open?
Do the children like their school?
What did the neighbours say when they moved?
Where are the keys and who has them?
Where does he work?
Which customer was unhappy?
What did the client pay?
Who wrote the song they played at Aunt Noor's funeral?
""".strip().splitlines()
LEFT_GERMAN = """
Wie sieht die Nutzeroberfläche aus?
Was wollen die Nutzer?
Wie groß ist die Anzahl der Nutzer?
Was sagen Nutzer:innen?
Was heißt „der Nutzer“ im Vertrag?
Wo arbeitet Thorsten Vollmer?
Wo wohnt meine Freundin Katrin?
Wo wohnt ihr?
Wohin fahren sie?
Wie können Sie helfen?
Was macht Leonie mit ihrem Hund?
Womit verdient Thorsten sein Geld?
Wo steht die Maschine und wer hat sie repariert?
Was hat der Kunde bezahlt?
Was habe ich dem Nutzer gesagt?
""".strip().splitlines()


@pytest.mark.parametrize("line", ENGLISH)
def test_english_is_put_into_the_first_person(line: str) -> None:
    asked, meant = line.split(" -> ")
    assert in_first_person(asked, MARTA) == meant


@pytest.mark.parametrize("line", GERMAN)
def test_german_is_put_into_the_first_person(line: str) -> None:
    asked, meant = line.split(" -> ")
    assert in_first_person(asked, KATRIN) == meant


@pytest.mark.parametrize("query", LEFT)
def test_what_is_not_about_the_person_stays(query: str) -> None:
    assert in_first_person(query, MARTA) == query


@pytest.mark.parametrize("query", LEFT_GERMAN)
def test_german_that_is_not_about_the_person_stays(query: str) -> None:
    assert in_first_person(query, KATRIN) == query


def test_a_name_that_nobody_told_is_somebody_elses() -> None:
    assert in_first_person("Where does Marta work?") == "Where does Marta work?"


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("when may it rain in the will", "Will May"),
        ("when does rose bloom?", "Rose Baker"),
        ("which baker is open on sunday", "Rose Baker"),
        ("what does mark mean", "Mark Young"),
        ("when is ernst said", "Ernst Klein"),
        ("wo steht frank und frei", "Frank Vogel"),
        ("what is max speed", "Max Stein"),
        ("what is an ian", "An Li"),
        ("where is jo", "Jo Quist"),
    ],
)
def test_in_lower_case_a_name_that_is_a_word_is_the_word(query: str, name: str) -> None:
    assert in_first_person(query, [name]) == query


def test_a_name_that_is_a_word_as_well_counts_only_in_full() -> None:
    assert in_first_person("Will it rain in May?", ["Will May"]) == "Will it rain in May?"
    assert in_first_person("Where does Will May live?", ["Will May"]) == "Where do I live?"
    assert in_first_person("where does will may live?", ["Will May"]) == "where do I live?"
    assert in_first_person("Where does Rose live?", ["Rose Quist"]) == "Where do I live?"


NOBODY = (
    "Where does Anna work on the quay and who fed old Bruno his tea ,;?! wo was wer Haus mit von users Nutzerzahl"
    " user-id user@example.org 'x' \" “ ” „ \ue000 \ue001 \ue002 ` é 日本"
)
WORDS = st.sampled_from([*NOBODY.split(), "\t\n", ""])


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_text_without_any_mention_comes_back_to_the_byte(text: str) -> None:
    assert in_first_person(text, ["Zora Quist"]) == text


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=3))
def test_any_text_and_any_names_are_taken(text: str, names: list[str]) -> None:
    in_first_person(text + " the user's " + text, names)


@pytest.mark.parametrize("word", ["they ", "wo sie ", "the user ", "die Nutzerin ", "who they ", '"', " ", "der "])
def test_no_query_takes_long(word: str) -> None:
    query = (word * LONGEST_QUESTION)[:LONGEST_QUESTION]
    in_first_person(query, MARTA)
    started = time.process_time()
    in_first_person(query, MARTA)
    assert time.process_time() - started < 0.25


def test_a_long_message_is_not_touched() -> None:
    message = "Where does the user work? " * 20
    assert len(message) > LONGEST_QUESTION
    assert in_first_person(message) == message


@pytest.mark.parametrize(
    ("user", "names"),
    [
        ("marta", ("Marta",)),
        ("Marta Lindqvist", ("Marta Lindqvist",)),
        ("marta.lindqvist", ("Marta Lindqvist",)),
        ("root", ()),
        ("user-42", ()),
        ("u8f3", ()),
        ("x", ()),
        ("marta@example.org", ()),
    ],
)
def test_a_user_name_counts_where_it_looks_like_one(user: str, names: tuple[str, ...]) -> None:
    assert names_of_user(user) == names
