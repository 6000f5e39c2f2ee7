"""Whether a sentence speaks of "the boat": a thing that whoever listens must know already. Pure.

What everybody knows is no such thing: the sky, the French revolution, "the capital of Peru".
"""

from __future__ import annotations

import re

from palace.patterns import late
from palace.text.entities.lists.lexicon import places
from palace.turns.gate.knowledge import is_of_all
from palace.turns.reading.window import fold

_WORLD_WORDS = """
world universe earth sun moon sky sea ocean stars planet planets solar galaxy milky atmosphere equator internet web
economy stock brain heart liver kidneys lungs stomach skin blood human body immune nervous digestive respiratory roman
greek ottoman british french german american russian chinese industrial cold civil big black middle bronze iron stone
ice great eiffel berlin nile amazon alps himalayas sahara pyramids colosseum titanic mona bible quran renaissance
reformation enlightenment holocaust crusades vikings romans greeks egyptians aztecs mayas dinosaurs periodic second
first third fourth law laws theory theorem principle speed difference differences meaning definition capital
population word words phrase term sentence following number numbers letter letters alphabet past present future verb
noun plural netherlands united philippines usa uk eu un nato bahamas maldives vatican president king queen pope prime
constitution average median mean sum product root derivative integral area volume circumference hypotenuse value
equation formula same opposite largest longest tallest highest deepest fastest smallest oldest youngest biggest
greatest heaviest lightest shortest richest coldest hottest wind rain grass water air weather temperature wheel
telephone phone radio printing steam light electron proton atom nucleus cell olympics olympic nobel oscar pythagorean
atlantic pacific mediterranean arctic antarctic north south east west northern southern
"""
_WORLD = frozenset(_WORLD_WORDS.split())
_TECHNICAL_WORDS = """
code function list array string output input bug error following number numbers query table column columns row rows
file files element elements index loop method class variable result results value values key keys keyword operator
type types command syntax script page div button text image user users browser server client request response header
body first last nth second same current max maximum min minimum sum average median terminal console database
difference largest smallest longest shortest stack heap queue tree node nodes graph dom path directory process thread
object property module package import library standard context event state root duplicates words characters lines
length time space
"""
_TECHNICAL = frozenset(_TECHNICAL_WORDS.split())
_THE = late(r"(?<![\w'])the (?=([\w'-]+)(?: ([\w'-]+))?(?: ([\w'-]+))?)")
_TITLE = late(r"\b[Tt]he ([A-Z]\w+ [A-Z]\w+)")
_DER = late(
    r"(?<![\w'])(?:der|die|das|den|dem|im|am|zum|zur|vom|beim|ins) (?!(?:ein|sich|man|ist|sind|er|es|sie|ich"
    r"|beste)\w{0,2}\b)"
    r"((?:\w+(?:e|en|er|es|ste|sten) )?)([\w-]+)(?: ([\w-]+))?"
)
_LE = late(r"(?<![\w'])(?:(?:le|la) |l')(?!plus\b|moins\b)([\w-]+)(?: ([\w'-]+))?")
_FRENCH_TITLE = late(r"\b(?:[Ll]e |[Ll]a |[Dd]u |[Aa]u |[Ll]')(?:\w+ )?([A-Z\u00c0-\u00dd]\w+)")
_ABSTRACT = late(
    r"\w*(?:tion|ismus|itat|logie|these|kraft|effekt|theorie|gesetz|theorem|nomie|metrie|grafie|graphie|physik"
    r"|chemie|wetter"
    r"|jahr|isme|synthese|quantique|physique|chimie|genetique|relativite|democratie|entropie|inflation|osmose"
    r"|mitose|formel"
    r"|wert|zahl|anol|[mtcln]ium|ogen|oxid|oxyde|saure)"
    r"|text\w*|texte|satz|sat(?:ze|zes)|phrase|wort|worte|woerter|mot|absatz|paragraphe|alphabet|folgende\w*"
    r"|suivante?"
    r"|(?:fruhling|sommer|herbst|winter)s?|printemps|ete|automne|hiver|englische|deutsche|franzosische|spanische"
    r"|italienische"
    r"|anglais|allemand|francais|espagnol|italien|\w{3,}ische[ns]?|merkur|venus|mars|jupiter|saturn|uranus|neptun"
    r"|pluto|saturne"
)
"""Abstract and scientific nouns, substances, seasons, languages and planets: what nobody owns."""
_GENITIVE = late(r"(?:von|des|der|zwischen|de|du|d'\w+|entre)")


def speaks_of_the_known(own: str, raw: str, *, is_technical: bool = False) -> bool:
    """Tell whether folded sentences speak of a thing that must be known; ``raw`` is the message as it was written."""
    for title in _TITLE.findall(raw):
        own = own.replace(f"the {fold(title)}", " ")
    for title in _FRENCH_TITLE.findall(raw):
        own = own.replace(fold(title), "monde")
    if any(not _is_common(found, is_technical=is_technical) for found in _THE.finditer(own)):
        return True
    if is_technical:
        return False
    return any(not _is_common_in_german(found) for found in _DER.finditer(own)) or any(
        not _is_common_in_french(found) for found in _LE.finditer(own)
    )


def _is_common(match: re.Match[str], *, is_technical: bool) -> bool:
    words = [word.removesuffix("'s") for word in match.groups() if word]
    if any(word in _WORLD or (is_technical and word in _TECHNICAL) for word in words[:2]):
        return True
    return "of" in words[1:] or words[0] in places()


def _is_common_in_german(match: re.Match[str]) -> bool:
    described, noun, behind = match.groups()
    if (
        described.rstrip().endswith(("ste", "sten"))
        or _is_of_all(noun)
        or (described and _is_of_all(described.strip()))
    ):
        return True
    return noun in places() or bool(behind and _GENITIVE.fullmatch(behind))


def _is_common_in_french(match: re.Match[str]) -> bool:
    noun, behind = match.groups()
    if _is_of_all(noun) or noun in places() or (behind and _is_of_all(behind)):
        return True
    return bool(behind and _GENITIVE.match(behind))


def _is_of_all(noun: str) -> bool:
    return is_of_all(noun) or bool(_ABSTRACT.fullmatch(noun))
