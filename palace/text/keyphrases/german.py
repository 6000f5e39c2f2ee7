"""Runs of German words that may be names: the nouns, which a capital tells."""

from __future__ import annotations

from collections.abc import Iterator

from palace.text.keyphrases.clauses import Clause, Run
from palace.text.words import says_something

_FUNCTION = """
ab aber alle allem allen aller alles als also am an andere anderen auch auf aus außer bei beim bereits bevor bin bis
bist bitte da dabei dadurch dafür dagegen daher dahin damit danach daneben dann daran darauf daraus darf darin
darüber darum das dass davon davor dazu dein deine deinem deinen deiner deines dem den denen denn der deren des
deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch dürfen eben ein eine einem
einen einer eines einfach einige einigen einmal er erst es etwa etwas euch euer eure für ganz gar gegen genau gerade
gern gibt gut habe haben hast hat hatte hätte hatten heute hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
ihrer im immer in ins ist ja je jede jedem jeden jeder jedes jetzt kann kannst kein keine keinem keinen keiner
können könnte könntest lass machen man mal mehr mein meine meinem meinen meiner meines mich mir mit möchte muss
müssen nach nachdem neben nein nicht nichts nie noch nun nur ob oder oft ohne schon sehr sein seine seinem seinen
seiner seit sich sie sind so sobald soll sollen sollte solltest sondern sonst sowie statt trotzdem über um und uns
unser unsere unserem unseren unserer unter viel viele vielen vielleicht vom von vor wann war waren warum was weder
weil weiter welche welchem welchen welcher welches wenig wenn wer werde werden wie wieder will wir wird wirklich wo
wohl wollen wurde würde würden zu zum zur zwar zwei drei zwischen danke hallo okay prima super klar gerne genau
natürlich
"""
FUNCTION_WORDS = frozenset(_FUNCTION.split())
"""Words that German sentences are put together with, in lower case."""

_LEADING_WRITTEN = """
der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine deinen deinem
deiner unser unsere unseren unserem unserer ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner kein keine
keinen keinem keiner jede jeder jedes jeden jedem diese dieser dieses diesen diesem alle welche welcher welches im
am zum zur vom beim ins für mit ohne auf in an aus von nach bei über unter zwischen viele mehr und oder
"""
_LEADING = frozenset(_LEADING_WRITTEN.split())

_WEAK_WRITTEN = """
anfang art beispiel bereich bild dank datum ding dinge ende euro fall form frage fragen gruß grüße grund hilfe idee
information informationen jahr jahre jahren januar februar märz april mai juni juli august september oktober
november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag morgen mittag abend nacht leute liste
mal mensch menschen minute minuten moment monat monate monaten möglichkeit möglichkeiten punkt punkte problem
probleme prozent sache sachen schritt schritte seite seiten stelle stück stunde stunden tag tage tagen teil teile
text thema tipp tipps uhr vorschlag weg weise woche wochen wort worte zahl zeit zeiten ziel zimmern haus außerhalb
innerhalb kilo gramm liter meter kilometer grad
"""
_WEAK = frozenset(_WEAK_WRITTEN.split())
"""Nouns of everyday talk and of time, which name nothing alone."""


def german_runs(clause: Clause) -> Iterator[Run]:
    """List the runs of words with a capital that may be nouns, in order.

    At the beginning of a sentence every word has one, which says nothing by itself.
    """
    run: list[tuple[str, float]] = []
    for place, word in enumerate((*clause.words, "")):
        if word and word[0].isupper() and _may_name(word):
            before = clause.words[place - 1].lower() if place else ""
            is_opening = place == 0 and clause.opens
            run.append((word, 0.0 if is_opening else 1.0 if before in _LEADING or run else 0.7))
            continue
        if run:
            words, nouns = zip(*run, strict=True)
            openings = tuple(noun > 0 for noun in nouns)
            yield Run(words, nouns, (True,) * len(words), openings)
        run = []


def _may_name(word: str) -> bool:
    plain = word.lower()
    return plain not in FUNCTION_WORDS and plain not in _WEAK and says_something(word)
