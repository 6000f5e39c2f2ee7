"""The words of a question that asks for nothing in particular: who asks, what happened, what was told. Pure."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")

_ENGLISH = frozenset(
    """
    a about again all also am an and any anything are at be been being but by can could d did didn do does doing done
    else everything exactly for from give go goes going gone got had has have having hello here hey hi how i in is it
    its just kind let list ll m me mine much my of off ok okay on or our ours please quick quickly re s say saying said
    show so some something stuff t than that the their them then there these they thing things this those to too up us
    user ve was we went were what whatever whats with would you your yours

    busy catch chat chats chatted chatting communicate communicated conversation conversations cover covered discuss
    discussed discussing discussion discussions event events experience experienced fill happen happened happening
    happens highlight highlights interesting keep kept key know learn learned life main major matter mattered memories
    memory mention mentioned mentioning most news new note noted notes occur occurred occurring overview recall
    recap recount remember remembered remind report review share shared sharing speak spoke spoken speaking story
    subject subjects sum summaries summarise summarize summary talk talked talking talks tell telling told topic topics
    update updates write written wrote

    day days date dates period time times week weeks month months year years
    """.split()  # noqa: SIM905 — read as lines of words
)
_GERMAN = frozenset(
    """
    alles also am an auch auf aus bei bin bist bitte da damals dann das davon dein deine dem den denn der des die dies
    dieser diesem dir dich du ein eine einem einen einer eines er es etwas euch für gab gib gibt hab habe haben habt
    hallo hast hat hatte hatten ich ihr im in irgendetwas irgendwas ist ja kann kannst mal man mein meine meinem meinen
    meiner mich mir mit noch nochmal nur oder sein seit sich sie sind so sonst tat tun um und uns unser unsere
    unserem unseren unserer vom von war waren warst was werden wie wieder wir wird woran worum worüber wovon
    wozu wurde wurden zu zum zur über

    abgelaufen abspielen abgespielt beschäftigt besprochen besprachen berichte berichten berichtet bericht
    diskutiert diskutierten dran ereignet ereignis ereignisse ereignissen erinnere erinnern erinnerst erinnerung
    erinnerungen erlebt erlebte erlebten erwähnt erwähnte erzähl erzähle erzählen erzählt erzählte erzählten fass fasse
    gegangen gegeben geht gelaufen gelernt gemacht geredet gesagt geschah geschehen geschrieben gesprochen gespräch
    gespräche gesprächen getan getrieben gewesen ging gingen interessante interessantes lernte lief liefen los machte
    machten mitgeteilt neue neuem neuer neues neuigkeiten notiert notizen passiert passierte redeten sag sage sagen
    sagte sagten schrieb sprachen themen thema trieb überblick unterhalten unterhielten unterhaltung unterhaltungen
    vorgefallen weißt weisst wichtige wichtigen wichtiges wichtigste wichtigsten zeig zeige zeigen zusammen
    zusammenfassen zusammenfassung

    leben tag tage tagen woche wochen monat monate monaten jahr jahre jahren zeit datum
    """.split()  # noqa: SIM905 — read as lines of words
)
_DECIDING = frozenset(
    """
    agree agreed agreement agreements choice choices choose chose chosen conclude concluded conclusion conclusions
    decide decided decision decisions opted pick picked resolve resolved settle settled

    abgemacht ausgemacht beschließen beschloss beschlossen beschluss beschlüsse einigten entscheiden entscheidung
    entscheidungen entschied entschieden festgelegt geeinigt vereinbart vereinbarung vereinbarungen verabredet
    """.split()  # noqa: SIM905 — read as lines of words
)
_BESIDE_DECIDING = frozenset(
    "come came everyone made make making reach reached take taken took upon which welche welches getroffen".split()  # noqa: SIM905
)
_AHEAD = frozenset(
    """
    agenda anstehen ansteht calendar coming due expect happening kalender plan plane planen plans planned planning
    pläne plant geplant schedule scheduled steht stehen termine upcoming vor vorhabe vorhaben vorhast will
    """.split()  # noqa: SIM905 — read as lines of words
)
"""What may be asked in the same way of a time to come."""


def says_nothing_else(text: str, *, is_ahead: bool = False) -> bool:
    """Tell whether the words of a text, without its times, are those of asking alone, all in one language.

    Text without words says nothing else either: "Last week?" ``is_ahead``: the times lie ahead, so plans are asked for
    in the same way.

    >>> says_nothing_else("What did I tell you ?")
    True
    >>> says_nothing_else("What did I tell you about the boat ?")
    False
    """
    words = {word for word in _WORD.findall(text.casefold()) if not (is_ahead and word in _AHEAD)}
    if not words.isdisjoint(_DECIDING):
        words -= _DECIDING | _BESIDE_DECIDING
    return words <= _ENGLISH or words <= _GERMAN


def asks_decisions(text: str) -> bool:
    """Tell whether a question asks for what was decided.

    >>> asks_decisions("What did we agree on last week?"), asks_decisions("What did we make last week?")
    (True, False)
    """
    return not _DECIDING.isdisjoint(_WORD.findall(text.casefold()))
