"""What a sentence begins with before it says what it wants: hello, please, "can you", "do you know". Pure."""

from __future__ import annotations

from palace.patterns import late

_OPENING = late(
    r"(?:hi+|hey+|hello|hallo|moin|bonjour|salut|coucou|good (?:morning|evening|afternoon)|guten (?:morgen|tag"
    r"|abend)|bonsoir)(?: there| again| all| claude| chatgpt| du)?[\s,!.-]+"
    r"|(?:ok(?:ay)?|so|well|um+|uh+|er+m?|hm+|like|right|alright|now|actually|anyway|and|yeah|yes|oh|ah"
    r"|quick (?:question|one)|just (?:curious|wondering)|random question|question|serious question|stupid question"
    r"|out of curiosity|honestly|basically|thanks|thank you|great|cool|nice|perfect"
    r"|also|ahm?|ah+m|tja|naja|na|ja|genau|gut|danke|super|kurze frage|(?:mal )?(?:ne|eine) frage|frage"
    r"|sag(?:t)? mal|du|hor mal|und|nur (?:so )?interessehalber|aus neugier"
    r"|euh+|alors|bon|ben|oui|du coup|dis|dis donc|petite question|une question|question|merci|et|et sinon|sinon"
    r"|par curiosite|en fait)(?:[\s,:!.-]+|$)"
    r"|(?:please|pls|plz|kindly|just|quickly|bitte|mal|schnell|kurz|doch|s'il (?:te|vous) plait|stp|svp"
    r"|vite fait)[\s,]+"
    r"|(?:can|could|would|will) (?:you|u|someone|anyone)(?: please| kindly| just| quickly| maybe)*(?: (?:tell|give"
    r"|show|help|explain to|teach) (?:me|us)(?: with| to)?)?\s+|(?:tell|give|show|help|teach) (?:me|us)(?: with"
    r"| to| please)?[\s,:]+|explain to (?:me|us)\s+(?=\w)"
    r"|(?:do|does) (?:you|u|anyone) (?:happen to )?know(?: if)?[\s,]+|any idea\s+|any chance you know\s+|let'?s\s+"
    r"|wanna know\s+|need (?:a |some )?help (?:with|to)\s+|help with\s+"
    r"|(?:kannst|konntest|wurdest|willst) du(?: bitte| mal| kurz)*(?: (?:mir|uns))?(?: bitte| mal| kurz)*\s+"
    r"|konnen sie(?: (?:mir|uns))?(?: bitte)?\s+|(?:sag|gib|zeig|erzahl|nenn|hilf)e? (?:mir|uns)(?: bitte| mal"
    r"| kurz)*[\s,:]+(?:bei )?"
    r"|(?:peux|pourrais)-tu(?: (?:me |nous |m'))?\s?|(?:pouvez|pourriez)-vous(?: (?:me |nous |m'))?\s?|(?:tu peux"
    r"|vous pouvez|tu pourrais|peux tu)(?: (?:me |nous |m'))?\s?|(?:dis|donne|montre|raconte)z?[- ](?:moi"
    r"|nous)[\s,:]+|(?:sais-tu|tu sais|savez-vous)\s+|(?:dire|donner|expliquer|aider a)\s+(?=ce que|comment"
    r"|pourquoi|quel|qui|combien|la|le|un|a)",
)
MOST_OPENINGS = 8
_ONLY_ASKS_WRITTEN = """
explain tell say describe know erklaren sagen erzahlen beschreiben zeigen expliquer dire raconter decrire savoir
"""
_ONLY_ASKS = frozenset(_ONLY_ASKS_WRITTEN.split())
"""Verbs of asking, which alone open what follows a comma."""
_INDIRECT = late(r"(?:if|ob|si|that|dass|ce qu[e']?)\s+")


def opened(sentence: str) -> str:
    """Give what a folded sentence wants, without what it opens with; "" where it only opens."""
    for _ in range(MOST_OPENINGS):
        found = _OPENING.match(sentence)
        if found is None or not found.end():
            break
        sentence = sentence[found.end() :]
    rest = _INDIRECT.match(sentence)
    if rest:
        sentence = sentence[rest.end() :]
    sentence = sentence.strip(" ,:!.-")
    return "" if sentence in _ONLY_ASKS else sentence
