"""English words that tell a noun from what is none, in names of topics."""

from __future__ import annotations

_DETERMINERS_WRITTEN = """
the a an my your our his her its their this these those every each no some any another which what whose both all
more less many few several first second last next other same
"""
DETERMINERS = frozenset(_DETERMINERS_WRITTEN.split())
"""A noun or what describes one stands behind them."""

_PREPOSITIONS_WRITTEN = """
of in on for with from about by at into during without between under over near against via per behind beside through
across towards onto inside outside like as
"""
PREPOSITIONS = frozenset(_PREPOSITIONS_WRITTEN.split())

_VERB_CUES_WRITTEN = """
i you we they he she it who i'll you'll we'll they'll he'll she'll it'll i'd you'd we'd they'd he'd she'd i've
you've we've they've i'm you're we're they're he's she's it's will would can could should shall must may might to
not don't doesn't didn't can't won't couldn't wouldn't shouldn't cannot never please let's lets let dont didnt cant
wont ill ive im youre
"""
VERB_CUES = frozenset(_VERB_CUES_WRITTEN.split())
"""A verb stands behind them more often than a noun."""

_OBJECTS_WRITTEN = """
the a an my your our his her its their it them me us him this these those everything something both all every each
some any up down out off back away
"""
OBJECTS = frozenset(_OBJECTS_WRITTEN.split())
"""What a verb is followed by where it stands at the beginning or behind a noun."""

_MEASURES = """
quarter half third dozen couple pair inch inches foot feet yard metre meter centimetre centimeter millimetre
millimeter litre liter gram kilo kilogram pound ounce percent percentage degree minute hour second moment euro
dollar cent mile kilometre kilometer double triple piece amount bunch plenty total rest number size one two three
four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million january february
march april may june july august september october november december monday tuesday wednesday thursday friday
saturday sunday mon tue wed thu fri sat sun morning evening afternoon night spring summer autumn winter end start
beginning middle top bottom side front
"""
MEASURES = frozenset(_MEASURES.split())
"""How much, and when: they name nothing alone and open no name."""

_VERBS = """
accept achieve add agree allow answer apologise apologize appear apply appreciate arrive assume avoid become begin
believe belong boil borrow bring build buy carry catch choose clarify combine compare complain confirm connect
consider contain continue convert cook create decide delete deliver depend describe deserve destroy develop differ
disagree disappear discover eat encourage enjoy enter ensure exist expect explain fail fall fill find finish fit
forget forgive freeze generate grow happen harden hate hear hide hire hold hope hurt identify ignore imagine
implement improve include increase inform insert insist install invite involve join keep knock laugh lead learn
leave lend let lie listen lose lower maintain manage mean measure mention mix need notice obtain occur offer open
organise organize overheat owe own paint pay perform persuade pick pour practise prefer prepare prevent produce
promise protect provide publish pull push realise realize receive recommend reduce refer refuse relax rely remain
remember remind remove repair repeat replace reply require rewrite ride rise satisfy save scream seem sell send
separate serve set settle shine show shut sing sit sleep smell speak spend stand stay steal stir store struggle
submit succeed suffer suggest suit suppose survive swap swear swim teach tell tend thank think throw transfer
translate travel trust understand unlock update upload verify wait wake warn wash watch wear win wish wonder worry
write am is are was were been being did done does went gone came seen knew known grew grown ate eaten bought brought
built caught chose chosen drew drawn drove driven fell felt found forgot forgotten gave given got held hid heard
kept laid led left lent lost made met paid put ran rang read rode rose said sang sat sent shook shown shut sold
spent spoke spoken stole stood struck stuck swam taught thought threw thrown told took understood woke won wore worn
wrote written fed bent checked checking hurts smells
"""
_BARE = frozenset(_VERBS.split())


