"""The small words that make and end German noun phrases. Pure."""

from __future__ import annotations

from functools import cache

from palace.text.claims.phrases import Grammar

_ARTICLES = (
    "ein eine einen einem einer eines ne nen n nem ner der die das den dem des zwei drei vier fünf sechs beide beiden"
)
_POSSESSIVES = """mein meine meinen meinem meiner meines unser unsere unseren unserem unserer unseres sein seine seinen
seinem seiner ihr ihre ihren ihrem ihrer dein deine deinen"""
_POINTING = (
    "dieser diese dieses diesen diesem jeder jede jedes jeden kein keine keinen keinem alle solche welche welcher"
)
_STOPS = """
in im an am auf aus bei beim mit nach von vom vor zu zum zur für über unter um durch gegen ohne bis seit ab als wie
und oder aber weil denn dass damit wenn ob wo wer was der die das den dem ich du er sie es wir mich dich ihn uns
euch mir dir ihm ihnen sich bin ist sind war waren hat habe hab haben hatte wird werden wurde nicht kein keine mehr
auch noch schon jetzt nun hier dort da so sehr nur immer nie oft gern gerne lieber leider endlich wieder heute
gestern morgen weg statt pro per sondern also ja nein doch mal halt eben etwa circa ca rund knapp neulich kürzlich
damals inzwischen mittlerweile momentan aktuell gerade derzeit selbst allein zusammen gemeinsam ein eine einen los
raus rein extra allergisch verheiratet mitglied gerade endlich übrigens zufällig geboren zusammen liebsten tot
angestellt beschäftigt tätig ausgebildet
"""
_PRAISE = """
neue neuen neuer neues alte alten alter altes kleine kleinen kleines kleiner große großen großes großer schöne
schönen schönes gebrauchte gebrauchtes gebrauchten gebrauchter tolle tolles tollen toller eigene eigenes eigenen
eigener paar günstige günstigen teure teures süße süßen guten gute gutes guter liebe lieber beste besten bester
zweite zweites zweiten zweiter erste erstes ersten erster
"""


@cache
def grammar() -> Grammar:
    """Give the small words of German."""
    written = (_ARTICLES, _POSSESSIVES, _POINTING, _STOPS, _PRAISE)
    return Grammar(*(frozenset(words.split()) for words in written))
