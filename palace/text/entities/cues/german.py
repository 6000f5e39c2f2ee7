"""Names in German, where every noun has a capital: by the words before them, by lists, never by the capital alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from palace.patterns import late
from palace.records.graph import EntityType
from palace.text.entities.clues import Clue
from palace.text.entities.cues.names import compiled
from palace.text.entities.lists.heads import HEADS
from palace.text.entities.lists.lexicon import folded, given_names, places, well_known
from palace.text.entities.page import Page, Token

PERSON, PLACE, FIRM, ITEM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION, EntityType.ITEM

_KIN = (
    r"(?:[Mm]utter|[Vv]ater|[Mm]ama|[Pp]apa|[Ss]chwester|[Bb]ruder|[Tt]ochter|[Ss]ohn|[Kk]ind(?:er)?|[Ff]rau"
    r"|[Mm]ann|[Pp]artnerin|[Pp]artner"
    r"|[Ff]reundin|[Ff]reund|[Kk]ollegin|[Kk]ollegen?|[Cc]hefin|[Cc]hef|[Nn]achbarin|[Nn]achbarn?|[Tt]ante"
    r"|[Oo]nkel|[Cc]ousine?|[Nn]ichte|[Nn]effen?"
    r"|[Oo]ma|[Oo]pa|[Ss]chwager|[Ss]chwägerin|[Ss]chwiegermutter|[Ss]chwiegervater|[Zz]ahnarzt|[Zz]ahnärztin"
    r"|[Hh]ausarzt|[Hh]ausärztin|[Ll]ehrerin|[Ll]ehrer|[Tt]rainerin|[Tt]rainer|[Ii]nstallateur)"
)
_CAP = r"[A-ZÄÖÜÉŠŽ][\wäöüßéèáóčšž&-]+(?:\s(?:&\s|von\s|van\s|de\s)?[A-ZÄÖÜ][\wäöüßéáóčšž-]+){0,2}"
_BEARERS = (
    r"(?:\w*(?:boot|hund|katze)|[Bb]oot|[Hh]und|[Hh]ündin|[Kk]atze|[Kk]ater|[Pp]ferd|[Ss]tute|[Ww]elpe|[Kk]aninchen|[Pp]ony"
    r"|[Hh]engst|[Dd]ackel|[Ll]abrador|[Hh]amster|[Ww]ellensittich|[Ss]childkröte|[Ss]chiff|[Yy]acht|[Aa]uto|[Bb]ulli|[Ss]erver|[Rr]echner|[Rr]oller)"
)
"""Pets and things that are given names."""
_PETS = (
    r"(?:\w*(?:hund|katze)|[Hh]und|[Hh]ündin|[Kk]atze|[Kk]ater|[Pp]ferd|[Ss]tute|[Ww]elpe|[Kk]aninchen|[Hh]amster"
    r"|\w*[Vv]ogel|[Hh]asen?|[Mm]eerschweinchen|[Ww]ellensittich|[Pp]ony|[Hh]engst|[Ww]allach|[Dd]ackel|[Ll]abrador|[Mm]ops|[Pp]apagei|[Ss]childkröte)"
)
_MALE_PETS = (
    r"(?:\w*hund|[Hh]und|[Kk]ater|[Hh]amster|[Ww]ellensittich|[Hh]engst|[Ww]allach|[Dd]ackel|[Ll]abrador|[Mm]ops|[Pp]apagei"
    r"|[Ww]elpen?|[Hh]asen?|[Ee]sel)"
)
_FEMALE_PETS = r"(?:\w*katze|[Kk]atze|[Hh]ündin|[Ss]tute|[Ss]childkröte|[Kk]atzendame|[Hh]undedame)"
_TITLED = r"(?:(?:Herrn?|Frau|Dr\.?|Prof\.?)\s)*"
_WORKS = r"(?:arbeite[nt]?|schaffe|jobbe[nt]?|angestellt|dev|developer|entwicklerin|entwickler|job|stelle|angefangen)"
_NO_WRITTEN = """
Schichten Nachtschicht Kurzarbeit Elternzeit Präsenz Gruppen Bereitschaft Schicht Mutterschutz Gleitzeit Frühschicht
Ruhe Ordnung Urlaub Rente Pension Teilzeit Vollzeit Zukunft Arbeit Hause Haus Woche Monat Jahr Tag Zeit Bett Stadt
Form Frage Kontakt Kürze
Deutsch Englisch Französisch Spanisch Italienisch Polnisch Euro Uhr Prozent Minuten Stunden Tagen Wochen Monaten
Jahren Ende Anfang Mitte Fall
Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Januar Februar März April Mai Juni Juli August September
Oktober November Dezember
Freunden Kollegen Familie Kindern Eltern Leuten Problemen Regen Sonne Schnee Wetter Bedarf Gelegenheit Wunsch Ihnen
Ihr Ihre Sie Musik Sport
Yoga Pilates Zumba Salsa Tango Judo Karate
Kita Schule Uni Büro Firma Garten Küche Keller Sommer Winter Herbst Frühling Frühjahr Weihnachten Ostern Silvester
"""
NO_GERMAN_NAMES = _NO = frozenset(_NO_WRITTEN.split())
"""Nouns of everyday that are no names, though lists may have them."""
_SMALL_WRITTEN = """
mir dir mich dich ihr ihm ihn ihnen wir sie was wer wie wen wem wo man nun da so dann denn noch nur nach bei mit von aus
ist bin war sind hat habe mal ein eine einen im am zum zur der die das den dem des als auch und oder
"""
GERMAN_SMALL = frozenset(_SMALL_WRITTEN.split())
"""Small words of German that lists of names have as well."""
_TITLES = frozenset(["Dr", "Prof", "Herr", "Herrn", "Frau", "Doktor"])
_MY = r"(?:[Mm]ein|[Uu]nser|[Dd]ein|[Ss]ein|[Ii]hr|[Ee]in|[Dd]e|[Dd]i|[Mm])(?:en|em|er|es|e|r|s)?"
_LIVES = (
    r"(?:[Ww]ohne?[nt]?|[Ll]ebe?[nt]?|[Zz]iehe?[nt]?|umgezogen|[Ff]liege?[nt]?|[Ff]ahre?[nt]?|[Rr]eise[nt]?|gezogen"
    r"|[Uu]rlaub|komme|aufgewachsen|geboren|war|waren|[Aa]rbeite[nt]?|[Ss]tudiere?[nt]?|[Ll]erne?[nt]?|pendle?[nt]?|pendelt"
    r"|[Uu]nterrichte[nt]?|Ausbildung|Praktikum)"
)
_TOWN = (
    r"[A-ZÄÖÜ][a-zäöüß]{1,12}(?:burg|berg|stadt|städt|dorf|hausen|heim|hagen|see|ort|sum|ow|furt|kirchen|bach|feld|tal"
    r"|ingen|stein|haven|münde|rode|leben|bronn|brück|wald|lar|nitz|witz|büttel|stedt|moor|sand)"
)
"""How the names of German towns end; only where no article stands before them."""
_HOUSE = r"[A-ZÄÖÜ]\w+(?:\s(?:do\s|da\s|de\s|del\s|la\s)?[A-ZÄÖÜ]\w+)*"


class _Rule(NamedTuple):
    """A pattern with the name in it, what that names, how much it counts, and how many words the name has at most."""

    pattern: str
    kind: EntityType
    worth: float
    most: int = 2


_RULES = (
    _Rule(rf"\b{_MY}\s(?:\w+e[nr]?\s)?{_KIN},?\s{_TITLED}(?P<name>{_CAP})", PERSON, 1.3),
    _Rule(
        r"\b(?:Herrn?|Frau|Dr\.|Prof\.|Professorin|Professor|Doktor|Tante|Onkel|Oma|Opa)\s"
        rf"(?:(?:Dr\.|Prof\.|Doktor|Professorin|Professor)\s)*(?P<name>{_CAP})",
        PERSON,
        1.2,
    ),
    _Rule(
        r"\b(?:[Ff]irma|[Aa]gentur|[Vv]erein|[Uu]nternehmen|[Ss]tart-?[Uu]p|[Bb]and|[Cc]hor)\s(?:namens|heißt)\s"
        rf"(?P<name>{_CAP})",
        FIRM,
        2.2,
    ),
    _Rule(
        r"\b(?P<name>(?:\w*amt|\w*institut|\w*gesellschaft|\w*hochschule|Universität|Uni|Klinikum|Klinik|Stadtwerke|Stiftung"
        r"|Sparkasse|Volksbank|Diakonie|Collegium|Camerata|Ensemble|Kantorei|Akademie|Ministerium)"
        r"\s(?:für\s|der\s|des\s)?[A-ZÄÖÜ][\wäöüß-]+)",
        FIRM,
        1.2,
        4,
    ),
    _Rule(r"\b(?P<name>[A-ZÄÖÜ][a-zäöüß]+\+[A-ZÄÖÜ][a-zäöüß]+)\b", FIRM, 1.2, 1),
    _Rule(r"(?<!\w)(?P<name>(?:St\.|Sankt)\s[A-ZÄÖÜ][\wäöüß-]+)", FIRM, 1.1, 2),
    _Rule(
        r"\b(?P<name>[A-ZÄÖÜ][a-zäöüß]+-(?:Heim|Haus|Stift|Klinik|Krankenhaus|Schule|Grundschule|Gymnasium))\b",
        FIRM,
        1.1,
        1,
    ),
    _Rule(r"\b(?:nach|aus|in)\s(?P<name>[A-ZÄÖÜ][a-zäöüß]+(?:land|ien|reich|stan))\b", PLACE, 1.0, 1),
    _Rule(rf"\b[Ii]ch (?:heiße|bin(?: der| die)?)\s(?P<name>{_CAP})(?=\s*[.,!]|\s(?:und|aus)\b)", PERSON, 1.2, 3),
    _Rule(rf"\b[Mm]ein Name ist\s(?P<name>{_CAP})", PERSON, 1.2, 3),
    _Rule(rf"\b{_BEARERS},?\s(?:heißt |namens |die |der )(?:jetzt )?(?P<name>{_CAP})", ITEM, 1.5),
    _Rule(rf"\b(?:Hotel|Pension|Restaurant|Café|Dorf|Ort) (?:heißt|namens)\s(?P<name>{_HOUSE})", PLACE, 1.8, 5),
    _Rule(rf"\b{_PETS}\s(?P<name>{_CAP})", ITEM, 1.6, 1),
    _Rule(
        rf"\b{_MALE_PETS}\b[^.!?\n]{{0,40}}[.!,;]\s(?:[Ee]r|[Dd]er)\s(?:\w+\s)?heißt\s(?P<name>{_CAP})", ITEM, 2.0, 1
    ),
    _Rule(
        rf"\b{_FEMALE_PETS}\b[^.!?\n]{{0,40}}[.!,;]\s(?:[Ss]ie|[Dd]ie)\s(?:\w+\s)?heißt\s(?P<name>{_CAP})", ITEM, 2.0, 1
    ),
    _Rule(rf"\b{_MY}\s(?:\w+e[nrs]?\s)?{_PETS},\s(?P<name>{_CAP})(?=[.!)\n]|$|\sund\s)", ITEM, 2.0, 1),
    _Rule(
        r"(?:^|[.!?]\s)(?!Gestern|Heute|Leider|Dann|Jetzt|Letzte|Diese|Am|Im|Vor|Also|Und|Danach|Schließlich|Inzwischen)"
        r"(?P<name>[A-ZÄÖÜ][a-zäöüß]+)\s(?:mussten|musste|haben|hab|habe)\s(?:wir|ich)\s[^.!?\n]{0,40}"
        r"(?:eingeschläfert|einschläfern)",
        ITEM,
        2.0,
        1,
    ),
    _Rule(rf"\b{_BEARERS}\s(?:heißt|namens)\s(?P<name>[a-zäöü][\wäöüß-]{{2,20}})", ITEM, 1.8, 1),
    _Rule(rf"\b[Pp]rojekt\s(?:namens\s)?(?P<name>{_CAP})", EntityType.PROJECT, 1.8, 1),
    _Rule(rf"\b[Kk]inder heißen\s(?P<name>{_CAP})", PERSON, 1.6, 1),
    _Rule(rf"\b[Kk]inder heißen\s[A-ZÄÖÜ]\w+(?:,\s[A-ZÄÖÜ]\w+)?\sund\s(?P<name>{_CAP})", PERSON, 1.6, 1),
    _Rule(rf"\b(?:heißt|namens|genannt)\s(?:jetzt\s|nun\s)?{_TITLED}(?P<name>{_CAP})", PERSON, 1.0),
    _Rule(rf"\b{_WORKS}\b[^.!?\n]{{0,25}}?\s(?:bei|bei der|beim|für)\s(?P<name>{_CAP})", FIRM, 1.3),
    _Rule(r"\b(?:ein|einen|einem|en)\s(?P<name>[A-Z]\w+(?:\s[A-Z]\w+)?\s\d{1,2})\b", ITEM, 1.2, 3),
    _Rule(
        rf"\b(?:fahren?|fahre|fährt|kaufen?|gekauft|leasen)\s(?:wir\s|jetzt\s|nun\s)*(?:einen|ein)\s(?P<name>{_CAP})",
        ITEM,
        1.6,
    ),
    _Rule(rf"\b(?:den|unseren|meinen)\s(?P<name>{_CAP})\s(?:verkauft|verschrottet|abgegeben)\b", ITEM, 1.6, 1),
    _Rule(r"\b[Vv]ertrag (?:mit|bei)\s(?:der\s|dem\s)?(?P<name>[\wäöüß]{4,})\b", FIRM, 1.3, 1),
    _Rule(rf"\b(?:bei|bei der|bei den|bei dem|beim)\s(?P<name>{_CAP})(?=[\s.,!?;)])", FIRM, 0.9, 3),
    _Rule(rf"\b{_LIVES}\b[^.!?\n]{{0,40}}?\s(?:in|nach|aus|von)\s(?P<name>{_CAP})", PLACE, 1.1),
    _Rule(rf"\bvon\s(?P<name>{_CAP})\snach\s[A-ZÄÖÜ]", PLACE, 1.2),
    _Rule(rf"\bvon\s[A-ZÄÖÜ]\w+\snach\s(?P<name>{_CAP})", PLACE, 1.2),
    _Rule(rf"\bnach\s(?P<name>{_CAP})", PLACE, 0.7),
    _Rule(rf"\b(?:in|nach|aus|bei|von|über)\s(?P<name>{_TOWN})\b", PLACE, 1.0),
    _Rule(r"\b(?P<name>[A-ZÄÖÜ][a-zäöüß]+\s[A-Z]{2,4}[- ]?\d{1,5})\b", ITEM, 1.4, 3),
)
_DOING = late(
    r"(?:^|[.!?,]\s|\n)(?P<name>[A-ZÄÖÜ][a-zäöüß]{2,})\s(?:hat|ist|war|kommt|kam|wohnt|arbeitet|geht|ging|macht|will|sagt|meint"
    r"|meinte|hatte|wurde|wird|heißt|lebt|zieht|studiert|spielt|fährt|kann|muss|findet|mag|schreibt|fragt)\b"
)
"""A given name at the beginning of a sentence, with what somebody does behind it."""
_ADJECTIVE = late(
    r"\b(?P<name>[A-ZÄÖÜ][a-zäöüß]+(?:er|en|es|e)\s(?:[A-ZÄÖÜ][a-zäöüß]*)?(?P<head>[Kk]rankenhaus|[Cc]hor|[Oo]rchester"
    r"|[Ss]chule|[Uu]niversität"
    r"|[Vv]erein|[Tt]heater|[Bb]ank|[Vv]erlag|[Aa]kademie|[Mm]useum|[Bb]ahnhof|[Mm]arkt|[Pp]latz|[Aa]llee"
    r"|[Ss]traße|[Gg]asse|[Dd]om|[Ss]ee))\b"
)
_PLACE_HEADS = frozenset({"bahnhof", "markt", "platz", "allee", "straße", "gasse", "dom", "see", "museum"})
_LOWER_KIN = rf"\b{_MY}\s(?:\w+e[nr]?\s)?{_KIN}(?:\sheisst|\sheißt|,)?\s(?P<name>[a-zäöüß]{{3,20}})\b"
_LOWER_PET = (
    rf"\b{_MY}\s(?:\w+e[nr]?\s)?{_PETS}(?P<called>\sheisst|\sheißt|\snamens|,)?\s(?P<name>[a-zäöüß]{{3,20}})\b"
    r"(?P<verb>\s(?:ist|is|war|hat|hatte|wird|wurde|muss|musste|kommt|frisst|schläft|liegt|geht|bellt|jagt)\b)?"
)
_DEPENDENT = late(r"\b(?:weil|dass|wenn|ob|falls|obwohl|da|seit|wie|als|sobald|nachdem)\b[^.,!?]*$")
_LOWER_TITLED = r"\b(?:frau|herrn?)\s(?P<name>[a-zäöüß]{4,20})\b"
_NO_LOWER_WRITTEN = """
essen halle hamm hof regen bühl landau herne hagen wesel see berg haus bad auch hat ist war und mag oder aber noch nur
schon jetzt selbst beide endlich sehr total echt voll mega gerade grad meistens immer oft nie alle gern gerne will
kann soll muss wird sagt fragt hatte nicht immer mich mir dich dir uns sich euch ihr seit
liebe nett jung alt neu gut doch mal eine einen haben sind bin bist krank weg da dort hier aus mit bei von zum zur
wieder leider heute morgen gestern nach vor ohne kommt geht macht wohnt arbeitet heisst heißt spielt schläft mai
"""
_NO_LOWER = frozenset(_NO_LOWER_WRITTEN.split())
_COMPOUND = late(r"\b(?P<name>(?P<first>[A-ZÄÖÜ][\wäöüß]+)-(?P<last>[A-ZÄÖÜ][\wäöüß]+))\b")
_STREET = late(r"\b(?P<name>[A-ZÄÖÜ][\w-]{2,40}?(?:[Ss]traße|strasse|gasse|platz|allee|ufer|hafen))\b")
_NO_STREETS_WRITTEN = """
arbeitsplatz parkplatz liegeplatz spielplatz stellplatz campingplatz sitzplatz studienplatz ausbildungsplatz bauplatz
speicherplatz landstraße hauptstraße sackgasse marktplatz sportplatz tennisplatz flughafen therapieplatz kitaplatz
krippenplatz schlafplatz fußballplatz golfplatz bundesstraße zeltplatz rastplatz ersatzplatz startplatz wohnstraße
einbahnstraße seitenstraße yachthafen
"""
_NO_STREETS = frozenset(_NO_STREETS_WRITTEN.split())
_ACRONYM = late(r"(?<![\w-])(?P<name>[A-ZÄÖÜ]{3,5}(?:\s[A-ZÄÖÜ][a-zäöüß]{3,})?)(?![\w-])")
_BEFORE_ACRONYM = late(r"\b(?:an der|bei der|bei den|beim|im|vom|zum|zur|den|[Dd]ie|von der|das der|bei|als der)\s$")
_SHORT_ACRONYM = late(r"\b(?:[Bb]ei der|[Aa]n der|[Zz]ur|[Vv]on der|[Bb]ei)\s(?P<name>[A-ZÄÖÜ]{2})(?![\w-])")
_FIRM_PAIR = late(r"(?P<name>[A-ZÄÖÜ][\wäöüß]+\s&\s[A-ZÄÖÜ][\wäöüß]+)")
_NO_ADJECTIVES_WRITTEN = """
diese dieser dieses meine meiner unsere unserer seine seiner ihre ihrer eine einer keine keiner jede jeder welche
welcher alle die der neue neuer alte alter große großer kleine kleiner deutsche deutscher gute guter andere anderer
nächste nächster unter über hinter aber
"""
_NO_ADJECTIVES = frozenset(_NO_ADJECTIVES_WRITTEN.split())
_NO_ACRONYM_WRITTEN = """
PC TV OP EU UI IT AI KI AG USB PDF KFZ PKW LKW DVD HTML CSS JSON WLAN LED UHR EUR USD TÜV-Termin
"""
_FUNCTION_WRITTEN = "ich und der das mit nicht ist isch ein eine bei seit für auf hab wir mich den"
_FUNCTION_WORDS = frozenset(_FUNCTION_WRITTEN.split())
_NO_ACRONYM = frozenset(_NO_ACRONYM_WRITTEN.split())


def is_partly_german(page: Page) -> bool:
    """Tell whether a message of another language has words of German between."""
    return sum(token.lower in _FUNCTION_WORDS for token in page.tokens) > 2


def clues_by_german_words(page: Page) -> Iterator[Clue]:
    """Give the names that stand behind words of German."""
    for rule in _RULES:
        for found in compiled(rule.pattern).finditer(page.text):
            yield from _cut(found, rule)
    for before, town in pairwise(page.tokens):
        if before.lower in ("in", "nach", "aus", "ab", "von") and town.is_capital and town.lower in places():
            yield Clue(town.start, town.end, PLACE, 1.5)


def clues_in_german(page: Page) -> Iterator[Clue]:
    """Give the names that words of German point to, and those that are told by their shape."""
    yield from clues_by_german_words(page)
    if page.is_lower:
        yield from clues_in_lower_german(page)
    yield from _by_shape(page)
    yield from _full_names(page)
    yield from _doers(page)
    yield from _compounds(page.text)


def _cut(found: re.Match[str], rule: _Rule) -> Iterator[Clue]:
    """End a name before a noun that is none."""
    words, kept = found["name"].split(" "), 0
    while kept < min(len(words), rule.most) and words[kept].rstrip(".-") not in _NO | _TITLES:
        kept += 1
    if kept:
        name = " ".join(words[:kept]).rstrip("-.&")
        yield Clue(found.start("name"), found.start("name") + len(name), rule.kind, rule.worth)


def _by_shape(page: Page) -> Iterator[Clue]:
    """Give abbreviations, streets, and firms of two partners."""
    text = page.text
    for found in () if page.is_shouted else _ACRONYM.finditer(text):
        if found["name"] not in _NO_ACRONYM:
            led = _BEFORE_ACRONYM.search(text, max(0, found.start() - 12), found.start())
            yield Clue(*found.span("name"), FIRM, 1.0 if led else 0.8)
    for found in () if page.is_shouted else _SHORT_ACRONYM.finditer(text):
        if found["name"] not in _NO_ACRONYM:
            yield Clue(*found.span("name"), FIRM, 1.0)
    for found in _STREET.finditer(text):
        if found["name"].lower() not in _NO_STREETS:
            yield Clue(*found.span("name"), PLACE, 1.0)
    for found in _FIRM_PAIR.finditer(text):
        yield Clue(*found.span("name"), FIRM, 0.9)


def _doers(page: Page) -> Iterator[Clue]:
    """Give the given names that begin a sentence, where what is behind them is said of somebody."""
    for found in _DOING.finditer(page.text):
        is_given = folded(found["name"]) in given_names() and folded(found["name"]) not in places()
        if is_given and found["name"] not in _NO and found["name"].lower() not in GERMAN_SMALL:
            yield Clue(*found.span("name"), PERSON, 1.0)


def _full_names(page: Page) -> Iterator[Clue]:
    """Give what is made of a given name and another word with a capital, where neither begins a sentence."""
    for first, last in pairwise(page.tokens):
        is_pair = last.is_capital and not last.begins and last.start == first.end + 1 and not last.text.isupper()
        if is_pair and first.is_capital and first.lower in given_names() and _may_follow(page, first, last):
            yield Clue(first.start, last.end, PERSON, 1.0 if not first.begins else 0.8)


def _may_follow(page: Page, first: Token, last: Token) -> bool:
    """Tell whether a word may be a family name: no noun of everyday, and no job behind a town ("in Kiel Pastorin")."""
    led = page.text[max(0, first.start - 5) : first.start].lower().split()
    is_town = bool(led) and led[-1] in ("in", "nach", "aus", "bei") and first.lower in places()
    return last.text not in _NO and not is_town


def clues_in_lower_german(page: Page) -> Iterator[Clue]:
    """Give the names that words of German point to where no capitals are written."""
    for found in compiled(_LOWER_KIN).finditer(page.text):
        if folded(found["name"]) in given_names() and found["name"] not in _NO_LOWER:
            yield Clue(*found.span("name"), PERSON, 2.2)
    for found in compiled(_LOWER_PET).finditer(page.text):
        is_given = folded(found["name"]) in given_names()
        is_subject = found["verb"] and not _DEPENDENT.search(page.text, max(0, found.start() - 60), found.start())
        if (is_given or found["called"] not in (None, ",") or is_subject) and found["name"] not in _NO_LOWER:
            yield Clue(*found.span("name"), ITEM, 2.4)
    for found in compiled(_LOWER_TITLED).finditer(page.text):
        if found["name"] not in _NO_LOWER and not found["name"].endswith(("in", "ung")):
            yield Clue(*found.span("name"), PERSON, 1.1)
    for before, town in pairwise(page.tokens):
        is_town = town.lower in places() and town.lower not in _NO_LOWER
        if before.lower in ("in", "nach", "aus", "ab", "von") and is_town:
            yield Clue(town.start, town.end, PLACE, 1.5)


def _compounds(text: str) -> Iterator[Clue]:
    """Give what is named with an adjective ("Kölner Philharmonie") or a hyphen ("Siemens-Ofen")."""
    for found in _ADJECTIVE.finditer(text):
        if found["name"].split()[0].lower() not in _NO_ADJECTIVES:
            yield Clue(*found.span("name"), PLACE if found["head"].lower() in _PLACE_HEADS else FIRM, 1.2)
    for found in _COMPOUND.finditer(text):
        if folded(found["first"]) in well_known():
            yield Clue(*found.span("name"), ITEM, 2.5)
        elif kind := HEADS.get(found["last"].lower()):
            yield Clue(*found.span("name"), kind, 1.0)
