"""Given names and what they are shortened to: Robert and Bob, Alexander and Sascha. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from palace.text.entities.lists.lexicon import nicknames

_GERMAN_WRITTEN = """
alexander:sascha,alex alexandra:sascha,alex,sandra andreas:andi,andy angelika:geli barbara:babs,bärbel
christian:chris christina:tina christine:tine dominik:domi elisabeth:lisa,elli,liesl,sissi,lisbeth ferdinand:ferdi
florian:flo franziska:franzi,sissi friedrich:fritz,fiete gabriele:gabi georg:schorsch gerhard:gerd gottfried:friedl
heinrich:heiner,heinz,hein johannes:hannes,jo,hans josef:sepp,jupp joachim:jochen,achim katharina:kathi,kati
klaus:klausi konstantin:kosta,konsti leonard:leo leonhard:leo,hardy ludwig:lutz,wiggerl magdalena:lena,leni
manfred:manni margarete:grete,gretel,greta maximilian:max,maxi matthias:matze,hias,matthi michael:michi,micha,michel
nikolaus:klaus,niko patrick:paddy rebecca:becky rudolf:rudi,rolf sebastian:basti,wastl siegfried:siggi stefan:steff
stefanie:steffi susanne:susi,sanne theresa:resi,resa thomas:tommi,tom ulrich:uli,ulli ulrike:uli,rike ursula:uschi,ulla
valentin:vali veronika:vroni vincent:vinz waltraud:traudl wilhelm:willi,willy wolfgang:wolf,wolle
"""


def are_of_one_name(one: str, other: str) -> bool:
    """Tell whether two folded names differ in nothing but that one has a given name shortened: "bob hughes"."""
    words, others = one.split(), other.split()
    if not words or words == others or words[1:] != others[1:]:
        return False
    first, second = words[0], others[0]
    return second in _shortened().get(first, ()) or first in _shortened().get(second, ())


def shortened(folded: str) -> frozenset[str]:
    """List a folded name with its given name shortened."""
    first, _, rest = folded.partition(" ")
    return frozenset(f"{short} {rest}".rstrip() for short in _shortened().get(first, ()))


@cache
def _shortened() -> Mapping[str, frozenset[str]]:
    known = {name: set(short) for name, short in nicknames().items()}
    for name, _, short in (each.partition(":") for each in _GERMAN_WRITTEN.replace("ä", "a").split()):
        known.setdefault(name, set()).update(short.split(","))
    return {name: frozenset(short) for name, short in known.items()}
