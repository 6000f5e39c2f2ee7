"""English: "Never suggest seafood.", "From now on answer in two lines.", "You may call before nine again." Pure."""

from __future__ import annotations

_START = (
    r"(?:^|[.!;:,–—-] ?|\b(?:and|but|so|then|also|oh|ok|okay|well|thanks|please|just) )"
    r"(?:and |so |please |just |also )*"
)
"""Where a clause begins."""

_VERBS = (
    r"do|produce|compose|prepare|word|dream up|come up with|put together|hand|suggest|recommend|propose|offer|give"
    r"|send|show|tell|write|draft|plan|schedule|book|order|answer|reply|respond"
    r"|explain|translate|format|summari[sz]e|list|name|make|put|pick|choose|remind|ask|help|address|call|speak|talk"
    r"|mention|cook|design|create|generate|build|calculate|quote|cite|correct|edit|review|search|look|buy"
)
_ASSISTING = rf"(?:{_VERBS})"
_FOR_GOOD = (
    r"(?:from (?:now|here|today) on(?:ward|wards)?|from this day|going forward|henceforth|hereafter|in (?:the )?future"
    r"|for (?:good|ever|keeps|always|all time|the record|next time|(?:all )?the future|future reference)|forever"
    r"|at all times"
    r"|no matter what|what(?:ever)? (?:else )?(?:happens|comes)|wherever i \w+|on principle|not now and not later"
    r"|now and later"
    r"|now or ever|above all|without exception|no exceptions|as a (?:general |standing |strict )?rule|permanently"
    r"|every single time"
    r"|(?:one|a|an?other|my|the|this|general|standing|house|ground|golden|simple|strict|hard) rules?(?: of mine)?(?:,"
    r"|:| (?:for|is|about|in)\b))"
)
_ADDRESSED = r"\b(?:you|your|yours|please|me|us|i'd like|i want|let's)\b"

