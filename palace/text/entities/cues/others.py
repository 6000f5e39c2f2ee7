"""Words of French, Spanish, Italian, Portuguese, Dutch and Russian that stand before a name and say what it names."""

from __future__ import annotations

from collections.abc import Iterator

from palace.records.graph import EntityType
from palace.text.entities.cues.names import compiled

_KIN = {
    "fr": "s[œo]e?ur fille femme mère cousine tante copine voisine collègue cheffe frère fils mari père cousin oncle"
    " copain ami voisin chef",
    "es": "hermana hermano hija hijo mujer marido madre padre prima primo tía tío amiga amigo jefa jefe novia novio"
    " vecina vecino",
    "it": "sorella fratello figlia figlio moglie marito zia zio cugina cugino amica amico",
    "pt": "irmã irmão filha filho mulher marido mãe pai tia tio prima primo amiga amigo chefe",
    "nl": "zus broer dochter zoon vrouw man moeder vader tante oom nicht neef vriend vriendin baas",
    "ru": "сестра брат дочь сын жена муж мама папа подруга друг соседка коллега начальник тётя дядя",
}
_PERSON = {
    "fr": "madame|monsieur|mme|docteur|dr|avec",
    "es": "señora?|don|doña|doctora?|con",
    "it": "signora?|dottor|dottoressa|con",
    "pt": "senhora?|dona|doutora?|com",
    "nl": "meneer|mevrouw|meester|juf|dokter|met",
    "ru": "с|со|у|начальник там",
}
_PLACE = {
    "fr": r"à|en|depuis|jusqu à|vers|près de|ville de|rue|place|garagiste de|de",
    "es": r"en|desde|hasta|hacia|cerca de|calle|plaza|a|de",
    "it": r"a|di|da|verso|sopra|sotto|vicino a|via|piazza",
    "pt": r"em|para|até|perto de|rua|praça|de",
    "nl": r"in|naar|uit|bij|vanuit|tot",
    "ru": r"в|во|на|из|до|под|около|через",
}
_FIRM = {"fr": r"chez|cabinet|société|labo|club", "es": r"empresa", "it": r"presso|ditta", "nl": r"bedrijf|firma"}
_TABLES = ((_PERSON, EntityType.PERSON, 0.9), (_PLACE, EntityType.PLACE, 0.7), (_FIRM, EntityType.ORGANISATION, 1.0))
_REACH = 24


def types_before(language: str, text: str, start: int) -> Iterator[tuple[EntityType, float]]:
    """Say what the words before a name speak for, in a language of the tables; nothing in others."""
    before = text[max(0, start - _REACH) : start].lower()
    for table, kind, worth in _TABLES:
        if (words := table.get(language)) and compiled(rf"(?<!\w)(?:{words})\s$").search(before):
            yield kind, worth
    if (kin := _KIN.get(language)) and compiled(rf"(?<!\w)(?:{kin.replace(' ', '|')}),?\s$").search(before):
        yield EntityType.PERSON, 0.9
