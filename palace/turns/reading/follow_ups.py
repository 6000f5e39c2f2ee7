"""Messages that mean something only by what was said before them, in English, German and French. Pure."""

from __future__ import annotations

from palace.patterns import late
from palace.turns.reading.window import PASSED_ON

MOST_WORDS = 9
_AND = r"(?:and|but|so|or|then|also|ok|okay|und|aber|oder|dann|also|et|mais|alors|puis)"
_ASKS = (
    r"(?:how (?:much|many|long|far|often|old|big|come|so|exactly|about (?:it|that|now))|why(?: not| so| is that"
    r"| that)?|when|where|who|whom|whose|which(?: one| ones| \w+)?|what|what (?:else|now|then|for|about it|kind"
    r"|time|day|colou?r|size)"
    r"|really|are you sure|is that (?:so|true|right|all)|since when|until when|by when|by whom|for whom|with whom"
    r"|who with|where to|where from|how|says who|like what|such as|for example|meaning"
    r"|wie ?viele?|wie (?:lange|oft|weit|alt|gross|teuer|denn|genau|das|so)|warum(?: nicht| das| denn| so)?"
    r"|wieso(?: nicht| das| denn)?|weshalb|wann|wo|wer|wen|wem|wie|wohin|woher|womit|wofur|welche[rsnm]?(?: \w+)?"
    r"|was|was (?:noch|denn|dann|sonst)|echt|wirklich|sicher|seit wann|bis wann|mit wem|von wem|fur wen"
    r"|zum beispiel|und dann|na und|welche farbe"
    r"|combien(?: de temps| de fois| ca| exactement)?|pourquoi(?: pas| ca)?|quand(?: ca| exactement)?|ou(?: ca"
    r"| exactement)?|qui(?: ca)?|comment(?: ca)?|lequel|laquelle|lesquels|lesquelles|quel(?:le)?s?(?: \w+)?"
    r"|quoi(?: d'autre)?|vraiment|tu es sur|depuis quand|jusqu'a quand|avec qui|de qui|pour qui|par exemple"
    r"|a quelle heure|de quelle couleur)"
)
_SO = (
    r"(?:bitte|mal|noch|nochmal|noch mal|genauer|kurzer|langer|besser|anders|formeller|einfacher|ausfuhrlicher|neu"
    r"|um|weg"
    r"|auf \w+|ins? \w+|fur .{1,30}|zu .{1,30})"
)
_GO_ON = (
    r"(?:(?:please )?(?:go on|continue|keep going|carry on|more|more details|tell me more|say more|elaborate"
    r"|another(?: one)?|one more|again|try again|redo(?: it)?|do it(?: again)?|next|skip|the (?:first|second|third"
    r"|last|other|next) one|the (?:former|latter)|both|neither|all of them|none(?: of them)?|shorter|longer"
    r"|simpler|less formal|more formal|in \w+|expand(?: on (?:that"
    r"|this))?|explain(?: that| this| it| more| again)?|(?:make|put|write|say|do|send|translate|change|fix|shorten"
    r"|summari[sz]e|rewrite|rephrase|delete|add|remove|save|use|try|check|keep) (?:it|that|this|them|those"
    r"|these)(?: .{0,60})?)"
    r"|(?:bitte )?(?:weiter|mach weiter|mehr|mehr davon|noch (?:eins|einen|einer|eine|mal|mehr)|erzahl mehr"
    r"|genauer|ausfuhrlicher|kurzer|langer|einfacher|formeller|nachste[rsn]?|beide[sn]?|keine[rsn]?|alle"
    r"|de[rnm]s? (?:erste|zweite|dritte|letzte|andere)n?|das (?:erste|zweite|dritte|letzte|andere)|die (?:erste"
    rf"|zweite|dritte|letzte|andere)|(?:auf|in) \w+|ubersetze? (?:das|es)(?: {_SO})*"
    rf"|mach (?:es|das)(?: {_SO})*|schreib (?:es|das)(?: {_SO})*|kurze? (?:es|das)(?: {_SO})*"
    rf"|erklare? (?:das|es)(?: {_SO})*)"
    r"|(?:continue[zs]?|vas-y|encore(?: un| une)?|plus|plus de details|en savoir plus|developpe|plus (?:court|long"
    r"|simple|formel)|le (?:premier|deuxieme|second|troisieme|dernier|suivant)|la (?:premiere|deuxieme|seconde"
    r"|troisieme|derniere|suivante)|l'autre|les deux|aucun(?:e)?|suivant(?:e)?|en (?:anglais|francais|allemand"
    r"|detail)|(?:traduis|explique|resume|refais|ecris|fais|raccourcis|corrige|change|envoie)(?:-(?:le|la|les)"
    r"|[- ]ca)(?: .{0,60})?))"
)
_WHOLE = late(
    rf"(?:{_AND}[ ,]+)*(?:{_ASKS}|{_GO_ON})(?: (?:then|now|please|exactly|again|though|so|denn|dann|genau|bitte"
    r"|nun|eigentlich|alors|donc|exactement|stp|precisement))*"
)
_BEGINS = late(
    r"(?:and|or|but|what about|how about|same for|same with|also|und|oder|aber|was ist mit|wie ist es mit"
    r"|wie sieht es (?:mit|bei)|auch|et|mais|qu'en est-il de"
    r"|et si|pareil pour)\b.{0,60}"
)
_STANDS_FOR = late(
    r"\b(?:he|she|they|him|her|his|hers|them|their|theirs|it|its|it's|that one|this one|these|those|that|this"
    r"|there|one|ones"
    r"|er|ihn|ihm|ihr|ihre[rsnm]?|ihnen|seine?[rsnm]?|dieser|diese[snm]?|jene[rsnm]?|damit|davon|dafur|daran|darin"
    r"|daruber|dazu|dort|das(?= (?:ist|war|sind|hat|heisst|bedeutet|kostet|geschrieben|gemacht)\b)"
    r"|elle|elles|ils|lui|leurs?|celui\w*|celle\w*|ceux|cela|ca|la-bas|dedans|dessus)\b"
)
_EMPTY_IT = late(
    r"\b(?:what time|what day|how far|how late|how long does|how long will|how long would) (?:is |was )?it\b"
    r"|\bit takes?\b"
    r"|\b(?:is|was|does|will|if) it (?:true|possible|legal|safe|ok|okay|raining|rain|snow|cold|hot|late|take|mean"
    r"|called|better)\b"
    r"|\bit(?:'s| is| was) (?:true|possible|legal|safe|raining|cold|hot|late|called)\b"
    r"|(?<=s) that \w+|\bis there\b|\bare there\b|\bthere (?:is|are)\b"
    r"|\bca (?:va|fait|marche|veut dire)\b|\b(?:est-ce que c|qu'est-ce que c|c)'est\b|\bthat (?:\w+s|is|are|can"
    r"|will|has|have)\b|\bone-liner\b|\b(?:this|the following) (?:text|code|sentence|paragraph|function|error"
    r"|email|query|snippet|article|json)\b"
)
"""Where "it", "there" and "that" stand for nothing that was said before."""


_WITH_NOUN = late(
    r"\b(?:this|that|these|those|diese[rsnm]?|jene[rsnm]?) (?!(?:is|was|are|were|do|does|did|has|have|had|will|can"
    r"|cost\w*|mean\w*|work\w*"
    r"|go|come|for|in|on|at|with|to|by|from|again|ones?|too|now|then|if|and|or|ist|war|hat|kostet|heisst)\b)\w+"
)


def leans_on_history(sentence: str) -> bool:
    """Tell whether a folded sentence is a question or a wish without its object: "how much", "and for her", "go on"."""
    if PASSED_ON in sentence or len(sentence) > 100 or len(sentence.split()) > MOST_WORDS:
        return False
    return bool(_WHOLE.fullmatch(sentence) or _BEGINS.fullmatch(sentence))


def stands_for_another(sentence: str) -> bool:
    """Tell whether a pronoun in a folded sentence is without its noun in it: "that medication" has it."""
    return points_at_somebody(_WITH_NOUN.sub(" ", sentence))


def points_at_somebody(sentence: str) -> bool:
    """Tell whether a folded sentence speaks of someone or something by a pronoun, which only what was said explains."""
    return bool(_STANDS_FOR.search(_EMPTY_IT.sub(" ", sentence)))