INSTRUCTIONS = (
    # To be remembered.
    r"\b(?:keep|bear|have) (?:it |this |that )?in mind\b",
    rf"{_START}(?:always )?(?:remember|memori[sz]e|note|make a note|take note|don't forget|never forget)"
    r"(?: for me)?(?: that|:|,| i\b| i'm\b| my\b| we\b)",
    r"\b(?:just so you know|(?:one|a) (?:thing|note|fact) (?:to (?:know|remember|note)|for (?:keeps|later"
    r"|the future)))\b",
    # Always, never.
    rf"{_START}always (?!(?:the|a|an|my|your|been|had|was|is|has|in|at|on|so|good|nice|thought|wanted"
    rf"|liked|null|true|false|empty|red|green|wrong|broken|right|there|ready|possible)\b)(?!\w+(?:ing|[^s\W]s)\b)\w+",
    rf"{_START}never (?!(?:the|a|an|my|mind|again|been|had|was|is|has|did|in|at|thought|ever|know|knew|saw|heard|got"
    rf"|null|true"
    r"|came|went|took|made|said|told|found|felt)\b)(?!\w+(?:ing|ed|[^s\W]s)\b)\w+",
    rf"{_START}(?:do not|don't) (?:please |you )?(?:ever |always )",
    rf"{_START}(?:do not|don't) (?:please )?{_ASSISTING} (?:me|us|any|anything)\b",
    r"\bplease (?:do not|don't) (?!(?:worry|bother|laugh|mind|tell (?:him|her|them|my|the|anyone)|forget)\b)\w+",
    rf"{_START}(?:do not|don't) (?!(?:worry|bother|laugh|mind|know|think|forget|get|have|want|need|like)\b)"
    r"\w+\b[^.]*\b(?:in front of|to|for|give|send|show|on|at) (?:me|us)\b",
    rf"{_START}\w+ (?:\w+ )?(?:all|every|any|each)(?: of)? (?:my|our) \w+",
    rf"{_START}(?:leave|keep) .*\bout of (?:all|any|every|my|our|anything|everything)\b",
    r"\b(?:that|this|it|the same) goes for (?!a\b)\w+",
    r"\b(?:no|nothing|none|never|not)\b[^.]*, ever\b|^no \w+.*, mind\b|, please,? (?:in|for|with|at|on|above)\b",
    rf"{_START}\w+ [^.]*\bfor me\b[^.]*\b(?:wherever|whatever|whenever|whoever)\b",
    rf"\b(?:must|should|shall|can) (?:always|never) {_ASSISTING}\b",
    rf"{_START}stop (?:{_VERBS}|us|giv|writ|mak)\w*ing\b",
    # For good, to somebody.
    rf"\b{_FOR_GOOD}(?=.*{_ADDRESSED})|{_ADDRESSED}.*\b{_FOR_GOOD}",
    rf"\b{_FOR_GOOD},? (?:only|no|nothing|never|always|use|avoid|keep|be|{_VERBS})\b",
    r"\brules? for [^.:]*: \w+",
    r"\b(?:from (?:now|here) on(?:wards)?|going forward|henceforth|in future),? (?!(?:i|i'll|i'm|we|we'll|he|she|they"
    r"|it|it's|there"
    r"|the|a|an|my|our|his|her|their|this|that|is|was|will)\b)[a-z]+\b",
    # Whatever, whenever an assistant does something.
    rf"\b(?:when|whenever|if|each time|every time|any ?time)(?: ever)? (?:you(?: ever)? (?:have to |need to "
    rf"|want to )?{_ASSISTING}"
    r"|i (?:ask|tell you|send you|give you|paste|want you|need you))\b",
    rf"\b(?:everything|anything|whatever|(?:all|any|every|each)(?: the| of the"
    rf"| of your)? [\w-]+)(?: that)? you(?:'ll)?(?: ever)? {_ASSISTING}\b",
    r"\b(?:i|i'm|me|my|we|us|our)\b.*\b(?:any|every|each|all|everything|anything)\b[^.]*\b(?:has to|have to|must"
    r"|needs? to)\b",
    r"\b(?:when|whenever|each time|every time)(?: ever)? you (?!(?:were|had|said|did|told|got|went|are|have|get|know"
    r"|see|can)\b)"
    r"(?!\w+ed\b)\w+ [^.?]*\b(?:for me|on my behalf|to me|my|our|me)\b",
    # How to answer.
    r"\b(?:all |in |of )?your (?:answers|replies|responses|suggestions|explanations|messages|recommendations|texts"
    r"|emails)\b"
    r"[^.]*\b(?:should|must|have to|need to|short|brief|concise|simple|formal|plain|in)\b",
    rf"{_START}keep (?:it|things|your \w+|answers|replies|responses|explanations) (?:very |as |rather )?"
    r"(?:short|brief|concise|simple|formal|informal|casual|plain|civil|polite|to)\b",
    rf"{_START}(?:answer|reply|respond|speak|talk)(?: to me| me| back)?(?: always| only)?"
    r" (?:in|with|without|using|like|as|briefly|shortly|concisely)\b",
    rf"{_START}(?:call|address) me (?:by|as|[A-Za-z]\w+)(?!\w*(?:back|later|tomorrow|when|on|at)\b)",
    r"\b(?:i want|i'd like|i would like|i need|i expect|i prefer) (?:you(?:r \w+)?|answers|replies|everything|all \w+)"
    r"(?: to)? .*\b(?:always|never|only|without|in)\b",
    r"\bi (?:like|prefer|love|hate|dislike) it (?:when|if) you\b",
    # No … for me.
    r"(?:^|[.!;:,–—] ?|\b(?:and|but|so|with) )(?:only|no|nothing|none)\b(?! (?:the|this|that|these|those)\b)[^.]*\b"
    r"(?:for (?:me|us)|please|ever"
    r"|thanks)(?=[.,;!]|$)",
)
"""What a person says that tells an assistant what always or never to do."""

REVOCATIONS = (
    r"\b(?:you|we) (?:can|may) (?:\w+ ){1,6}?again\b",
    r"\b(?:you )?(?:don't|do not|needn't) (?:have to|need to|must)?.*\b(?:any ?more|any longer)\b",
    r"\bno (?:need|reason) to .*\b(?:any ?more|any longer|now)\b",
    r"\b(?:forget|scrap|drop|ignore|never mind|disregard) (?:what i (?:said|told)|my|the|that|about the) (?:\w+ ){0,3}?"
    r"(?:rule|instruction|about|request|ban)\b",
    r"\b(?:is|are|'s|'re) (?:fine|ok|okay|allowed|welcome|alright|all right|back)(?: \w+){0,3} (?:again|now|after all"
    r"|from now on)\b",
    r"\b(?:rule|vow|ban|instruction|promise|embargo|restriction|limit)(?: \w+){0,3}? (?:no longer|is off|is over"
    r"|is gone|is lifted|doesn't)\b",
)
"""What takes such a thing back."""

