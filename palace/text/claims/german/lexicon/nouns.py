"""German nouns of people, animals, things and doings, by their own or by what a compound ends with. Pure."""

from __future__ import annotations

from functools import cache

from palace.text.claims.kinds import in_english, is_job, kin, roles, words
from palace.text.claims.tokens import listed

_PEOPLE_WRITTEN = """
steuerberater:accountant steuerberaterin:accountant anwalt:lawyer anwältin:lawyer rechtsanwalt:lawyer
rechtsanwältin:lawyer kardiologe:cardiologist kardiologin:cardiologist hautarzt:dermatologist hautärztin:dermatologist
augenarzt:optician kinderarzt:paediatrician kinderärztin:paediatrician frauenarzt:doctor frauenärztin:doctor
orthopäde:doctor orthopädin:doctor physiotherapeut:physio physiotherapeutin:physio physio:physio psychiater:psychiatrist
psychiaterin:psychiatrist psychologin:therapist putzfrau:cleaner hausmeister:caretaker klempner:plumber
mechaniker:mechanic babysitterin:babysitter babysitter:babysitter tagesmutter:nanny trainer:trainer coach:coach
vorgesetzter:boss vorgesetzte:boss teamleiter:boss teamleiterin:boss abteilungsleiterin:boss abteilungsleiter:boss
professor:professor professorin:professor doktorvater:supervisor betreuerin:supervisor betreuer:supervisor
klavierlehrerin:teacher mama:mutter mami:mutter mutti:mutter mum:mutter papa:vater papi:vater vati:vater
omi:oma opi:opa omas:oma opas:opa schwesterherz:schwester bruderherz:bruder cousin:cousin patenonkel:onkel
patentante:tante schwiegersohn:son-in-law schwiegertochter:daughter-in-law patensohn:godson patentochter:goddaughter
enkelkind:grandchild enkeltochter:enkelin enkelsohn:enkel mädels:tochter baby:baby kleine:kind lebensgefährte:freund
lebensgefährtin:freundin lebenspartner:partner lebenspartnerin:partnerin gatte:mann gattin:frau göttergatte:mann
ex-freund:none ex-freundin:none ex-mann:none ex-frau:none exfreund:none exfreundin:none exmann:none exfrau:none
hausfrau:none kauffrau:none kaufmann:none putzmann:none fachmann:none landsmann:none
kumpels:kumpel kumpeline:kumpel arbeitskollege:kollege arbeitskollegin:kollegin kollegen:kollege neffen:neffe
nachbarn:nachbar chefs:chef herrchen:none schäferhund:hund labradorhündin:hündin dackel:hund pudel:hund labrador:hund
golden:none mops:hund beagle:hund welpe:hund hundedame:hündin mischling:hund kätzchen:katze meerschweinchen:pet
papagei:papagei stute:pferd wallach:pferd pony:pferd hengst:pferd
"""
_PLURALS_WRITTEN = """
kinder:kind söhne:sohn töchter:tochter schwestern:schwester brüder:bruder hunde:hund katzen:katze pferde:pferd
freunde:freund kollegen:kollege eltern:parents großeltern:none schwiegereltern:none kaninchen:kaninchen kater:kater
geschwister:none hühner:none jungs:sohn mädchen:tochter enkel:enkel nachbarn:nachbar tanten:tante cousinen:cousine
freundinnen:freundin hasen:hase
"""
_ENDINGS = (
    "schwester", "bruder", "mutter", "vater", "tochter", "sohn", "tante", "onkel", "cousine", "nichte", "neffe",
    "oma", "opa", "kollege", "kollegin", "lehrer", "lehrerin", "nachbar", "nachbarin", "mitbewohnerin",
    "mitbewohner", "hund", "katze", "kater", "trainerin", "therapeutin", "chef", "chefin", "freundin", "freund",
    "vermieterin",
)  # fmt: skip
_NO_ENDINGS = listed(
    "krankenschwester fachlehrer grundschullehrer grundschullehrerin jagdhund musiklehrerin musiklehrer"
)

