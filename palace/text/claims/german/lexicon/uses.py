"""What German verbs claim, with the objects they claim it of. Pure."""

from __future__ import annotations

from palace.text.claims.drafts import Aspect, Use

_S, _B, _E, _V = Aspect.STATE, Aspect.BEGIN, Aspect.END, Aspect.EVENT


_LIVE = (Use("lives_in", _S, "in|auf|an", "place"),)
_MOVE = (
    Use("lives_in", _E, "von|aus", "place"),
    Use("lives_in", _B, "nach|zurück nach", "place"),
    Use("lives_in", _B, "in|auf|an", "named_place"),
)
_WORK = (
    Use("works_at", _S, "bei|für|an", "firm|lower_firm"),
    Use("works_at", _S, "in", "named_firm"),
    Use("works_as", _S, "als", "job"),
)
_START = (
    Use("works_at", _B, "bei|an", "firm|lower_firm"),
    Use("works_as", _B, "als", "job"),
    Use("does", _B, "mit", "hobby"),
)
_STOP = (
    Use("works_at", _E, "bei|an", "firm|lower_firm"),
    Use("plays", _E, "mit|", "instrument"),
    Use("does", _E, "mit|", "activity"),
)
_GET = (Use("owns", _B, "", "goods"),)
_PART = (Use("owns", _E, "", "sold"),)
_USE = (Use("uses", _S, "", "named"),)
_SWITCH = (Use("uses", _E, "von", "named"), Use("uses", _B, "zu|auf", "named"))
_LIKE = (Use("likes", _S, "", "liked"),)
_PREFER = (Use("prefers", _S, "lieber", "liked"),)
_LOCATED = (Use("located_in", _S, "in|an|auf", "named_place"),)
_TRAVEL = (Use("visited", _V, "nach|in", "sight"),)
_MEMBER = (Use("member_of", _S, "in|bei", "group"),)

USES: dict[str, tuple[Use, ...]] = {
    **dict.fromkeys(("wohnen", "leben"), _LIVE),
    **dict.fromkeys(
        ("ziehen", "umziehen", "hinziehen", "wegziehen", "zurückziehen", "umsiedeln", "auswandern", "rüberziehen"),
        _MOVE,
    ),
    **dict.fromkeys(("arbeiten", "jobben", "schaffen"), _WORK),
    "unterrichten": (Use("works_at", _S, "an|bei", "firm"),),
    "studieren": (Use("studies", _S, "", "topic"), Use("studies_at", _S, "an|in", "named_firm")),
    "lernen": (Use("studies", _S, "", "language|job"), Use("plays", _S, "", "instrument")),
    "stammen": (Use("comes_from", _S, "aus", "place"),),
    "sprechen": (Use("speaks", _S, "", "language"),),
    "spielen": (Use("plays", _S, "", "played"), *_MEMBER),
    "singen": _MEMBER,
    "turnen": _MEMBER,
    "rudern": _MEMBER,
    "trainieren": (Use("member_of", _S, "bei", "group"),),
    "machen": (Use("does", _S, "", "activity"),),
    "gehen": (Use("does", _S, "zu|in", "activity"),),
    "besitzen": (Use("owns", _S, "", "thing"),),
    **dict.fromkeys(("nutzen", "benutzen", "verwenden"), _USE),
    "abonnieren": (Use("uses", _B, "", "named"),),
    "nehmen": (Use("takes", _S, "", "medicine|dosed"), Use("takes", _E, "statt", "medicine")),
    "einnehmen": (Use("takes", _S, "", "medicine|dosed"),),
    "absetzen": (Use("takes", _E, "", "medicine|dosed"),),
    "verschreiben": (Use("takes", _B, "", "medicine|drug"),),
    "mögen": _LIKE,
    "lieben": _LIKE,
    "hassen": (Use("dislikes", _S, "", "liked"),),
    "trinken": (*_PREFER, Use("likes", _S, "gern", "liked")),
    "essen": (*_PREFER, Use("likes", _S, "gern", "liked")),
    "hören": (*_PREFER, Use("likes", _S, "gern", "liked")),
    "bevorzugen": (Use("prefers", _S, "", "liked"),),
    "verlassen": (Use("works_at", _E, "", "employer"), Use("member_of", _E, "", "left_group")),
    "kündigen": (Use("works_at", _E, "bei", "firm|lower_firm"), Use("uses", _E, "", "named")),
    "leiten": (Use("leads", _S, "", "led"),),
    "übernehmen": (Use("leads", _B, "", "led"),),
    "abgeben": (Use("leads", _E, "", "led"), Use("owns", _E, "", "sold")),
    **dict.fromkeys(("fliegen", "fahren", "reisen", "verreisen", "hinfahren", "hinfliegen"), _TRAVEL),
    "besuchen": (Use("visited", _V, "", "sight"),),
    **dict.fromkeys(("kaufen", "gönnen", "zulegen", "holen", "anschaffen", "erben", "besorgen", "adoptieren"), _GET),
    "bekommen": (
        Use("owns", _B, "", "possession"),
        Use("works_at", _B, "bei|in", "named_firm"),
    ),
    "annehmen": (Use("works_at", _B, "bei|in", "named_firm"),),
    "gewinnen": (Use("owns", _B, "", "possession"),),
    **dict.fromkeys(
        (
            "verkaufen",
            "verschenken",
            "spenden",
            "weggeben",
            "verlieren",
            "verschrotten",
            "entsorgen",
            "wegwerfen",
            "schenken",
        ),
        _PART,
    ),
    **dict.fromkeys(("anfangen", "beginnen", "starten"), _START),
    **dict.fromkeys(("aufhören", "aufgeben"), _STOP),
    **dict.fromkeys(("löschen", "deinstallieren", "abbestellen"), (Use("uses", _E, "", "named"),)),
    **dict.fromkeys(("beitreten", "eintreten"), (Use("member_of", _B, "|in", "group"),)),
    "anmelden": (Use("member_of", _B, "bei|in", "group"), Use("does", _B, "zu|für", "activity")),
    "heiraten": (Use("married_to", _B, "", "person"),),
    "verloben": (Use("partner_of", _B, "mit", "person"),),
    **dict.fromkeys(("wechseln", "umsteigen"), _SWITCH),
    "liegen": _LOCATED,
    "stehen": _LOCATED,
}
"""For each verb what it claims."""