TURNS = (
    r"\bagain\b|\bno longer\b|\bany ?more\b|\b(?:i(?:'ve| have)|i'm|i am) (?:now )?(?:stopped|started|given up"
    r"|back (?:to|on))\b"
    r"|\bforget (?:the|about|what|that|my)\b|\binstead from now\b|\bchanged my mind\b|\bafter all\b",
)
"""What says that something is otherwise than it was."""

OF_ONESELF = (
    r"\b(?:i|we)(?:'d| would|'m| am|'ve| have)?(?: \w+ly| still| just| also| do| much)* (?:prefer|rather|hate"
    r"|dislike|loathe|detest|avoid|swear by|stick (?:to|with)|opt for|can't stand|cannot stand|can't bear"
    r"|(?:never|always)(?! (?:\w+ed|thought|knew|said|heard|had|got|did|saw|was|were|felt|met|been|found|told|came|went"
    r"|made|took|know)\b)"
    r"|no longer (?!know|remember|sure)"
    r"|don't (?:eat|drink|like|use|wear|want|watch|smoke|drive|fly|do|buy|own|care for)|won't|can't (?:eat|drink"
    r"|tolerate|have|see|hear|tell|do"
    r"|take|wear|stand)|refuse to)\b",
    r"\bi(?:'m| am)(?: a| an| now| strictly| as of today)* (?:\w+ )?(?:allergic|intolerant|vegetarian|vegan"
    r"|pescatarian|teetotal|diabetic"
    r"|coeliac|celiac|colou?r-?blind|left-handed)\b",
    r"\b(?:have|has|with|my) (?:an? |my )?(?:\w+ )?(?:allergy|allergies|intolerance)\b",
    r"\bi(?:'m| am|'ve| have)?\b[^.]*\b(?:eat|drink|use|wear|take|play|smoke|drive|fly|run|cook)(?:s"
    r"|ing)?\b[^.]*\bagain\b",
    r"\bi(?:'m| am|'ve| have) (?:on principle|stopped|given up|gone off|back (?:to|on))\b|\bi (?:gave up|went off"
    r"|quit)\b",
)
"""What a person says of what they always, never or rather do, or cannot do: it holds for whatever is done for them."""

AGAINST = (
    r"\b(?:no|not|never|nothing|none|neither|nor|without|avoid\w*|except|instead of|free of|\w+-free|don't|doesn't"
    r"|won't|isn't"
    r"|aren't|can't|cannot|couldn't|shouldn't|stop\w*|skip\w*|quit|hate|dislike|detest|allergic|allergy|intolerant"
    r"|vegetarian"
    r"|vegan|leave out|keep out|gave up|given up|giving up|no longer|any ?more|any longer|hardly|off)\b"
)
"""Words that speak against what they stand beside."""

MANNER_WRITTEN = """
answer answers answering reply replies respond responses response speak talk say saying tell explain explaining
explanation explanations sentence sentences word words line lines paragraph paragraphs bullet bullets point points
language english german french spanish italian dutch british american short shorter brief briefly concise concisely
long longer detail details detailed simple simply plain formal formally informal casual polite politely friendly
direct directly honest clear clearly tone style emoji emojis jargon markdown heading headings format step steps name
first metric units unit question questions example examples fluff small flattery sugarcoat compliments apologies
apologise apologize summary sources source sure unsure guess guesses
"""
"""What is said of how to answer, whatever is asked."""

ASKED_WRITTEN = """
suggest recommend propose offer send show draft plan schedule book order include mention code coding script scripts
program programs letter letters mail mails email emails message messages text texts
"""
"""What an assistant is asked to do, and on what: two statements that share it may be about anything."""

IDLE_WRITTEN = """
always never ever please remember note mind keep bear want like prefer one two three four five six seven eight nine
ten most very rule rules future forward good future time times thing things give use using make write list lists also
thanks only anything everything whatever whenever ask asking get got going let let's really just bit maximum max least
sorry okay well quick quickly way now on from
"""
"""What an instruction may say beside that without being about anything."""

SCOPED = (
    r"\b(?:when|whenever|if|each time|every time|any ?time|for|about|to)(?: you| i| we| ever| all| any| every| my"
    r"| our| the"
    r"| your| a| an| ask| write| give| draft| help| make| plan| suggest| talk| about| to| with| me| us| for)*"
    r" ([a-z][\w'-]+)"
)
"""What an instruction is confined to, the word in brackets."""
