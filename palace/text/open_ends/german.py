"""What German says of what is still to be done, and of what is done."""

from __future__ import annotations

_MIND = r"(?!(?: \w+){0,2} (?:sagen|zugeben|gestehen|wissen|verstehen|denken|sein)\b)"

WHEN = (
    r"\b(?:morgen|übermorgen|heute (?:abend|nachmittag|noch)|später|bald|demnächst|am wochenende|(?:nächste[nrs]?"
    r"|kommende[nrs]?) (?:woche|monat|jahr|mal|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)"
    r"|(?:am|bis(?: zum)?|vor) (?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|ende|\d{1,2}\.)"
    r"|in (?:einer|einem|zwei|drei|\d+) "
    r"(?:stunden?|tage?n?|wochen?|monate?n?))\b"
)

SURE = (
    r"\berinner(?:e|st du)? mich\b(?! nicht)",
    r"\bnicht vergessen\b|\bvergiss nicht\b",
    rf"\b(?:ich|wir) (?:muss|müssen|müsste|müssten|soll|sollte|sollten)(?: \w+){{0,4}} noch\b{_MIND}",
    rf"\b(?:muss|müssen|sollte|sollten) (?:ich|wir)(?: \w+){{0,4}} noch\b{_MIND}",
    r"\b(?:steht|stehen) noch aus\b|\b(?:ist|sind) noch (?:offen|zu erledigen)\b",
    r"\b(?:ich|wir) (?:warte|warten) (?:immer )?noch auf\b",
)

LIKELY = (
    rf"\b(?:ich|wir) (?:muss|müssen|müsste|müssten|sollte|sollten)\b{_MIND}(?! (?:nicht|nie|immer)\b)",
    rf"(?:^|[,;:.!]\s*|\b(?:morgen|heute|dann|bald) )(?:muss|müssen|sollte|sollten) (?:ich|wir)\b{_MIND}",
    r"\b(?:ich|wir) (?:habe|haben) vor\b|\b(?:habe|haben|hab) (?:ich|wir)? ?(?:mir|uns)? ?(?:\w+ ){0,3}vorgenommen\b",
)

TIMED = (
    r"\b(?:ich|wir) (?:will|wollen|werde|werden|möchte|möchten)\b",
    r"\b(?:werde|werden|will|wollen) (?:ich|wir)\b",
)

DONE = (
    r"(?:erledigt|fertig|geschafft|abgeschickt|geschickt|bezahlt|überwiesen|gekauft|bestellt|gebucht|angerufen|gemacht"
    r"|abgesagt|hinfällig|abgeholt|abgegeben|eingereicht|repariert|gelöst|abgehakt|gefunden|geklärt|beantwortet)"
)
NOT_DONE = r"(?:nicht|noch nicht|nie|kein\w*|fast|halb|muss|müssen|sollte|werde|wenn|sobald|bis|bevor)"
