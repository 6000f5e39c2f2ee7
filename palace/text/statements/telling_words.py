"""The words of a sentence that tell something: no function words of English or German, no words of everyday talk."""

from __future__ import annotations

from palace.text.stopwords import TALK_WORDS
from palace.text.words import WORD, fold, prose, says_something

_GERMAN = frozenset(
    """
    aber alle allem allen aller alles als also am an ander andere anderen andern auch auf aus bei beim bin bis
    bist bitte da dabei dafür damit danach dann daran darauf darf das dass dein deine dem den denn der des dich
    die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einfach
    er es etwas euch eure für gab ganz gar geht gerade gern gerne gibt ging gut habe haben hab hat hatte hatten
    hier hin ich ihm ihn ihnen ihr ihre ihren im immer in ins ist ja jede jeder jedes jetzt kann kannst kein
    keine keinen können könnte könnten mal man mein meine meinem meinen meiner mich mir mit muss musst müssen
    müsste nach nein nicht nichts noch nun nur ob oder ohne okay schon sehr sein seine seinen sich sie sind so
    soll sollen sollte sollten sondern um und uns unser unsere unter viel vom von vor wann war waren warum was
    weil weiter welche welcher welches wem wen wenn wer werde werden wie wieder will wir wird wirst wo wollen
    wollte worden wurde wurden während würde würden zu zum zur zwar zwei über danke hallo moin heute morgen
    gestern vielleicht wirklich eigentlich halt eben möchte möchten finde glaube denke weiß mach mache machen
    """.split()  # noqa: SIM905 — read as lines of words
)

_NO_PROSE = frozenset("`<@/")
"""Signs without which a sentence holds no code, address, markup or path."""


def telling_words(sentence: str) -> frozenset[str]:
    """Give the folded words of a sentence that tell something; none of greetings, thanks and other talk.

    >>> sorted(telling_words("Thanks, that sounds great! The mast is bent."))
    ['bent', 'mast']
    """
    text = sentence if _NO_PROSE.isdisjoint(sentence) and "www." not in sentence else prose(sentence)
    folded = (fold(word) for word in WORD.findall(text) if says_something(word))
    return frozenset(word for word in folded if word not in TALK_WORDS and word not in _GERMAN and word not in _TALK)


_TALK = frozenset(map(fold, TALK_WORDS))
