"""Words of writing without spaces, as runs of neighbours: two ideographs or kana, three letters of Thai."""

from __future__ import annotations

from collections.abc import Iterator

from palace.patterns import late

_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u3096\u309d\u309e"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\uff66-\uff9f"
_SOUTHERN = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0eff\u1000-\u109f\u1780-\u17d3"
"""Thai, Lao, Burmese and Khmer: alphabets, of which two letters say little."""

UNSPACED = late(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_SOUTHERN}]+")
_SEGMENT = late(f"[{_HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_SOUTHERN}]+")
_RUN = late(f"[{_HAN}{_HIRAGANA}{_KATAKANA}]+|[{_SOUTHERN}]+")
_ENDING = late(f"[{_HAN}][{_HIRAGANA}]")
_IS_HAN = late(f"[{_HAN}]")
_IS_SOUTHERN = late(f"[{_SOUTHERN}]")

_GRAMMAR = """
です ます まし した して する でし ので のは のが のを から まで より には では とは ない なん どこ いつ だれ どれ なに
ある いる この その あの これ それ ここ そこ だっ った てい いま たい とき こと もの たち さん だろ よう んで んだ
什么 怎么 哪里 哪儿 我的 你的 我们 你们 他们 这个 那个 是的 没有 为什 时候 多少 怎样 甚麼 什麼 怎麼 哪裡 我們 這個
อะไ ะไร ที่ ไหน เมื มื่ ื่อ และ ของ องฉ งฉั ฉัน เป็ ป็น ได้ ไม่ ว่า ให้ กับ ใคร เท่ ท่า ่าไ าไห
"""
_FUNCTION = frozenset(_GRAMMAR.split()) | frozenset("的了是在我你他她它们吗呢吧和也都就不有这那个何誰私")
"""Grammar, of which a question is full; it is found in passages, but a question's are not looked for."""


def grams_of(text: str) -> Iterator[str]:
    """Give the runs that a text is found by, in order and as often as they stand there.

    Every two neighbouring ideographs or kana, each ideograph alone, every three neighbouring letters of an alphabet
    without spaces; what is shorter than that, whole. At most two for each character.
    """
    for run in _RUN.finditer(text):
        yield from _grams(run[0])
        yield from (character for character in run[0] if _IS_HAN.match(character) and len(run[0]) > 1)


def grams_asked(text: str) -> list[str]:
    """List the runs that a question is made of, each once, less its grammar; all of them where nothing is left.

    Where the script changes a word ends: no run of a question spans ideographs and the kana behind them, which are
    their ending.
    """
    segments = [(run[0], bool(_ENDING.match(text, max(run.start() - 1, 0)))) for run in _SEGMENT.finditer(text)]
    grams = list(dict.fromkeys(gram for segment, _ in segments for gram in _grams(segment)))
    telling = [gram for segment, is_ending in segments if not is_ending for gram in _grams(segment)]
    telling = [gram for gram in dict.fromkeys(telling) if gram not in _FUNCTION and not _is_one_kana(gram)]
    return telling or grams


def without_unspaced(text: str) -> str:
    """Take such writing out of a text: to the parser each run of it is one word."""
    return UNSPACED.sub(" ", text)


def _is_one_kana(gram: str) -> bool:
    return len(gram) == 1 and not _IS_HAN.match(gram)


def _grams(run: str) -> Iterator[str]:
    size = 3 if _IS_SOUTHERN.match(run) else 2
    if len(run) <= size:
        yield run
    else:
        yield from (run[place : place + size] for place in range(len(run) - size + 1))
