"""What English says of what is still to be done, and of what is done."""

from __future__ import annotations

_BEGINS = r"(?:^|[,;:.!–—(-]\s*|\b(?:and|but|so|then|also|today|tomorrow|tonight|still|note|oh|ok|okay)\s+)"
"""Where a clause begins that is said outright; not behind "if", "that" or "what"."""

_ADVERBS = r"(?: (?:still|really|also|just|definitely|probably|finally|only|urgently|all))*"
_MIND = (
    r"(?! (?:know|say|admit|agree|confess|mention|note|add|be honest|understand|think|see|have|be able|be careful"
    r"|be fine|be ok|be okay|be good|tell you|ask you|ask|work)\b)"
)
"""Behind "have to": what is said and thought, not done."""

WHEN = (
    r"\b(?:tomorrow|tonight|later|soon|this (?:morning|afternoon|evening|week|weekend|month)|over the weekend"
    r"|next (?:week|weekend|month|year|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|in (?:a|an|one|two|three|\d+) "
    r"(?:hours?|days?|weeks?|months?)|(?:on|by|until|before) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|weekend|end of|\d|january|february|march|april|may|june|july|august|september|october|november|december))"
)
"""A time ahead, which makes an intention of a plain "I will"."""

SURE = (
    r"\b(?:please )?(?:remind me|remember me) (?:to|about|of|that|on|in|when)\b",
    r"\b(?:don't|do not|can't|cannot|mustn't|must not|let me not|not to|never) forget to\b",
    r"\bdon't let me forget\b",
    r"\b(?:i|we) (?:must|have to|need to|should) remember to\b",
    r"\bnote to self\b",
    r"^\W*to-?do\b\s*:?|\bTODO\s*[:(]",
    rf"{_BEGINS}(?:i|we) still (?:need|have|ought|got) to\b{_MIND}",
    r"\bstill (?:needs? to be|has to be|have to be|needs? \w+ing)\b",
    rf"{_BEGINS}(?:i'm|i am|we're|we are) still waiting (?:for|on)\b",
)
"""What leaves something open whatever else the message says."""

LIKELY = (
    rf"{_BEGINS}(?:i|we)(?:'ve|'ll)?{_ADVERBS} (?:need|have|got|ought) to\b{_MIND}",
    rf"{_BEGINS}(?:i|we){_ADVERBS} (?:must|should)\b{_MIND}(?! (?:be|have|not|never|always|really not)\b)",
    rf"{_BEGINS}(?:i'm|i am|we're|we are){_ADVERBS} (?:planning|intending) to\b",
    rf"{_BEGINS}(?:i|we){_ADVERBS} (?:plan|intend) to\b",
    rf"{_BEGINS}(?:i|we)(?:'ve| have)? promised\b",
)
"""What leaves something open unless it leads to a question."""

TIMED = (
    rf"{_BEGINS}(?:(?:i|we)(?:'ll| will| shall)|(?:i'm|i am|we're|we are){_ADVERBS} (?:going to|gonna))\b"
    r"(?! (?:be (?:able|fine|happy|glad)|see (?:if|whether|how|what)|say)\b)",
    rf"{_BEGINS}(?:i|we){_ADVERBS} (?:want|would like|hope) to\b|{_BEGINS}(?:i'd|we'd) like to\b",
)
"""What does so with a time ahead."""

DONE = (
    r"(?:done|finished|completed?|sorted|solved|resolved|fixed|mended|repaired|sent|paid|called|phoned|rang|booked"
    r"|bought|ordered|cancel(?:l?ed)|off|submitted|handled|delivered|picked|arrived|wrote|written|replied|answered"
    r"|made|took|taken|got|brought|met|found|gone|settled|closed|ticked|merged|shipped|obsolete|no longer)"
)
NOT_DONE = (
    r"(?:not|n't|never|nothing|almost|nearly|half|should|must|need|needs|will|'ll|to be|if|when|once|until|before)"
)