def _inflected(verb: str) -> tuple[str, ...]:
    stem = verb.removesuffix("e")
    last = f"{verb}{verb[-1]}"
    return (verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing", f"{last}ed", f"{last}ing")


_FOUND_AS_NOUNS_WRITTEN = """
building buildings painting paintings meaning feeling feelings setting settings store stores set sets stand stands
smell fall falls lead leads offer offers show shows finish wash watch watches wish rise fit need lie travel trust
manage stay stays spend sing ride rides pick laugh record answer answers update updates reply replies repair repairs
need needs own wake cook cooks paint paints increase notice opening fitting hiding cooking writing translating
serving washing wedding saving savings spending mixing training read win wins lower upload uploads transfer
transfers promise mention surprise left clothing heating recording swimming
"""
_FOUND_AS_NOUNS = frozenset(_FOUND_AS_NOUNS_WRITTEN.split())
VERBS = frozenset(form for verb in _BARE for form in _inflected(verb)) - _FOUND_AS_NOUNS
"""Forms of verbs that are hardly ever nouns."""

_ADJECTIVES = """
able acoustic active ancient actual afraid alone amazing angry annual available average aware awful bad beautiful
big bitter black bland blue boring brave brief bright broad broken brown busy calm careful cheap clean clear clever
cold common composite comfortable complete complex cool correct crazy creative curious current daily damp dangerous
dark dead deep delicious different difficult dirty dry dull early easy empty enough entire equal exact expensive
extra fair famous fast fat favourite favorite final fine firm flat foreign fragile free fresh frequent friendly
frozen full funny gentle giant glad golden good gorgeous grand grateful great green grey gray grown guilty happy
hard healthy heavy high hot huge hungry ill important impossible independent individual initial inner intense
internal joint kind large late lazy leggy likely little local lonely long loose loud lovely low lucky mad main major
massive mean medium mental mild minor modern monthly narrow nasty national native natural neat necessary negative
nervous new nice noisy normal obvious odd okay old only ordinary original outer overall perfect personal plain
pleasant polite poor popular positive possible potential precise present pretty previous private proper proud public
pure quick quiet random rare raw ready real reasonable recent red regular relevant reliable rich ridiculous right
ripe rough round rude sad safe secret separate serious severe shallow sharp short shy sick significant silent silly
similar simple single slight slow small smart smooth social soft solid sore sorry sour spare special specific spicy
square stale steep sticky stiff still straight strange strict strong stupid subtle sudden suitable sure sweet tall
tasty temporary tender terrible thick thin tidy tight tiny tired true typical ugly unable uneven unlikely upper
upset useful useless usual valid various vast warm weak wealthy weekly weird wet white whole wide wild wise
wonderful worried wrong yellow young sequential scan-only true gonna wanna cute weak sunny rainy cloudy southern
northern eastern western double fewer better worse best worst
"""
ADJECTIVES = frozenset(_ADJECTIVES.split())
"""They may open a name of several words and end none."""

_ADVERBS = """
abroad again ago ahead alone already always anymore apart around aside asap away backwards downhill downstairs
elsewhere else ever fast forward halfway hard hence here home indoors instead later less lol maybe meanwhile midday
more never often once outdoors outside overnight overall pls please quite rather sideways somehow soon straight
there together tonight too twice upside uphill upstairs upwards very yet wow haha hmm btw idk yeah yay gonna wanna
nope yep anyway everything everyone nothing nobody something someone anyone ones thing things stuff lot lots
"""
ADVERBS = frozenset(_ADVERBS.split())

_LY_NOUNS_WRITTEN = """
family families assembly supply reply fly belly jelly ally bully rally tally lily butterfly dragonfly anomaly
monopoly july italy sicily emily holly polly kelly
"""
LY_NOUNS = frozenset(_LY_NOUNS_WRITTEN.split())
_ED_NOUNS_WRITTEN = """
seed speed breed shed weed bed feed reed sled hundred moped embed creed thread bread ted
"""
ED_NOUNS = frozenset(_ED_NOUNS_WRITTEN.split())
"""Nouns with the endings of adverbs and participles."""

_ING_NOUNS_WRITTEN = """
thing ring king spring string wing evening morning ceiling building meeting wedding wiring painting drawing training
clothing heating plumbing roofing flooring parking housing banking engineering marketing planning mooring pricing
billing booking hearing listing recording setting filing earring pudding lightning bearing bedding decking wing
sling swing sibling ping reading swimming running fishing hiking cycling climbing sailing gardening knitting baking
cooking writing gaming programming testing diving surfing camping skiing boxing dancing singing shopping
"""
ING_NOUNS = frozenset(_ING_NOUNS_WRITTEN.split())
