"""Whether a message points back at what was said or kept before, in English, German or French. Pure."""

from __future__ import annotations

from palace.patterns import late

_SAID = r"(?:said|told|mentioned|suggested|recommended|proposed|explained|gave|showed|wrote|promised|meant|sent)"
_ENGLISH = (
    r"(?:as|like|what|which|that|the one|thing|things|stuff) (?:was |were )?(?:you |already |just )?(?:said"
    r"|mentioned|agreed|discussed|decided|told)"
    rf"|you (?:already |just |once |had |have )*{_SAID}|(?:did|had|have|haven't|didn't|were|was) you"
    r"|you were (?:saying|telling)"
    r"|remember\w*|remind\w*|recall|forgot(?:ten)?|left off|pick up (?:where|from)|back to (?:the|that|those)"
    r"|last (?:time|chat|conversation|session|week|month|year|night|spring|summer|autumn|winter|monday|tuesday"
    r"|wednesday"
    r"|thursday|friday|saturday|sunday|one)|(?:the )?other (?:day|night|week)|yesterday|earlier|recently|lately"
    r"|(?:the )?same (?:as|one|thing|again)\b.*|as (?:usual|before|always|ever|planned|agreed|discussed)|the usual"
    r"|previous\w*"
    r"|(?:that|those|these) [\w ]{1,30}? (?:again|from before)|once more|so far|up to now|agreed|discussed"
    r"|talked about|spoke about"
    r"|decided|notes?|diary|journal|calendar|to-?dos?|to-do list|history|memory|memories|memor(?:y|ies)"
)
_GERMAN = (
    r"wie (?:gesagt|immer|ublich|damals|besprochen|vereinbart|vorhin|abgemacht|geplant|letztes|beim letzten|gehabt"
    r"|vorher)"
    r"|wei(?:ss|s)t du (?:noch|wo|wann|wer|wen|wem)|erinner\w*|letzte[snrm]? (?:mal|woche|jahr|monat|nacht|montag"
    r"|dienstag|mittwoch"
    r"|donnerstag|freitag|samstag|sonntag|sommer|winter|gesprach)|letztens|neulich|kurzlich|gestern|vorgestern"
    r"|vorhin|vorher"
    r"|fruher|damals|bisher|(?:das|die|der) ?gleiche\w?|(?:das|die|der)selbe\w?|aufgehort|weitermachen|da weiter"
    r"|(?:hast|hattest|warst|sagtest|meintest|wolltest) du|du (?:hast|hattest|sagtest|meintest|wolltest|warst)"
    r"|zuruck zu\w?|noch ?mals?|noch gleich|wieder zu\w?|ausgemacht|besprochen|vereinbart|abgemacht|beschlossen"
    r"|entschieden"
    r"|erwahnt|notiz\w*|kalender|tagebuch|merk\w*|vergessen|verlauf|gedachtnis"
)
_FRENCH = (
    r"comme (?:dit|convenu|prevu|avant|d'habitude|toujours|la derniere|l'autre|discute|decide)|comme je"
    r"|tu te (?:souviens|rappelles)"
    r"|te (?:souviens|rappelles)-tu|souviens\w*|souvenez|rappel\w*|la derniere fois|derniere fois|l'autre (?:fois"
    r"|jour|soir)"
    r"|la meme chose|le meme|la meme|d'habitude|tu (?:as|avais|m'as|m'avais|disais|etais|nous)|(?:as|avais|etais"
    r"|disais)-tu"
    r"|vous (?:avez|aviez)|(?:semaine|annee|nuit|session) derniere|(?:mois|ete|hiver|an|week-end) dernier|hier"
    r"|avant-hier|revenons|retour (?:au|a la|sur)"
    r"|repren(?:d|ons|ds)\w*|arretes?|deja|precedent\w*|convenu|evoque\w?|discute\w?|decide\w?|notes?|agenda"
    r"|journal|calendrier"
    r"|recemment|auparavant|tout a l'heure|tantot|oublie\w?|souvenirs?|memoire"
)
_BACK = late(rf"(?<![\w'])(?:{_ENGLISH}|{_GERMAN}|{_FRENCH})(?!\w)")


def points_back(text: str) -> bool:
    """Tell whether a folded text points at what was said or noted before ("as I said", "wie letztes Mal")."""
    return bool(_BACK.search(text))