_JOBS = listed(
    """
rentner rentnerin pastor pastorin pfarrer pfarrerin richter richterin notar notarin steuerberater steuerberaterin
lokführer lokführerin busfahrer busfahrerin fahrer fahrerin kellner kellnerin wirt wirtin metzger dachdecker maurer
installateur klempner schlosser schlosserin schweißer zimmermann schulleiter schulleiterin direktor direktorin
professor professorin dozent dozentin forscher forscherin wissenschaftler wissenschaftlerin chemiker chemikerin
physiker physikerin biologe biologin mathematiker informatiker informatikerin developer designer designerin berater
beraterin makler maklerin banker bankkauffrau bankkaufmann kauffrau kaufmann sekretärin assistent assistentin
hausfrau hausmann beamter beamtin soldat feuerwehrmann sanitäter sanitäterin altenpfleger altenpflegerin logopädin
ergotherapeutin krankenpflegerin chirurg chirurgin kinderärztin kinderarzt hautärztin orthopäde internist psychiater
psychiaterin fotograf fotografin künstler künstlerin musiker musikerin sänger sängerin schauspieler schauspielerin
autor autorin redakteur redakteurin landwirt landwirtin winzer winzerin imker imkerin förster försterin
tierpflegerin azubi auszubildender auszubildende praktikant praktikantin werkstudent werkstudentin geschäftsführer
geschäftsführerin teamleiter teamleiterin projektleiter projektleiterin projektmanager projektmanagerin
produktmanagerin produktmanager konditor konditorin florist floristin schneiderin schneider uhrmacher buchhändlerin
buchhändler hausärztin anwaltsgehilfin steuerfachangestellte arzthelferin mfa zugbegleiterin flugbegleiterin
flugbegleiter stewardess softwareentwickler softwareentwicklerin maschinenbauer maschinenbauingenieur ministerin
minister bürgermeisterin bürgermeister zahntechnikerin zahntechniker lehramtsstudentin grundschullehrerin hebamme
lagerist disponent disponentin gastronom gastronomin trainerin referentin referent doktorand doktorandin postbote
briefträger pilotin
"""
)
_JOB_ENDINGS = (
    "lehrer", "lehrerin", "ingenieur", "ingenieurin", "entwickler", "entwicklerin", "meister", "meisterin",
    "berater", "beraterin", "leiter", "leiterin", "pfleger", "pflegerin", "techniker", "technikerin", "fahrer",
    "fahrerin", "manager", "managerin", "therapeut", "therapeutin", "verkäufer", "verkäuferin", "assistentin",
    "assistent", "kauffrau", "kaufmann", "schwester", "arzt", "ärztin", "anwalt", "anwältin", "student",
    "studentin", "designer", "designerin", "ologe", "ologin", "bauer", "bäuerin", "wirt", "wirtin", "forscher",
    "forscherin", "arbeiter", "arbeiterin", "fachfrau", "fachmann", "angestellte", "angestellter", "redakteur",
    "redakteurin", "händler", "händlerin", "grafiker", "grafikerin",
)  # fmt: skip
_SPORTS = listed(
    """
yoga judo karate turnen bouldern klettern laufen joggen schwimmen rudern segeln tanzen fußball handball
volleyball tennis schach boxen reiten radfahren golf töpfern stricken nähen imkern malen zeichnen fechten
tauchen pilates ballett badminton tischtennis basketball rauchen crossfit tai-chi taiji meditieren meditation häkeln
gitarrenunterricht klavierunterricht wandern surfen skifahren skaten kickboxen aikido hockey eishockey leichtathletik
triathlon spinning zumba aerobic aqua-fitness krafttraining reha-sport rückenschule salsa tango jonglieren skat poker
darts dart billard minigolf kegeln bowling geocaching angeln gärtnern backen fotografieren kalligrafie origami
improtheater rugby padel paddeln kajakfahren wintersport snowboarden inlineskaten trampolin ringen bogenschießen
"""
)
_DOING_ENDINGS = (
    "kurs",
    "unterricht",
    "training",
    "turnen",
    "schwimmen",
    "gymnastik",
    "therapie",
    "sport",
    "yoga",
)
_GAMES = listed(
    "fußball handball volleyball tennis schach golf badminton tischtennis basketball hockey eishockey skat poker darts"
    " dart billard minigolf rugby padel squash wasserball bridge"
)
_INSTRUMENTS = listed(
    """
saxophon saxofon horn tuba oboe fagott mandoline zither kontrabass cajon djembe blockflöte querflöte bass e-gitarre
e-bass keyboard synthesizer mundharmonika banjo ziehharmonika percussion pauke waldhorn cembalo violine violoncello
"""
)
_INSTRUMENT_ENDINGS = (
    "gitarre",
    "flöte",
    "bass",
    "klavier",
    "orgel",
    "trommel",
    "klarinette",
    "harfe",
    "geige",
    "horn",
    "saxophon",
    "saxofon",
)
_ILLNESSES = listed(
    """
diabetes asthma migräne heuschnupfen neurodermitis rheuma arthrose bluthochdruck depressionen depression epilepsie
zöliakie schuppenflechte tinnitus schilddrüsenunterfunktion hashimoto gicht anämie adhs ads endometriose osteoporose
parkinson demenz multiple ms rosazea colitis reizdarm schlafapnoe laktoseintoleranz fruktoseintoleranz
"""
)
_OWNED_ENDINGS = (
    "rad", "auto", "boot", "wagen", "säge", "maschine", "haus", "wohnung", "kamera", "zelt", "tisch", "bett",
    "stuhl", "lampe", "gitarre", "schuhe", "stiefel", "jacke", "rucksack", "drucker", "garten", "roller", "laptop",
    "handy", "regal", "herd", "ofen", "schrank", "pumpe", "bohrer", "uhr", "hut", "anlage", "gerät", "telefon",
    "computer", "bildschirm", "bulli", "mobil", "bike", "mixer", "schrauber", "kocher", "grill", "klavier", "geige",
    "flügel", "ring", "moped", "mofa", "sauger", "trockner", "kühlschrank", "mantel", "kajak", "kanu", "yacht",
    "jolle", "grundstück", "ferienhaus", "hütte", "motorrad", "hund", "katze", "kater", "welpe", "pferd", "hamster",
    "kaninchen", "konsole", "switch", "playstation", "tablet", "kopfhörer", "lautsprecher", "rechner", "monitor",
    "fernseher", "server", "router", "teleskop", "fernglas", "nähmaschine", "drohne", "sofa", "couch", "sessel",
    "matratze", "teppich", "vespa", "kombi", "kicker", "anhänger", "wohnwagen", "traktor", "rasenmäher", "saxophon",
    "cello", "trompete", "gewächshaus", "aquarium", "terrarium",
)  # fmt: skip
_NO_OWNED = listed(
    "krankenhaus rathaus pflegeheim autohaus kaufhaus parkhaus wagen fahrrad-tour treppenhaus kindergarten uhr ring"
    " schauspielhaus opernhaus autotelefon biergarten hochhaus gasthaus hebamme herd traum uhrzeit altenheim"
) - listed("wagen ring uhr herd")
_GROUP_ENDINGS = (
    "verein", "chor", "gruppe", "mannschaft", "team", "orchester", "projekt", "abteilung", "partei", "klub", "club",
    "band", "verband", "gewerkschaft", "ag", "kurs", "ensemble", "feuerwehr", "genossenschaft", "rat", "kapelle",
    "liga", "redaktion", "schule", "filiale", "werkstatt", "laden", "collegium", "camerata", "kantorei", "philharmonie",
)  # fmt: skip


