"""German: "Wo arbeitet die Nutzerin?" becomes "Wo arbeite ich?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.patterns import late
from palace.text.asked.names import PERSON, mark_names

_P = PERSON
_TELLING = r"\b(?:[Ss]age?|[Ee]rzähle?|[Zz]eige?|[Gg]ib|[Nn]enne?|[Ee]rinnere|[Hh]ilf)\s+(?:mir|mich)\b"
"""Said to the one who looks, who need not be the person."""
_FIRST = late(r"\b(?:[Ii]ch|[Mm]ir|[Mm]ich|[Mm]eine?[mnrs]?|[Ww]ir|[Uu]ns|[Uu]nser(?:e[mnrs]?)?)\b")

_END = r"(?![\w@/*_:-]|['’]|\.\w|\()"
_MAN = r"(?:Nutzer|Benutzer|Anwender|User)"
_WOMAN = r"(?:(?:Be)?[Nn]utzerin|Anwenderin|Userin)"
_NOUN = r"[A-ZÄÖÜ][\w-]+"
_DATIVE = r"(?:bei|mit|von|zu|aus|seit|nach|gegenüber|an|auf|in|vor|hinter|neben|zwischen|außer)"
_ACCUSATIVE = r"(?:für|gegen|ohne|um|durch|über)"
_THING = (
    r"\b(?P<article>[Dd]e[rmns]|[Dd]ie|[Dd]as|[Bb]eim|[Ii]m|[Aa]m|[Zz]u[mr]|[Vv]om|[Ii]ns|[Aa]ns)\s+"
    rf"(?P<adjective>[a-zäöüß]+e[nrms]?\s+)?(?P<noun>{_NOUN})\s+"
)
_MEIN = {"der": "meiner", "die": "meine", "das": "mein", "dem": "meinem", "den": "meinen", "des": "meines"}
_CONTRACTED = {"beim": "bei meinem", "im": "in meinem", "am": "an meinem", "zum": "zu meinem", "vom": "von meinem",
               "zur": "zu meiner", "ins": "in mein", "ans": "an mein"}  # fmt: skip
_ASKING = r"(?:wo|wer|wen|wem|wie|was|wann|warum|wessen|woher|wohin|wo(?:r)?\w{2,5})"

_IRREGULAR = {
    "ist": "bin", "hat": "habe", "wird": "werde", "isst": "esse", "liest": "lese", "fährt": "fahre", "trägt": "trage",
    "schläft": "schlafe", "läuft": "laufe", "hält": "halte", "lässt": "lasse", "nimmt": "nehme", "spricht": "spreche",
    "gibt": "gebe", "sieht": "sehe", "hilft": "helfe", "trifft": "treffe", "wäscht": "wasche", "vergisst": "vergesse",
    "verlässt": "verlasse", "empfiehlt": "empfehle", "wirft": "werfe", "stirbt": "sterbe", "bricht": "breche",
    "fängt": "fange", "lädt": "lade", "rät": "rate", "brät": "brate", "tritt": "trete", "vertritt": "vertrete",
    "gefällt": "gefalle", "behält": "behalte", "erhält": "erhalte", "verträgt": "vertrage", "backt": "backe",
    "sammelt": "sammle", "bastelt": "bastle", "wandert": "wandere", "tut": "tue", "unternimmt": "unternehme",
    "hasst": "hasse", "misst": "messe", "frisst": "fresse", "bäckt": "backe", "schlägt": "schlage", "wächst": "wachse",
}  # fmt: skip
_SAME_WRITTEN = """
kann will soll muss darf mag weiß war hatte wurde möchte
"""
_SAME = frozenset(_SAME_WRITTEN.split())
_NO_VERBS_WRITTEN = """
mit seit nicht jetzt oft statt fast erst sonst selbst zuerst zuletzt meist meistens dort gut nachts bereits samt laut
wort derzeit zurzeit überhaupt leicht vielleicht damit somit womit insgesamt gesamt
"""
_NO_VERBS = frozenset(_NO_VERBS_WRITTEN.split())
_OPENING_WRITTEN = """
was wer wen wem wo wie wann warum wessen woher wohin womit wovor woran worin welche welcher welches welchen welchem
hat ist war kann will soll muss darf mag wird wurde hatte bei mit von zu aus für gegen ohne seit als wenn ob und oder
in an auf über nenne beschreibe erzähl
"""
_OPENING = frozenset(_OPENING_WRITTEN.split())

_PEOPLE = late(
    r"\b(?:Frau|Herr\w*|Mann|Sohn|Söhne|Tochter|Töchter|Kind\w*|Mutter|Vater|Eltern|Bruder|Brüder|Schwester\w*|Geschwister"
    r"|Oma|Opa|Groß\w+|Tante|Onkel|Cousin\w*|Nichte\w*|Neffe\w*|Freund\w*|Kolleg\w*|Chef\w*|Nachbar\w*|Partner\w*"
    r"|Schwieger\w+|Enkel\w*|Familie|Team|Leute|Kund\w+|Ärztin|Arzt|Lehrer\w*|Mieter\w*|Vermieter\w*|Hund|Katze)\b"
)
_ASKED_FOR = late(
    rf"\b(?:[Ww]elche[mnrs]?|[Ww]ie\s+viele?|[Ww]as\s+für(?:\s+eine?[mnr]?)?)\s+(?:[a-zäöüß]+e[mnrs]?\s+)?{_NOUN}"
)
_PRONOUN = late(
    rf"\b(?P<owned>ihre[mnrs]?|seine[mnrs]?|(?:ihr|sein)(?=\s+(?:[a-zäöüß]+(?:e[mnrs]?)\s+)?{_NOUN}))\b"
    r"|\b(?P<sie>sie|er)\b|\b(?P<ihm>ihm|ihr)\b|\b(?P<ihn>ihn)\b"
)
_PAST = "machte|ging|kam|ließ|lag|sah|fand|bekam|trug|hieß|schrieb"
_SINGULAR = rf"(?:{'|'.join([*_IRREGULAR, *sorted(_SAME)])}|[a-zäöüß]+(?<!s)t|[a-zäöüß]+te|[a-zäöüß]+st|{_PAST})"
"""A verb of one who is not "I", nor "you"."""
_FOR_ONE = late(r"\b(?:man|schmeckt|gefällt|gehört|fehlt|passt|hilft|steht)\b")
"""Beside "ihr": she, to whom something is; without, it may be all of you ("Wo wohnt ihr?")."""


def rewrite(text: str, names: Sequence[str]) -> str:
    """Put what is said of the person into the first person; the same text where it is about nobody, or says "ich"."""
    if _FIRST.search(re.sub(_TELLING, "", text)):
        return text
    marked = _mark_users(text)
    marked = mark_names(marked, names, _OPENING, r"s(?=\s+[^\W\d_])|['’](?=\s)")
    marked = _mark_pronouns(marked, is_mentioned=marked != text)
    return text if marked == text else _spoken(marked)


def _mark_users(text: str) -> str:
    """Write ``PERSON`` for "der Nutzer" and "die Nutzerin"; the other cases as they are in the first person."""
    text = re.sub(rf"{_THING}(?:des\s+{_MAN}s|der\s+{_WOMAN}){_END}", _owned, text)
    text = re.sub(rf"({_NOUN})\s+(?:des\s+{_MAN}s|der\s+{_WOMAN}){_END}", _of_me, text)
    text = re.sub(rf"\b[Dd](?:em\s+{_MAN}|er\s+{_WOMAN}){_END}", _dative, text)
    text = re.sub(rf"\b[Dd]en\s+{_MAN}{_END}", "mich", text)
    text = re.sub(rf"\b({_ACCUSATIVE})\s+die\s+{_WOMAN}{_END}", r"\1 mich", text)
    text = re.sub(rf"(?<![A-ZÄÖÜ])\b(?:[Dd](?:er|ieser)\s+{_MAN}|[Dd]ie(?:se)?\s+{_WOMAN}){_END}", _subject, text)
    return text


def _owned(found: re.Match[str]) -> str:
    """Write "mein Hund" for "der Hund der Nutzerin"."""
    article, adjective = found["article"].lower(), found["adjective"] or ""
    before = found.string[: found.start()]
    mine = _CONTRACTED.get(article) or _MEIN[article]
    if article == "der" and not re.search(rf"\b(?:{_DATIVE}|{_NOUN})\s+$", before):
        mine = "mein"
    if mine == "mein":
        adjective = re.sub(r"e(?=\s+$)", "es" if article == "das" else "er", adjective)
    return _cased(f"{mine} {adjective}{found['noun']}", found[0])


def _of_me(found: re.Match[str]) -> str:
    # At the beginning a verb has a capital too: "Gehört der Nutzerin ein Boot?"
    is_verb = found.start() == 0 and re.fullmatch(_SINGULAR, found[1].lower())
    return f"{found[1]} {'mir' if is_verb else 'von mir'}"


def _dative(found: re.Match[str]) -> str:
    return _cased("mir", found[0])


def _subject(found: re.Match[str]) -> str:
    # Many of them: "die Anzahl der Nutzer".
    is_genitive = "ieser" not in found[0] and re.search(rf"{_NOUN}\s+$", found.string[: found.start()])
    if is_genitive and found[0].startswith("der"):
        opens = re.fullmatch(rf"\s*{_NOUN}\s+", found.string[: found.start()])
        return _P if opens else found[0]
    return _P


def _mark_pronouns(text: str, *, is_mentioned: bool) -> str:
    return _PRONOUN.sub(lambda found: _marked(found, is_mentioned=is_mentioned), text)


def _marked(found: re.Match[str], *, is_mentioned: bool) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    if _is_of_others(before, genitive=found[0] in {"ihrer", "ihres", "seiner", "seines"}, is_mentioned=is_mentioned):
        return found[0]
    if found["owned"]:
        return re.sub("^(?:ihr|sein)", "mein", found[0])
    if found["ihn"] or re.search(rf"\b{_ACCUSATIVE}\s+$", before):
        return found[0] if found[0] == "er" else "mich"
    if found["ihm"]:
        is_open = found[0] == "ihr" and not is_mentioned and re.search(r"[a-zäöüß]t\s+$", before)
        return found[0] if is_open and not _FOR_ONE.search(before) else "mir"
    return _P if _is_subject(before, after, is_mentioned=is_mentioned) else found[0]


def _is_subject(before: str, after: str, *, is_mentioned: bool) -> bool:
    """Whether "sie" or "er" is one who does something: a verb of one stands before it, or ends the clause."""
    if is_mentioned and re.search(r"[,;]|\bund\b", before):
        return False
    last = rf"\s+(?:[^,.?!]*\s)?{_SINGULAR}\s*(?:[,.?!]|$)"
    return bool(re.search(rf"\b{_SINGULAR}\s+$", before, re.IGNORECASE) or re.match(last, after))


def _is_of_others(before: str, *, genitive: bool, is_mentioned: bool) -> bool:
    """Whether somebody, or something, stands before a pronoun that may be meant by it."""
    without = _ASKED_FOR.sub(lambda found: found[0] if _PEOPLE.search(found[0]) else " ", before)
    if genitive:
        without = re.sub(rf"\b(?:der|die|das|dem|den)\s+{_NOUN}\s+$", " ", without)
    if is_mentioned:
        return bool(_PEOPLE.search(without))
    return bool(re.search(rf"(?<=\S)\s+{_NOUN}", without))


def _spoken(text: str) -> str:
    """Write the first person where ``PERSON`` stands, and the verbs beside it as it wants them."""
    text = re.sub(rf"{_P}'s(?:\s+({_NOUN}))?", _possessive, text)
    text = re.sub(rf"{_THING}von\s+{_P}", _owned, text)
    text = re.sub(rf"\b({_DATIVE}\s+){_P}", r"\1mir", text, flags=re.IGNORECASE)
    text = re.sub(rf"\b({_ACCUSATIVE}\s+){_P}", r"\1mich", text, flags=re.IGNORECASE)
    alone = rf"{_P}(?!\s+(?:und|oder)\b)"
    text = re.sub(rf"\b([A-Za-zÄÖÜäöüß]+)((?:\s+sich)?\s+){alone}", _inverted, text)
    if _P in text:
        text = re.sub(rf"{alone}(\s+)([a-zäöüß]+)\b(?P<rest>[^,.?!;]*)", _followed, text)
    text = re.sub(rf"(^|[.?!]\s+){_P}", r"\1Ich", text).replace(_P, "ich")
    return re.sub(r"\b([Ii]ch\s+)sich\b", r"\1mich", text)


def _possessive(found: re.Match[str]) -> str:
    noun, before = found[1], found.string[: found.start()]
    is_feminine = bool(noun) and bool(
        re.search(r"(?:in|ung|heit|keit|schaft|ei|ät|ion|e)$|^(?:Mutter|Tochter|Schwester|Frau|Oma|Größe)$", noun)
    )
    if re.search(rf"\b{_DATIVE}\s+$", before, re.IGNORECASE):
        word = "meiner" if is_feminine else "meinem"
    else:
        word = "meine" if is_feminine else "mein"
    if not before.strip():
        word = word.capitalize()
    return f"{word} {noun}" if noun else word


def _inverted(found: re.Match[str]) -> str:
    """Write "ich" behind the verb, in its form; where no verb stands there, what stands behind is looked at."""
    spoken = _first(found[1])
    if spoken is None:
        return found[0]
    return f"{spoken} ich mich" if "sich" in found[2] else f"{spoken}{found[2]}ich"


def _followed(found: re.Match[str]) -> str:
    """Write "ich" before its verb: the next word, or in a clause behind a word of asking the last one."""
    spoken = None if found[2].startswith("ge") else _first(found[2])
    if spoken is not None:
        return f"ich{found[1]}{spoken}{found['rest']}"
    last = re.search(r"([a-zäöüß]+)(\s*)$", found["rest"])
    ending = _first(last[1]) if last else None
    if last is None or ending is None:
        return found[0]
    return f"ich{found[1]}{found[2]}{found['rest'][: last.start()]}{ending}{last[2]}"


def _first(verb: str) -> str | None:
    """Give a verb's first person for its third, in the present; the past has one form for both. None for no verb."""
    plain = verb.lower()
    if plain in _IRREGULAR:
        return _cased(_IRREGULAR[plain], verb)
    if plain in _SAME or plain.endswith(("te", "ging", "kam", "ließ", "lag", "sah", "fand")):
        return verb
    if plain in _NO_VERBS or not plain.endswith("t") or len(plain) < 3:
        return None
    stem = verb[:-2] if plain.endswith(("tet", "det", "chnet", "ffnet", "gnet", "tmet")) else verb[:-1]
    return f"{stem}e"


def _cased(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
