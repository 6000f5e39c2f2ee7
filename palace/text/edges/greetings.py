"""Messages that open and close a conversation whoever talks about whatever. Pure."""

from __future__ import annotations

import re

_MOST_WORDS = 25
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_WORDS = frozenset(
    """
    a about able all am an and any anything are as assist assistance assistant be bye can chat chatbot come could day
    did do doing else evening fine for friend friendly getting glad go going good goodbye goodnight great greetings
    happy have hello help helpful here hey hi how howdy i i'd i'll i'm im in is it just know later let look me meet mind
    morning my need nice night no of ok okay on or please questions ready reach reaching right see should so some
    something soon started sure talk tell thank thanks that there thing things this time to today too up us very want
    was we welcome well were what what's when where will with would yeah yes you you're your ai bot ask tasks
    allo alles aujourd'hui au aussi avec bien bitte bonjour bonsoir comment ça d'accord danke dich dir en für gern gerne
    geht gut guten hallo hei heute hilfe helfen ich ihnen je kann mit moi moin morgen merci nachmittag oui peux pour
    puis quoi revoir s'il salut servus sie tag tschüss tun unterstützen vous abend va wie was wobei womit zu à te
    algo ayudar ayudarle ayudarte buenas buenos cómo de días el estás gracias hola hoy noches por puedo qué tardes
    adeus ajudar bem boa bom ciao como dia obrigado olá posso tudo você ciao come grazie oggi posso aiutarti buongiorno
    hej tack hoi dag kan ik je helpen dank привет здравствуйте как чем могу помочь спасибо
    """.split()  # noqa: SIM905 — read as lines of words
)


def is_greeting(text: str) -> bool:
    """Tell whether a message says nothing but hello, thanks or "how can I help", so that strangers may say the same.

    It may take another short message of everyday words for one; nothing longer.
    """
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and _WORDS.issuperset(words)