PROPERTIES = {
    "miete": "rent", "kaltmiete": "rent", "warmmiete": "rent", "gehalt": "salary", "passwort": "password",
    "geburtstag": "birthday", "adresse": "address", "nummer": "number", "telefonnummer": "number",
    "handynummer": "number", "größe": "size", "schuhgröße": "size", "gewicht": "weight", "code": "code",
    "pin": "pin", "blutgruppe": "blood_type", "kennzeichen": "number_plate", "kundennummer": "customer_number",
    "kontonummer": "account_number", "alter": "age", "sternzeichen": "star_sign", "nachname": "surname",
    "mädchenname": "maiden_name", "hochzeitstag": "anniversary", "kfz-kennzeichen": "number_plate", "dosis": "dose",
    "rente": "pension", "iban": "iban",
}  # fmt: skip
"""Nouns of what one has as a value, with the predicates they make."""


@cache
def _people() -> dict[str, str]:
    return dict(pair.split(":") for pair in f"{_PEOPLE_WRITTEN} {_PLURALS_WRITTEN}".split())


@cache
def _plurals() -> frozenset[str]:
    return frozenset(pair.split(":")[0] for pair in _PLURALS_WRITTEN.split())


def person_noun(word: str) -> str | None:
    """Give the noun of kin, a role or an animal that a word is, as the lists of both languages have it."""
    word = word.replace("ae", "ä") if word.startswith("zahnae") else word
    if word in _people():
        known = _people()[word]
        return None if known == "none" else known
    if word in kin() or word in roles() or word in words("animals"):
        return word
    if word in _NO_ENDINGS:
        return None
    ending = next((each for each in _ENDINGS if word.endswith(each) and len(word) > len(each) + 2), None)
    return ending if ending is not None and "-ex" not in word and not word.startswith("ex") else None


