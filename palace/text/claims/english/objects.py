"""Whether a noun phrase is the kind of object that an English verb's claim is about. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from palace.records.graph import EntityType
from palace.text.claims.english.grammar.complements import Complement, complements
from palace.text.claims.english.grammar.medicines import is_medicine_word, names_medicine
from palace.text.claims.kinds import is_job, kin, roles, words
from palace.text.claims.phrases import POINTING, POSSESSIVES, Phrase
from palace.text.claims.tokens import listed

__all__ = ["Complement", "complements", "fits", "is_medicine_word", "is_money"]

_NO_PLACE = listed(
    """
town city house home bed work school college university office peace fear area place places country
countryside suburbs mountains village beach middle end beginning morning evening world past moment present
future way case fact love trouble building store shop street neighborhood neighbourhood room kitchen garden
park bathroom bedroom apartment flat basement something somewhere anywhere everything next first other others
new place direction person charge court stage step level phase side different bigger smaller better job
question topic gym hospital dark open stock mind general part total line touch hotel airport museum library
church theatre theater doctor dentist vet bank pool movies cinema supermarket market party wedding concert
event sleep bar restaurant cafe pub club meeting class live be see help stay
"""
)
_PRONOUNISH = listed(
    """
it that this them those these one ones some something anything everything nothing lot lots more much many
thing things way stuff idea ideas suggestion suggestions tip tips advice option options recommendation
recommendations sound look feel thought concept list approach plan point question questions part fact bit kind
sort most all any each both either none people time times day days weekend week moment chance first second
last next best while rest help information info details everyone everybody someone somebody other others
another same example examples previous how what when where especially particularly better best mainly most
"""
)
_OTHERS = listed("his her their your its")
_SPORTS = listed(
    """
yoga pilates judo karate taekwondo aikido boxing kickboxing crossfit bouldering climbing running cycling swimming
rowing sailing surfing skiing snowboarding skating dancing ballet salsa tango gymnastics fencing archery hiking
meditation pottery ceramics knitting crochet sewing weaving woodworking gardening beekeeping painting drawing
calligraphy photography origami birdwatching football soccer rugby hockey basketball volleyball tennis badminton
squash golf cricket baseball softball handball netball chess martial parkour triathlon marathons spinning zumba
aerobics kayaking canoeing diving scuba paddleboarding fishing jogging weightlifting powerlifting therapy physio
physiotherapy journaling improv choir watercolor watercolour curling aquafit aqua-aerobics parkrun parkour bowls
petanque croquet polo judo kendo fencing callisthenics calisthenics rollerblading skateboarding windsurfing
kitesurfing wakeboarding snorkeling snorkelling freediving caving canyoning rafting horse-riding riding equestrian
barre circuits crossstitch cross-stitch carpentry upholstery beading genealogy astronomy foraging gymnastics
trampolining wrestling lifting handstands breakdancing swing lindy flamenco line-dancing stand-up watercolors
embroidery quilting baking brewing homebrewing jiu-jitsu bjj capoeira orienteering geocaching
"""
)
_SCHOOLS = listed(
    """
uni university college school academy primary elementary kindergarten nursery preschool polytechnic institute
conservatory conservatoire lyceum gymnasium seminary faculty reception high secondary sixth-form kita
"""
)
_SUBJECTS = listed(
    """
math maths mathematics physics chemistry biology medicine law nursing engineering history philosophy psychology
sociology economics linguistics literature geography geology architecture accounting marketing business finance
statistics informatics computing pharmacy dentistry journalism theology anthropology archaeology astronomy
biochemistry biotechnology education pedagogy politics criminology neuroscience genetics ecology agronomy botany
zoology fashion film theatre drama music midwifery physiotherapy radiography logistics tourism robotics cybersecurity
science sciences studies classics management veterinary paramedicine optometry
"""
)
_NO_ORGANISATION = listed("minimum wage day night home least years year months weeks hours weekends")
_WORKPLACES = listed(
    """
council bank library hospital university school bakery shipyard museum ministry embassy post clinic factory brewery
police army navy railway prison zoo theatre newspaper pharmacy supermarket airport port harbour
nursery kindergarten garage hotel restaurant café cafe shop store office practice surgery
"""
)
_INSTITUTIONS = listed("centre center studio studios agency foundation group gallery services systems labs media club")
_OF_ANSWERS = listed(
    """
