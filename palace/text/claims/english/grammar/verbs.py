"""English verbs and what is claimed by them: one line a verb, with its forms and its uses. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from palace.text.claims.drafts import Aspect, Use
from palace.text.claims.tokens import listed

AUXILIARIES = listed("am is are was were be been being has have had do does did will 's 'd")
MODALS = listed("would could should might may can must shall 'd ought")

_S, _B, _E, _V = Aspect.STATE, Aspect.BEGIN, Aspect.END, Aspect.EVENT


@dataclass(frozen=True, slots=True)
class Form:
    """A verb in one of its forms."""

    verb: str
    is_base: bool = False
    is_third: bool = False
    is_past: bool = False
    is_participle: bool = False
    is_ing: bool = False


_TABLE: dict[str, tuple[Use, ...]] = {
    "live lives lived lived living": (Use("lives_in", _S, "in|at", "place"),),
    "reside resides resided resided residing": (Use("lives_in", _S, "in|at", "place"),),
    "move moves moved moved moving": (
        Use("lives_in", _E, "from|out of|away from", "place"),
        Use("lives_in", _B, "to|into|back to|over to", "place"),
    ),
    "relocate relocates relocated relocated relocating": (
        Use("lives_in", _E, "from", "place"),
        Use("lives_in", _B, "to", "place"),
    ),
    "settle settles settled settled settling": (Use("lives_in", _B, "in", "place"),),
    "come comes came come coming": (
        Use("comes_from", _S, "from", "place"),
        Use("visited", _V, "back from", "place_named"),
    ),
    "work works worked worked working": (
        Use("works_at", _S, "at|for", "organisation"),
        Use("works_as", _S, "as", "job"),
        Use("works_on", _S, "on", "project"),
    ),
    "teach teaches taught taught teaching": (Use("works_at", _S, "at", "organisation"),),
    "consult consults consulted consulted consulting": (Use("works_at", _S, "at|for", "employer"),),
    "freelance freelances freelanced freelanced freelancing": (Use("works_at", _S, "at|for", "employer"),),
    "serve serves served served serving": (Use("works_at", _S, "at", "employer"), Use("member_of", _S, "on", "group")),
    "attend attends attended attended attending": (Use("studies_at", _S, "", "school"),),
    "enroll enrolls enrolled enrolled enrolling": (Use("studies_at", _B, "at|in", "school"),),
    "enrol enrols enroled enroled enroling": (Use("studies_at", _B, "at|in", "school"),),
    "graduate graduates graduated graduated graduating": (Use("studies_at", _E, "from", "organisation"),),
    "transfer transfers transferred transferred transferring": (Use("studies_at", _B, "to", "school"),),
    "emigrate emigrates emigrated emigrated emigrating": (
        Use("lives_in", _E, "from", "place"),
        Use("lives_in", _B, "to", "place"),
    ),
    "intern interns interned interned interning": (Use("works_at", _S, "at", "organisation"),),
    "volunteer volunteers volunteered volunteered volunteering": (Use("does", _S, "at|for|with", "volunteering"),),
    "study studies studied studied studying": (
        Use("studies", _S, "", "topic"),
        Use("studies_at", _S, "at", "organisation"),
    ),
    "learn learns learned learned learning": (Use("studies", _S, "", "language"), Use("plays", _B, "", "instrument")),
    "major majors majored majored majoring": (Use("studies", _S, "in", "topic"),),
    "own owns owned owned owning": (Use("owns", _S, "", "owned"),),
    "buy buys bought bought buying": (Use("owns", _B, "", "goods"),),
    "purchase purchases purchased purchased purchasing": (Use("owns", _B, "", "goods"),),
    "order orders ordered ordered ordering": (),
    "adopt adopts adopted adopted adopting": (Use("owns", _B, "", "animal"),),
    "inherit inherits inherited inherited inheriting": (Use("owns", _B, "", "goods"),),
    "get gets got got getting": (
        Use("owns", _B, "", "gotten"),
        Use("has", _B, "", "illness"),
        Use("takes", _B, "", "medicine"),
        Use("married_to", _B, "married to", "person"),
        Use("partner_of", _B, "engaged to", "person"),
        Use("owns", _E, "rid of", "owned"),
        Use("visited", _V, "back from", "place_named"),
    ),
    "pick picks picked picked picking": (Use("owns", _B, "up", "possession"), Use("plays", _B, "up", "instrument")),
    "sell sells sold sold selling": (Use("owns", _E, "", "sold"),),
    "give gives gave given giving": (
        Use("owns", _E, "away", "sold"),
        Use("does", _E, "up", "activity"),
        Use("studies", _E, "up", "language"),
    ),
    "donate donates donated donated donating": (Use("owns", _E, "", "sold"),),
    "throw throws threw thrown throwing": (Use("owns", _E, "out|away", "sold"),),
    "trade trades traded traded trading": (Use("owns", _E, "in", "sold"),),
    "lose loses lost lost losing": (Use("owns", _E, "", "lost"),),
    "start starts started started starting": (
        Use("takes", _B, "", "medicine"),
        Use("studies_at", _B, "at|", "school"),
        Use("works_at", _B, "at|with", "employer"),
        Use("works_as", _B, "as", "job"),
        Use("plays", _B, "", "instrument"),
        Use("does", _B, "", "activity"),
    ),
    "begin begins began begun beginning": (
        Use("takes", _B, "", "medicine"),
        Use("works_at", _B, "at", "employer"),
        Use("does", _B, "", "activity"),
    ),
    "take takes took taken taking": (
        Use("takes", _S, "", "medicine"),
        Use("plays", _B, "up", "instrument"),
        Use("does", _B, "up", "activity"),
    ),
    "stop stops stopped stopped stopping": (Use("does", _E, "", "activity"), Use("takes", _E, "", "medicine")),
    "quit quits quit quit quitting": (
        Use("works_at", _E, "", "firm"),
        Use("uses", _E, "", "tool"),
        Use("takes", _E, "", "medicine"),
        Use("does", _E, "", "activity"),
        Use("member_of", _E, "", "left_group"),
        Use("plays", _E, "", "instrument"),
    ),
    "leave leaves left left leaving": (
        Use("works_at", _E, "", "firm"),
        Use("member_of", _E, "", "left_group"),
        Use("works_at", _B, "for", "company"),
    ),
    "resign resigns resigned resigned resigning": (Use("works_at", _E, "from", "firm"),),
    "join joins joined joined joining": (Use("member_of", _B, "", "joined"),),
    "marry marries married married marrying": (Use("married_to", _B, "", "person"),),
    "remarry remarries remarried remarried remarrying": (Use("married_to", _B, "|to", "person"),),
    "divorce divorces divorced divorced divorcing": (Use("married_to", _E, "", "person"),),
    "break breaks broke broken breaking": (Use("partner_of", _E, "up with", "person"),),
    "date dates dated dated dating": (Use("partner_of", _S, "", "person"),),
    "prefer prefers preferred preferred preferring": (Use("prefers", _S, "", "liked"),),
    "like likes liked liked liking": (Use("likes", _S, "", "liked"),),
    "love loves loved loved loving": (Use("likes", _S, "", "liked"),),
    "enjoy enjoys enjoyed enjoyed enjoying": (Use("likes", _S, "", "liked"),),
    "adore adores adored adored adoring": (Use("likes", _S, "", "liked"),),
    "hate hates hated hated hating": (Use("dislikes", _S, "", "liked"),),
    "dislike dislikes disliked disliked disliking": (Use("dislikes", _S, "", "liked"),),
    "detest detests detested detested detesting": (Use("dislikes", _S, "", "liked"),),
    "use uses used used using": (Use("uses", _S, "", "used"),),
    "drive drives drove driven driving": (
        Use("owns", _S, "", "vehicle"),
        Use("works_at", _S, "for", "company"),
        Use("visited", _V, "to|down to|up to|over to", "place_named"),
    ),
    "tour tours toured toured touring": (Use("visited", _V, "", "place_named"),),
    "holiday holidays holidayed holidayed holidaying": (Use("visited", _V, "in|on|at", "place_named"),),
    "sail sails sailed sailed sailing": (Use("visited", _V, "to", "place_named"), Use("does", _S, "", "sport")),
    "play plays played played playing": (
        Use("plays", _S, "", "played"),
        Use("member_of", _S, "in|for|with", "group"),
    ),
    "finish finishes finished finished finishing": (Use("studies_at", _E, "at", "school"),),
    "speak speaks spoke spoken speaking": (Use("speaks", _S, "", "language"),),
    "run runs ran run running": (Use("leads", _S, "", "led"),),
    "lead leads led led leading": (Use("leads", _S, "", "led"),),
    "manage manages managed managed managing": (Use("leads", _S, "", "led"),),
    "chair chairs chaired chaired chairing": (Use("leads", _S, "", "led"),),
    "cost costs cost cost costing": (),
    "visit visits visited visited visiting": (Use("visited", _V, "", "sight"),),
    "go goes went gone going": (
        Use("visited", _V, "to|back to|up to|over to", "sight"),
        Use("studies_at", _S, "to|at", "school"),
    ),
    "fly flies flew flown flying": (Use("visited", _V, "to|back to|out to|over to", "place_named"),),
    "travel travels traveled traveled traveling": (Use("visited", _V, "to", "place_named"),),
    "travelled travels travelled travelled travelling": (Use("visited", _V, "to", "place_named"),),
    "head heads headed headed heading": (Use("visited", _V, "to", "place_named"),),
    "return returns returned returned returning": (Use("visited", _V, "from", "place_named"),),
    "do does did done doing": (
        Use("does", _S, "", "sport"),
        Use("studies", _S, "", "subject"),
        Use("studies_at", _S, "at", "school"),
    ),
    "have has had had having": (),
    "switch switches switched switched switching": (),
    "change changes changed changed changing": (),
    "die dies died died dying": (),
    "pass passes passed passed passing": (),
    "pay pays paid paid paying": (),
    "spend spends spent spent spending": (Use("visited", _V, "in|at|on", "place_named"),),
    "stand stands stood stood standing": (Use("dislikes", _S, "", "liked"),),
    "cancel cancels cancelled cancelled cancelling": (Use("uses", _E, "", "tool"),),
    "rise rises rose risen rising": (),
    "increase increases increased increased increasing": (),
    "drop drops dropped dropped dropping": (Use("studies_at", _E, "out of", "organisation"),),
    "say says said said saying": (),
    "tell tells told told telling": (),
    "mention mentions mentioned mentioned mentioning": (),
    "keep keeps kept kept keeping": (),
    "meet meets met met meeting": (),
    "see sees saw seen seeing": (),
    "hire hires hired hired hiring": (),
    "code codes coded coded coding": (Use("works_on", _S, "", "project"),),
    "design designs designed designed designing": (),
    "edit edits edited edited editing": (),
    "draw draws drew drawn drawing": (),
    "sync syncs synced synced syncing": (),
    "make makes made made making": (),
    "find finds found found finding": (),
    "want wants wanted wanted wanting": (),
    "need needs needed needed needing": (),
    "think thinks thought thought thinking": (),
    "plan plans planned planned planning": (),
    "look looks looked looked looking": (),
    "help helps helped helped helping": (),
    "try tries tried tried trying": (),
    "know knows knew known knowing": (),
    "hold holds held held holding": (),
    "replace replaces replaced replaced replacing": (),
    "upgrade upgrades upgraded upgraded upgrading": (),
    "swap swaps swapped swapped swapping": (),
    "exchange exchanges exchanged exchanged exchanging": (),
    "retire retires retired retired retiring": (Use("works_at", _E, "from", "firm"),),
    "separate separates separated separated separating": (),
    "split splits split split splitting": (),
    "put puts put put putting": (),
    "prescribe prescribes prescribed prescribed prescribing": (),
    "crash crashes crashed crashed crashing": (),
    "scrap scraps scrapped scrapped scrapping": (Use("owns", _E, "", "sold"),),
    "rehome rehomes rehomed rehomed rehoming": (Use("owns", _E, "", "sold"),),
    "ditch ditches ditched ditched ditching": (Use("owns", _E, "", "sold"), Use("uses", _E, "", "tool")),
    "delete deletes deleted deleted deleting": (Use("uses", _E, "", "tool"),),
    "uninstall uninstalls uninstalled uninstalled uninstalling": (Use("uses", _E, "", "tool"),),
    "install installs installed installed installing": (Use("uses", _B, "", "tool"),),
    "track tracks tracked tracked tracking": (),
    "write writes wrote written writing": (),
    "host hosts hosted hosted hosting": (),
    "store stores stored stored storing": (),
    "organise organises organised organised organising": (Use("leads", _S, "", "group"),),
    "found founds founded founded founding": (Use("leads", _B, "", "started"),),
    "co-found co-founds co-founded co-founded co-founding": (Use("leads", _B, "", "started"),),
    "drum drums drummed drummed drumming": (Use("member_of", _S, "in|for|with", "group"),),
    "sing sings sang sung singing": (Use("member_of", _S, "in|with", "group"),),
    "row rows rowed rowed rowing": (Use("member_of", _S, "for|with", "group"),),
    "train trains trained trained training": (Use("member_of", _S, "with", "group"),),
    "coach coaches coached coached coaching": (Use("leads", _S, "", "group"),),
    "practise practises practised practised practising": (
        Use("does", _S, "", "sport"),
        Use("plays", _S, "", "instrument"),
    ),
    "practice practices practiced practiced practicing": (
        Use("does", _S, "", "sport"),
        Use("plays", _S, "", "instrument"),
    ),
    "book books booked booked booking": (),
    "reserve reserves reserved reserved reserving": (),
    "stay stays stayed stayed staying": (),
    "celebrate celebrates celebrated celebrated celebrating": (),
    "raise raises raised raised raising": (),
    "lower lowers lowered lowered lowering": (),
    "earn earns earned earned earning": (),
    "commute commutes commuted commuted commuting": (),
    "ask asks asked asked asking": (),
    "feel feels felt felt feeling": (),
    "let lets let let letting": (),
    "show shows showed shown showing": (),
    "turn turns turned turned turning": (),
    "bring brings brought brought bringing": (),
    "send sends sent sent sending": (),
    "build builds built built building": (),
    "fix fixes fixed fixed fixing": (),
    "hurt hurts hurt hurt hurting": (),
    "wear wears wore worn wearing": (),
    "sleep sleeps slept slept sleeping": (),
    "wake wakes woke woken waking": (),
    "sit sits sat sat sitting": (),
    "seem seems seemed seemed seeming": (),
    "remember remembers remembered remembered remembering": (),
    "forget forgets forgot forgotten forgetting": (),
    "expect expects expected expected expecting": (),
    "decide decides decided decided deciding": (),
    "agree agrees agreed agreed agreeing": (),
    "offer offers offered offered offering": (),
    "accept accepts accepted accepted accepting": (),
    "open opens opened opened opening": (),
    "close closes closed closed closing": (),
    "happen happens happened happened happening": (),
    "arrive arrives arrived arrived arriving": (),
    "rent rents rented rented renting": (),
    "share shares shared shared sharing": (),
    "cook cooks cooked cooked cooking": (),
    "eat eats ate eaten eating": (),
    "drink drinks drank drunk drinking": (),
    "read reads read read reading": (Use("studies", _S, "", "subject"),),
    "watch watches watched watched watching": (),
    "listen listens listened listened listening": (),
    "suffer suffers suffered suffered suffering": (Use("has", _S, "from", "illness"),),
    "became becomes became become becoming": (),
}
"""Forms: base, third person, past, participle, ing-form. Verbs without uses are told by rules of their own, or only end
what stands before them."""


@cache
def uses() -> dict[str, tuple[Use, ...]]:
    """Give the uses of each verb by its base form."""
    return {forms.split()[0]: each for forms, each in _TABLE.items()}


@cache
def forms() -> dict[str, Form]:
    """Give the verb that each form belongs to."""
    found: dict[str, Form] = {}
    for line in _TABLE:
        base, third, past, participle, ing = line.split()
        for text in (base, third, past, participle, ing):
            found[text] = Form(base, text == base, text == third, text == past, text == participle, text == ing)
    return found