@cache
def german_nouns(noun: str) -> frozenset[str]:
    """List the German nouns that become an English one in a predicate: people, roles and properties."""
    people = (word for word, known in _people().items() if known == noun or in_english(known) == noun)
    known = (word for word in (*kin(), *roles()) if in_english(word) == noun)
    return frozenset([*people, *known, *(word for word, name in PROPERTIES.items() if name.replace("_", " ") == noun)])


def is_plural(word: str) -> bool:
    """Whether a noun of people stands for several."""
    return word in _plurals()


def is_german_job(noun: str) -> bool:
    """Whether a noun says what somebody does for a living."""
    return noun in _JOBS or is_job(noun) or (noun.endswith(_JOB_ENDINGS) and len(noun) > 6)


_CALLINGS = (
    "er", "erin", "ist", "istin", "eur", "eurin", "ent", "entin", "ant", "antin", "or", "orin", "mann", "frau", "kraft",
    "ologe", "ologin", "grafin", "graf", "iker", "ikerin", "leute",
)  # fmt: skip
_NO_CALLINGS = listed(
    """
vegetarier vegetarierin veganer veganerin raucher raucherin nichtraucher nichtraucherin deutscher österreicher
österreicherin schweizer schweizerin berliner berlinerin hamburger kölner wiener anfänger anfängerin linkshänder
linkshänderin frühaufsteher mieter mieterin vermieter vermieterin besitzer besitzerin fahrer schüler schülerin single
mutter vater bruder schwester tochter opfer fehler sommer winter wunder zimmer wasser papier fieber wetter alter
pendler pendlerin allergiker allergikerin diabetiker diabetikerin christ christin optimist pessimist gewinner sieger
favorit favoritin erster zweiter letzter kunde kundin patient patientin gründer zeuge nachbar teilnehmer teilnehmerin
weltmeister eltern großmutter schwager kater ärger hunger hammer müller leser fan nutzer einzelkind muslim autofahrer
moment problem projekt präsent talent element patent kindergarten
"""
)


def is_calling(noun: str) -> bool:
    """Whether a noun without an article behind "bin" or "als" says what somebody does for a living, by its end."""
    return is_german_job(noun) or (noun.endswith(_CALLINGS) and noun not in _NO_CALLINGS and len(noun) > 5)


def is_doing(noun: str) -> bool:
    """Whether a noun is a sport, a course or a habit."""
    return noun in _SPORTS or (
        noun.endswith(_DOING_ENDINGS) and noun not in ("sport", "training", "kurs", "unterricht")
    )


def is_game(noun: str) -> bool:
    """Whether a noun is a game that one plays."""
    return noun in _GAMES


def is_instrument(noun: str) -> bool:
    """Whether a noun is an instrument of music."""
    return noun in words("instruments") or noun in _INSTRUMENTS or noun.endswith(_INSTRUMENT_ENDINGS)


def is_illness(noun: str) -> bool:
    """Whether a noun is an illness that one has for long."""
    return (
        noun in _ILLNESSES
        or noun in words("illnesses")
        or noun.endswith(("allergie", "intoleranz", "unverträglichkeit"))
    )


def is_owned(noun: str) -> bool:
    """Whether a noun is a thing or an animal that people own."""
    if noun in _NO_OWNED or noun in ("konrad", "kamerad", "grad", "schwarzbär"):
        return False
    return (
        noun in words("owned")
        or noun in words("animals")
        or noun.endswith(_OWNED_ENDINGS)
        or person_noun(noun) in words("animals")
    )


def is_group(noun: str) -> bool:
    """Whether a noun is a group of people that one belongs to or leads."""
    return noun.endswith(_GROUP_ENDINGS) and noun not in _GROUP_ENDINGS


_GENITIVE_KIN = ("freundes", "bruders", "vaters", "sohnes", "mannes", "onkels", "chefs", "kollegen", "nachbarn")


@cache
def genitives() -> dict[str, str]:
    """Give the nouns of people that forms of the genitive belong to."""
    return {
        each: each.removesuffix("es") if each.endswith(("des", "nes")) else each.removesuffix("s").removesuffix("n")
        for each in _GENITIVE_KIN
    }