answer answers reply replies response responses explanation explanations bullet bullets paragraph paragraphs sentence
sentences summary summaries detail details steps formatting format table tables markdown emoji emojis tone wording
version versions draft drafts outline lists phrasing style comments
"""
)
"""What is asked of an assistant, and is no liking to be kept."""
_JOINED_ONCE = listed(
    """
meeting meetings call calls webinar session lesson stream chat lobby waitlist queue list party trip tour hike walk ride
line game match event conversation discussion debate craze trend fun dots forces others video
"""
)
"""What one joins for an hour, or only as a manner of speaking."""
_GAMES = listed(
    """
football soccer rugby hockey basketball volleyball tennis badminton squash golf cricket baseball softball
handball netball chess poker bridge lacrosse darts snooker pool pickleball padel
"""
)


def _no_pronoun(phrase: Phrase) -> bool:
    return phrase.head not in _PRONOUNISH and phrase.owner not in POINTING and phrase.tokens[0].text not in _PRONOUNISH


def _is_type(phrase: Phrase, *types: EntityType) -> bool:
    return phrase.name is not None and phrase.name.type in types


def _place(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type in (EntityType.PLACE, EntityType.ORGANISATION)
    if phrase.owner or any(token.text in _NO_PLACE for token in phrase.tokens):
        return False
    return _no_pronoun(phrase) and not phrase.is_value and (phrase.is_named or len(phrase.tokens) <= 2)


def _place_named(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type is EntityType.PLACE
    return _place(phrase) and phrase.is_named and phrase.tokens[0].is_upper


def _sight(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type in (EntityType.PLACE, EntityType.EVENT)
    return phrase.tokens[0].is_upper and phrase.is_named and _place(phrase)


def _organisation(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type in (EntityType.ORGANISATION, EntityType.PROJECT)
    if phrase.head in _NO_PLACE | _PRONOUNISH or phrase.is_value or phrase.tokens[0].text.endswith("ing"):
        return False
    if phrase.owner in POSSESSIVES | POINTING or phrase.head in ("myself", "home", "night"):
        return False
    if {token.text for token in phrase.tokens} & _NO_ORGANISATION:
        return False
    is_kind = phrase.owner in ("the", "") and phrase.head in _WORKPLACES
    is_kind = is_kind or (not phrase.owner and phrase.head in _SCHOOLS | _INSTITUTIONS)
    is_one = phrase.is_named or (not phrase.owner and len(phrase.tokens) == 1) or phrase.owner in ("a", "an")
    return is_one or is_kind


def _firm(phrase: Phrase) -> bool:
    return _is_type(phrase, EntityType.ORGANISATION) or (phrase.head == "job" and phrase.owner == "my")


def _school(phrase: Phrase) -> bool:
    is_named = phrase.is_named or phrase.name is not None
    named = {token.text for token in phrase.tokens}
    return is_named and bool(named & _SCHOOLS) and phrase.owner in ("", "the")


def _subject(phrase: Phrase) -> bool:
    return not phrase.owner and any(token.text in _SUBJECTS for token in phrase.tokens[-2:])


def _tool(phrase: Phrase) -> bool:
    """Whether it is a program or a service by its name, which a medicine, an animal or a vehicle is not."""
    is_typed = _is_type(phrase, EntityType.ITEM) or (
        _is_type(phrase, EntityType.ORGANISATION) and len(phrase.tokens) < 3
    )
    return is_typed and not phrase.owner and not phrase.is_value and not _medicine(phrase)


def _started(phrase: Phrase) -> bool:
    return _is_type(phrase, EntityType.ORGANISATION, EntityType.PROJECT) or phrase.head in (
        "startup",
        "company",
        "charity",
    )


def _employer(phrase: Phrase) -> bool:
    is_kind = not phrase.owner and 1 < len(phrase.tokens) <= 4 and phrase.head in _WORKPLACES | _SCHOOLS | _INSTITUTIONS
    is_one = phrase.is_named or (not phrase.owner and len(phrase.tokens) == 1)
    return _organisation(phrase) and (is_one or is_kind) and not _school(phrase)


def _job(phrase: Phrase) -> bool:
    return is_job(phrase.head)


def _goods(phrase: Phrase) -> bool:
    if _medicine(phrase):
        return False
    if phrase.owner in _OTHERS or not _no_pronoun(phrase) or phrase.head in words("not_owned") or phrase.head in kin():
        return False
    if _is_type(phrase, EntityType.ITEM):
        return True
    if phrase.name is not None and phrase.name.type is EntityType.PERSON:
        return False
    if _is_kept(phrase.head):
        return True
    return phrase.name is None and phrase.owner in ("a", "an", "my", "our", "the") and not phrase.is_value


def _gotten(phrase: Phrase) -> bool:
    if phrase.owner in _OTHERS or _medicine(phrase):
        return False
    return _possession(phrase) or (_goods(phrase) and phrase.owner in ("a", "an", "the") and _was_new(phrase))


def _was_new(phrase: Phrase) -> bool:
    is_product = phrase.name is None or phrase.name.type is EntityType.ITEM
    return phrase.is_named and is_product and any(token.text[0].isdigit() for token in phrase.tokens)


def _possession(phrase: Phrase) -> bool:
    if not _no_pronoun(phrase):
        return False
    if phrase.name is not None:
        return phrase.name.type is EntityType.ITEM
    return _is_kept(phrase.head)


def _is_kept(noun: str) -> bool:
    """Whether it is one of the things, or the animals, that people keep."""
    kept = words("owned") | words("animals")
    return noun in kept or noun.removesuffix("s") in kept


def _owned(phrase: Phrase) -> bool:
    return _possession(phrase) or (_goods(phrase) and phrase.owner in ("a", "an", "my", "our"))


def _sold(phrase: Phrase) -> bool:
    if any(token.text.endswith("'s") for token in phrase.tokens):
        return False
    if _possession(phrase):
        return True
    return _no_pronoun(phrase) and phrase.owner in ("my", "our", "the", "teh", "his", "her") and _is_thing(phrase)


def _lost(phrase: Phrase) -> bool:
    return _possession(phrase) and phrase.owner in ("my", "our", "his", "her", "")


def _is_thing(phrase: Phrase) -> bool:
    is_person = phrase.head in kin() or phrase.head in roles()
    return not is_person and phrase.head not in words("not_owned") and not _is_type(phrase, EntityType.PERSON)


def _activity(phrase: Phrase) -> bool:
    if phrase.owner or phrase.is_value or phrase.head in _PRONOUNISH | words("not_owned"):
        return False
    if _is_type(phrase, EntityType.EVENT):
        return True
    if phrase.tokens[0].text in ("taking", "doing", "playing", "going", "learning"):
        return False
    return phrase.head in _SPORTS | _GAMES or phrase.tokens[0].text in _SPORTS | {"smoking", "drinking"}


def _liked(phrase: Phrase) -> bool:
    if any(token.text in _OF_ANSWERS for token in phrase.tokens[-2:]):
        return False
    if not _no_pronoun(phrase) or phrase.owner in POSSESSIVES or len(phrase.tokens) > 4:
        return False
    if phrase.name is None and (_is_lone_ing(phrase) or any(token.text.endswith("'s") for token in phrase.tokens)):
        return False
    if phrase.name is not None:
        return phrase.name.type is not EntityType.PERSON
    if phrase.owner:
        return False
    return all(not token.is_mark for token in phrase.tokens) and not phrase.is_value


def _is_lone_ing(phrase: Phrase) -> bool:
    """Whether it is a doing of which only the beginning is read: "enjoy hearing about …"."""
    first = phrase.tokens[0].text
    is_lone = len(phrase.tokens) == 1 and phrase.head.endswith("ing") and phrase.head not in _SPORTS
    return is_lone or first in ("getting", "being", "having", "seeing", "going", "doing", "makes", "make", "hard")


def _used(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type in (EntityType.ITEM, EntityType.ORGANISATION, EntityType.PROJECT)
    return phrase.is_named and phrase.tokens[0].is_upper and phrase.owner in ("", "the", "my", "a")


def _medicine(phrase: Phrase) -> bool:
    return names_medicine([token.text for token in phrase.tokens])


def _played(phrase: Phrase) -> bool:
    return phrase.head in words("instruments") or (phrase.head in _GAMES and not phrase.owner)


def _led(phrase: Phrase) -> bool:
    if phrase.owner in POINTING or (phrase.head in ("class", "party", "union", "board") and phrase.owner != "the"):
        return False
    return phrase.head in words("groups") or _is_type(phrase, EntityType.PROJECT)


def _group(phrase: Phrase) -> bool:
    if phrase.owner in POINTING or not _no_pronoun(phrase):
        return False
    return phrase.head in words("groups") - {"class", "project", "party"} or _is_type(phrase, EntityType.ORGANISATION)


def _joined(phrase: Phrase) -> bool:
    """Whether it is what people join: a group by its kind, or one by a name of several words."""
    if _group(phrase):
        return True
    is_other = phrase.owner not in ("", "the") or phrase.is_value or len(phrase.tokens) < 2
    texts = {token.text for token in phrase.tokens}
    if is_other or texts & _JOINED_ONCE or any(text.endswith("'s") for text in texts) or "of" in texts:
        return False
    if phrase.name is not None:
        return phrase.name.type is EntityType.PLACE and phrase.name.start <= phrase.tokens[0].start
    is_active = phrase.owner == "the" and phrase.tokens[0].text in _SPORTS and phrase.head not in words("not_owned")
    return is_active or (not phrase.owner and all(token.is_word for token in phrase.tokens) and _is_led_by_name(phrase))


def _is_led_by_name(phrase: Phrase) -> bool:
    return phrase.tokens[0].is_upper and len(phrase.tokens) <= 3


def _left_group(phrase: Phrase) -> bool:
    return _group(phrase) and not _is_type(phrase, EntityType.ORGANISATION)


def _topic(phrase: Phrase) -> bool:
    return (
        phrase.head not in ("hard", "abroad", "alone", "more", "late")
        and not phrase.owner
        and _no_pronoun(phrase)
        and len(phrase.tokens) <= 3
        and not phrase.is_value
    )


def _person(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type is EntityType.PERSON
    return not phrase.owner and phrase.tokens[0].is_upper and phrase.is_named and not phrase.is_value


def is_money(phrase: Phrase) -> bool:
    """Whether it is an amount of money."""
    text = " ".join(token.text for token in phrase.tokens)
    return (
        re.search(
            r"[€£$¥]\s?\d|\d[\d.,]*\s?k?\s?(?:euros?|dollars?|bucks|pounds?|quid|francs?|eur|usd|gbp|chf)\b", text
        )
        is not None
    )


_TESTS: dict[str, Callable[[Phrase], bool]] = {
    "place": _place,
    "place_named": _place_named,
    "sight": _sight,
    "place_typed": lambda phrase: _is_type(phrase, EntityType.PLACE),
    "organisation": _organisation,
    "firm": _firm,
    "employer": _employer,
    "company": lambda phrase: _is_type(phrase, EntityType.ORGANISATION),
    "school": _school,
    "subject": _subject,
    "tool": _tool,
    "started": _started,
    "illness": lambda phrase: phrase.head in words("illnesses"),
    "job": _job,
    "project": lambda phrase: _is_type(phrase, EntityType.PROJECT),
    "volunteering": lambda _phrase: False,
    "topic": _topic,
    "language": lambda phrase: phrase.head in words("languages"),
    "instrument": lambda phrase: phrase.head in words("instruments") and not phrase.tokens[0].text.endswith("ing"),
    "owned": _owned,
    "goods": _goods,
    "goods_named": lambda phrase: _no_pronoun(phrase) and phrase.tokens[0].is_upper and phrase.head not in kin(),
    "animal": lambda phrase: phrase.head in words("animals") or _is_type(phrase, EntityType.ITEM),
    "gotten": _gotten,
    "possession": _possession,
    "sold": _sold,
    "lost": _lost,
    "activity": _activity,
    "medicine": _medicine,
    "person": _person,
    "liked": _liked,
    "used": _used,
    "vehicle": lambda phrase: phrase.is_named and _no_pronoun(phrase) and phrase.owner in ("a", "an", "my", "our"),
    "played": _played,
    "led": _led,
    "group": _group,
    "joined": _joined,
    "left_group": _left_group,
    "sport": lambda phrase: phrase.head in _SPORTS | _GAMES and phrase.owner in ("", "my"),
}


def fits(phrase: Phrase, wants: str) -> bool:
    """Whether a phrase is the kind of object that a use of a verb wants."""
    return bool(phrase.tokens) and _TESTS[wants](phrase)
