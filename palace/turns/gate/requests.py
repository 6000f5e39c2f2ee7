"""Requests for a tool's work that needs nothing of the person: code, sums, translations, jokes, timers. Pure.

In English, German and French; the patterns are of folded text.
"""

from __future__ import annotations

from palace.patterns import late
from palace.turns.reading.window import PASSED_ON

_LANGUAGES_OF_CODE = (
    r"python\d?|java ?script|js|typescript|java|c\+\+|c#|\.net|golang|kotlin|php|ruby|haskell|rust|sql|mysql"
    r"|postgres(?:ql)?|sqlite|html5?|css|sass|tailwind|regex\w*|regexp?|regular expressions?"
    r"|regulare\w* ausdruck\w*|expressions? regulieres?"
    r"|json|yaml|xml|csv|bash|shell|zsh|powershell|linux|unix|ubuntu|git|github|docker\w*|kubernetes|k8s|kubectl"
    r"|terraform|ansible|react|vue|angular|svelte|next\.?js|node(?:\.?js)?|npm|yarn|pip|django|flask|fastapi|numpy"
    r"|pandas|matplotlib|pytorch|tensorflow|excel|vba|latex|markdown|vim|emacs|ssh|cron\w*"
    r"|nginx|apache|redis|mongodb|kafka|graphql|rest api|websockets?|oauth|jwt|mutex\w*|semaphor\w*|deadlocks?"
    r"|linked lists?|hash ?(?:map|table)s?|binary (?:search|tree)s?|quick ?sort|merge ?sort|bubble ?sort|recursion"
    r"|rekursion|recursivite|big ?o|unit[- ]?tests?|stack ?trace|segfault|null ?pointer|async\w*|await|lambda"
    r"|decorators?|generators?|dataclass\w*|makefile|cmake|webpack|pytest|junit|one-liner|div|flexbox|dom|tcp|udp"
    r"|dns|http|https|tls|ssl"
)
_CODE = late(rf"(?<![\w'])(?:{_LANGUAGES_OF_CODE})(?![\w])")
_WEAK = (
    r"function|method|class|script|program|algorithm|query|code|snippet|loop|compiler|api|component|struct|parser"
    r"|scraper|web ?page|website|test"
    r"|\w*funktion|methode|klasse|skript|programm|algorithmus|abfrage|schleife|fonction|methode|classe|programme"
    r"|algorithme|requete|boucle"
)
_PROGRAMMING = late(
    r"^(?:write|implement|code|create|generate|build|make|give|show|refactor|optimi[sz]e|debug|schreib\w*"
    r"|implementier\w*|programmier\w*|erstell\w*|baue?|ecris|ecrivez|implemente\w*|code|cree|programme"
    r"|genere) (?:(?:a|an|some|ein|eine|einen|un|une|simple|small|short|kurze\w*|einfache\w*"
    rf"|petite?) )*(?:[\w+#-]+ ){{0,2}}(?:{_WEAK})\b"
)
_LOOKS_LIKE_CODE = late(
    r"^(?:select .{1,80} from |insert into |update \w+ set |def \w+\(|class \w+[:(]|import \w+|from \w+ import"
    r"|function \w*\(|const |let \w+ =|var \w+ =|public (?:static|class)|#include|traceback|\w*(?:error"
    r"|exception): )"
    r"|\bwhat does (?:this|the following) (?:code|function|regex|query|error)\b"
)
_NUMBER = r"-?\d[\d.,]*"
_UNIT = (
    r"(?:miles?|mi|km|kilomet(?:er|re|ern)s?|met(?:er|re|ern)s?|m|cm|centimet(?:er|re)s?|zentimeter\w?|mm"
    r"|inch(?:es)?|zoll|feet|foot|ft|fuss|yards?|pounds?|lbs?|pfund|kg|kilos?|kilogram\w*|grams?|grammes?|gramm|g"
    r"|oz|ounces?|unzen?|lit(?:er|re|ern)s?|l|ml|gallons?|pints?|cups?|tablespoons?|teaspoons?|celsius|fahrenheit"
    r"|kelvin|degrees?|grad|degres?|c|f"
    r"|usd|eur|gbp|chf|jpy|dollars?|euros?|pounds?|pfund|yen|franken|francs?|hours?|stunden?|heures?|minutes?"
    r"|minuten?|seconds?|sekunden?|secondes?|days?|tagen?|jours?|weeks?|wochen?|semaines?|months?|years?|jahren?"
    r"|bytes?|[kmgt]i?b|bits?|mph|kmh|km/h|knots?|knoten|acres?|hectares?|hektar|pieds?|pouces?|livres?|onces?"
    r"|calories|kcal|joules?|watts?|kwh|ps|hp)"
)
_SUMS = late(
    r"^(?:(?:what'?s?(?: is| are)?|was (?:ist|sind|ergibt)|wieviel (?:ist|sind)|wie viel (?:ist|sind)"
    r"|combien (?:font?|est)|how much is|calculate|compute|berechne|rechne|calcule|solve|evaluate|lose"
    rf"|resous) )?(?:{_NUMBER}|\()[\s\d.,+\-*/^()=x%×÷]*$"
    rf"|^(?:.{{0,30}} )?{_NUMBER} ?(?:%|percent|prozent|pour ?cent) (?:(?:tip|discount|tax|vat|rabatt|trinkgeld"
    rf"|pourboire) )?(?:of|on|auf|sur|von|de|off) {_NUMBER}"
    rf"|\b{_NUMBER} ?(?:times|plus|minus|divided by|mod|mal|geteilt durch|durch|fois|divise par|to the power of"
    rf"|hoch|puissance) {_NUMBER}"
    r"|\b(?:sqrt|square root|cube root|wurzel|racine(?: carree| cubique)?) (?:of|aus|von|de) |^(?:solve|integrate"
    r"|differentiate|factori[sz]e|simplify|lose|integriere|resous|factorise|derive)\b.*[\dx]|\b(?:derivative"
    r"|integral|ableitung|stammfunktion|derivee|integrale) (?:of|von|de)\b"
    rf"|\b{_NUMBER} ?{_UNIT} (?:in|to|into|nach|zu|en|as|sind|is|are|equals?) (?:\w+ )?{_UNIT}\b|^(?:convert"
    rf"|umrechnen|rechne|convertis) {_NUMBER}|\bhow many {_UNIT} (?:are |is )?(?:there )?(?:in|is|are|make|per)\b"
    rf"|^wie viele? {_UNIT} (?:sind|hat|in)\b|^combien (?:de |d'){_UNIT} (?:font|fait|dans|en|y a-t-il)\b"
    r"|^(?:calculate|compute|calcule|berechne|rechne) (?:the |la |le |die |das |den )?(?:area|volume|average|mean"
    rf"|sum|factorial|compound|surface|aire|moyenne|somme|flache|summe|durchschnitt|fakultat|{_NUMBER})"
)
_TRANSLATES = late(
    rf"^(?:translate|ubersetze?n?|traduis|traduisez|traduire)\b.*(?:{PASSED_ON}|\b(?:this|the following|diesen?"
    rf"|folgende\w*|ce(?:ci|tte)?|suivante?)\b)|^(?:translate|ubersetze?|traduis) (?:[\w'-]+ ){{1,6}}(?:in|to|into"
    r"|ins?|auf|en) [\w-]+$"
    r"|^translation (?:of|for) |^how (?:do|would|does) (?:you|one) (?:say|spell|pronounce|write) |^how to (?:say"
    r"|spell|pronounce) |^wie (?:sagt|schreibt|heisst|spricht|nennt) (?:man )?.*\b(?:auf|in|im|man)\b|^(?:comment"
    r"|que) (?:dit|ecrit|prononce|traduit|appelle)-(?:t-)?on |^comment (?:dire|on (?:dit|ecrit|prononce)) |\b(?:in"
    r"|auf|en) (?:english|german"
    r"|french|spanish|italian|japanese|chinese|latin|russian|portuguese|englisch|deutsch|franzosisch|spanisch"
    r"|italienisch|japanisch|latein|anglais|allemand|francais|espagnol|italien|japonais)$"
)
_WORKS_ON = late(
    r"^(?:proofread|correct|fix|rewrite|rephrase|paraphrase|reword|summari[sz]e|shorten|simplify|improve|check"
    r"|format|convert|turn|put|make|arrange|order|alphabeti[sz]e|list|explain|analy[sz]e|classify|extract|sort"
    r"|reverse|count|tl;?dr|korrigiere?|fasse?"
    r"|formuliere?|umformulieren|kurze|verbessere?|prufe?|erklare?|sortiere?|ordne|mach|zahle?|wandle?|corrige[rz]?"
    r"|resume[rz]?|reformule[rz]?|raccourcis|ameliore|verifie|explique[rz]?|trie|classe[rz]?|range|mets|compte"
    rf"|convertis)\b.*{PASSED_ON}"
    rf"|^(?:what|was|que|qu)\b.{{0,40}}{PASSED_ON}(?: (?:do|mean|auf \w+|en \w+|in \w+))?$|^{PASSED_ON}$"
)
_MAKING = (
    r"(?:write|tell|compose|make up|make|generate|create|invent|come up with|give|say|sing|erzahle?|schreibe?"
    r"|dichte|erfinde?|mach|gib|raconte[rz]?|ecris|ecrire|compose|invente|cite|fais|another|one more|any)"
)
_GENRES = (
    r"(?:dad )?jokes?|haikus?|poems?|story|stories|limericks?|riddles?|songs?|sonnets?|essays?|tongue twisters?"
    r"|(?:fun )?facts?|puns?|fairy tales?|fables?|raps?|slogans?|quotes?|lyrics|short story|bedtime story|dialogue"
    r"|trivia"
    r"|\w*witze?|gedichte?|geschichten?|ratsel|lied(?:er)?|aufsatz|zungenbrecher|fakten|fakt|marchen|fabel|sonett"
    r"|zitat|kurzgeschichte|blagues?|poemes?|histoires?|devinettes?|chansons?|redaction|virelangue|conte|fable"
    r"|sonnet|anecdote|citation|dissertation"
)
_CREATES = late(
    rf"^(?:{_MAKING} )?(?:(?:a|an|one|some|another|two|three|five|ein|eine|einen|un|une|des|\d+|funny|short|silly"
    r"|good"
    r"|random|kurze\w*|lustige\w*|petite?|courte?|drole|scary"
    rf"|dark) )*(?:[\w-]+ ){{0,2}}?(?:{_GENRES})(?= (?:about|on|for|with|in"
    r"|uber|von|mit|auf|sur|avec|pour|a|au|de|en)\b|$)"
)
_UTILITIES = late(
    r"^(?:set|start|stelle?|starte?|mets|lance|regle|programme)\b.*\b(?:timer|countdown|stopwatch|minuteur"
    r"|chrono\w*|wecker auf \d\S*|alarm (?:for|at) \d\S*|alarme a \d\S*)\b|^(?:timer|minuteur|countdown)\b"
    r"|\b\d+ ?(?:min\w*|sec\w*|sek\w*) timer\b"
    r"|^(?:what time is it|what'?s the time|what day is (?:it|today)|what'?s (?:the|today'?s) date|current time"
    r"|wie spat ist es|wie viel uhr|wieviel uhr|welche[rns]? (?:tag|datum) ist|quelle heure|quel jour (?:est-on"
    r"|sommes)|on est quel jour)\b"
    r"|^(?:weather|forecast|what'?s the weather|how'?s the weather|wetter|wettervorhersage|wie (?:ist"
    r"|wird) das wetter|meteo|quel temps fait-il|la meteo)(?: like)?(?: forecast)? (?:in|for|fur|a|en|au|zu) \w+"
    r"|^(?:generate|create|draw|make|paint|erzeuge?|generiere?|zeichne?|male?|erstelle?|mach|genere|dessine|cree"
    r"|fais) (?:(?:a|an|ein|eine|einen|un|une) )?(?:image|picture|photo|logo|drawing|painting|icon|bild|zeichnung"
    r"|foto|dessin|photo) (?:of|von|de|d'|mit|with) ?(?:a|an|ein|eine|einen|einem|einer|un|une|d'un|d'une)\b"
    r"|^(?:draw|paint|sketch|zeichne?|male?|dessine) (?:a|an|ein|eine|einen|un|une) \w+"
    r"|^(?:flip|toss) a coin|^roll (?:a |an |two |\d*)?(?:d\d+|dice|die)\b|^(?:pick|choose|generate"
    r"|give) (?:a )?random|\brandom number\b|^wirf eine munze|^w(?:urfle|urfel|irf einen)|^lance (?:un de"
    r"|une piece)|^(?:zufallszahl"
    r"|nombre aleatoire)"
    r"|^(?:turn|switch) (?:on|off|up|down) the (?:lights?|tv|music|radio|volume|fan|ac)|^(?:turn"
    r"|switch) the \w+ (?:on|off|up|down)|^(?:volume|pause|stop|play|mute|unmute)(?: (?:up|down|music"
    r"|the music))?$|^(?:mach das licht (?:an|aus)|licht (?:an|aus)|musik (?:an|aus|leiser|lauter)"
    r"|allume la lumiere|eteins la lumiere|monte le son|baisse le son)"
)
_NEWS = late(
    r"^(?:(?:latest|current|today'?s|breaking|aktuelle|dernieres?) )?(?:news|headlines|nachrichten|actualites"
    r"|infos)\b"
    r"|^(?:(?:current|what'?s the|what is the|aktueller?) )?(?:stock|share|bitcoin|btc|ethereum|gold) price\b"
    r"|\b(?:exchange rate|wechselkurs|taux de change|aktienkurs)\b"
)
_NEEDS_NO_LOOK = (_UTILITIES, _NEWS)
_MAY_BE_OWN = (_LOOKS_LIKE_CODE, _SUMS, _TRANSLATES, _WORKS_ON, _CREATES)


def is_utility(sentence: str) -> bool:
    """Tell whether a folded sentence wants a timer, the time, the weather of a place, a picture, a coin flipped."""
    return any(pattern.search(sentence) for pattern in _NEEDS_NO_LOOK)


def looks_like_code(sentence: str) -> bool:
    """Tell whether a folded sentence begins as a program, a statement or an error message does."""
    return bool(_LOOKS_LIKE_CODE.search(sentence))


def is_code(sentence: str) -> bool:
    """Tell whether a folded sentence is about programming."""
    return bool(_CODE.search(sentence) or _PROGRAMMING.search(sentence) or _LOOKS_LIKE_CODE.search(sentence))


def is_request(sentence: str) -> bool:
    """Tell whether a folded sentence asks for a sum, a translation, a text to be worked on, or something made up."""
    return any(pattern.search(sentence) for pattern in _MAY_BE_OWN)
