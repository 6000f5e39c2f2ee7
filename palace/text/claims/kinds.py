"""What words are for in a claim, in both languages: kin, animals, things that are owned, jobs, illnesses. Pure."""

from __future__ import annotations

from functools import cache

_KIN_WRITTEN = {
    "sibling_of": "sister:f brother:m sis:f bro:m stepsister:f stepbrother:m half-sister:f half-brother:m twin:n"
    " schwester:f bruder:m",
    "child_of": "parents:n mother:f father:m mom:f mum:f mam:f dad:m mama:f papa:m stepmother:f stepfather:m stepdad:m"
    " stepmum:f mutter:f vater:m",
    "parent_of": "son:m daughter:f stepson:m stepdaughter:f kid:n child:n baby:n toddler:n sohn:m tochter:f kind:n",
    "married_to": "wife:f husband:m spouse:n hubby:m wifey:f frau:f mann:m ehemann:m ehefrau:f",
    "partner_of": "partner:n girlfriend:f boyfriend:m fiancé:m fiancée:f fiance:n gf:f bf:m partnerin:f freundin:f"
    " freund:m verlobter:m verlobte:f",
    "friend_of": "friend:n bestie:n buddy:m mate:n pal:n kumpel:m",
    "colleague_of": "colleague:n coworker:n co-worker:n workmate:n teammate:n kollege:m kollegin:f kolleg:m",
    "related_to": "aunt:f auntie:f uncle:m cousin:n niece:f nephew:m grandma:f grandmother:f nan:f nana:f gran:f"
    " granny:f grandpa:m grandfather:m granddad:m grandson:m granddaughter:f grandchild:n mother-in-law:f"
    " father-in-law:m sister-in-law:f brother-in-law:m son-in-law:m daughter-in-law:f godson:m"
    " goddaughter:f godmother:f godfather:m tante:f onkel:m cousine:f nichte:f neffe:m oma:f opa:m"
    " großmutter:f großvater:m enkel:m enkelin:f schwager:m schwägerin:f schwiegermutter:f"
    " schwiegervater:m",
}
_ROLES_WRITTEN = (
    "boss:n cleaner:n gardener:n orthodontist:n midwife:f counsellor:n counselor:n barber:m builder:n electrician:n"
    " roomie:n lodger:n tenant:n childminder:n dietitian:n osteopath:n chiropractor:n solicitor:n broker:n supplier:n"
    " editor:n agent:n apprentice:n assistant:n caretaker:n carer:n instructor:n advisor:n adviser:n principal:n"
    " headteacher:n manager:n dentist:n doctor:n gp:n vet:n landlord:m landlady:f therapist:n accountant:n lawyer:n"
    " hairdresser:n physio:n trainer:n coach:n tutor:n teacher:n neighbour:n neighbor:n roommate:n flatmate:n"
    " housemate:n supervisor:n mentor:n babysitter:n nanny:n cardiologist:n dermatologist:n optician:n"
    " plumber:n mechanic:n pediatrician:n paediatrician:n professor:n physiotherapist:n psychiatrist:n"
    " surgeon:n chef:m chefin:f zahnarzt:m zahnärztin:f hausarzt:m hausärztin:f ärztin:f arzt:m tierarzt:m"
    " tierärztin:f vermieter:m vermieterin:f nachbar:m nachbarin:f mitbewohner:m mitbewohnerin:f therapeutin:f"
    " therapeut:m friseur:m friseurin:f lehrer:m lehrerin:f trainerin:f"
)
_ANIMALS = """
dog cat puppy kitten horse pony rabbit bunny hamster parrot budgie bird tortoise turtle goldfish fish snake lizard
pig guinea-pig ferret chicken hen hens chickens whippet labrador lab poodle terrier beagle collie retriever spaniel
dachshund hund hündin katze kater pferd hase kaninchen wellensittich papagei welpe schildkröte pup doggo pet goat
donkey gecko greyhound mutt tabby
"""
_OWNED = """
car van truck bike bicycle motorbike motorcycle scooter e-bike ebike boat sailboat kayak canoe caravan campervan
camper motorhome trailer house bakery shop restaurant farm pub café cafe business flat apartment cottage cabin condo
laptop computer pc desktop phone smartphone tablet watch smartwatch camera lens telescope printer keyboard monitor
tv television console headphones earbuds speaker speakers server nas router drone guitar piano violin cello ukulele
drums drum flute clarinet trumpet saxophone banjo bass synth synthesizer accordion bed sofa couch desk table chair
bookshelf mattress lamp rug fridge freezer oven stove dishwasher washer dryer dehumidifier vacuum kettle toaster
blender mixer airfryer microwave grill bbq smoker espresso machine grinder tent backpack rucksack suitcase boots
shoes sneakers trainers jacket coat dress suit skis snowboard surfboard paddleboard treadmill greenhouse shed
allotment garden drill saw lawnmower mower loom tracker ring necklace bracelet collar harness helmet lock pump rack
tyres tires saddle aquarium terrarium record turntable amp amplifier microphone mic kindle ipad iphone macbook
chromebook vinyl collection kit tank holder cage printer scanner projector soundbar sewing stroller pram auto wagen
fahrrad rad motorrad roller boot segelboot folkeboot kanu wohnmobil wohnwagen haus wohnung laptop rechner handy
kamera fernseher klavier geige gitarre cello flöte schlagzeug sofa bett tisch lampe säge bohrmaschine zelt rucksack
schuhe stiefel jacke ring uhr drucker kaffeemaschine waschmaschine spülmaschine kühlschrank garten schrebergarten
gewächshaus ski grill hut staubsauger bildschirm
"""
_NOT_OWNED = """
ticket tickets gift gifts present presents groceries food coffee lunch dinner breakfast drink drinks beer wine milk
bread call message email mail idea feeling chance look time job work offer deal discount haircut promotion raise
degree sense headache cold flu appointment quote response reply reservation reservations room membership
subscription point points thing things stuff one ones it bit lot lots couple bunch few some something anything
everything nothing part rest same news tip tips advice recommendation recommendations answer question questions
problem problems trouble result results score grade feedback experience opportunity break day week weekend month
year night morning round piece pieces cup glass habit way interest interests goal goals plan plans understanding mix
variety set number place places friend friends kind kinds type types sort item items supplies ingredients flowers
snacks pizza cake pie meal meals materials license permit visa passport certificate certification vaccine shot
tattoo massage facial kick glimpse hold rid back lost used tired sick bored confused stuck ready married engaged
divorced hurt done going started close sleep thanks help attention pack packs bottle bottles box boxes bag bags jar
can cans loaf slice dozen batch jug carton preorder pass entry seat seats flowers bouquet attention control access
credit money cash trip flight hotel package products product copy
"""
_JOBS = """
nurse teacher doctor engineer lawyer accountant plumber electrician carpenter chef cook baker barista waiter
waitress pilot driver farmer gardener writer author editor translator interpreter architect designer developer
programmer manager director consultant analyst scientist researcher professor lecturer librarian vet veterinarian
dentist pharmacist physio physiotherapist psychologist therapist paramedic firefighter policeman policewoman officer
soldier salesman salesperson marketer recruiter photographer painter artist musician actor actress dancer singer
producer journalist reporter midwife surgeon student apprentice intern freelancer contractor cashier cleaner
secretary receptionist administrator assistant coordinator specialist technician mechanic welder builder roofer
tailor hairdresser florist butcher fisherman sailor captain conductor coach trainer tutor nanny banker broker
realtor barrister solicitor postwoman headteacher principal secretary treasurer caretaker roofer potter sculptor dj
drummer guitarist bassist bartender sommelier brewer dietitian nutritionist orthodontist optician surgeon gp
anaesthetist radiographer carer childminder nanny runner apprentice bouncer courier trucker trainee postdoc
professor dean rabbi priest imam vicar pastor monk tattooist stylist barber beautician concierge housekeeper
landlord landscaper stonemason mason glazier joiner decorator bricklayer scaffolder machinist operator dispatcher
postie economist statistician mathematician physicist chemist biologist historian archaeologist philosopher
geologist astronomer meteorologist strategist planner surveyor inspector judge attorney paralegal clerk bookkeeper
auditor supervisor foreman founder ceo cto beekeeper postman bootsbauer hebamme lehrer lehrerin arzt ärztin
krankenschwester krankenpfleger ingenieur ingenieurin anwalt anwältin tischler tischlerin schreiner schreinerin
bäcker bäckerin koch köchin gärtner gärtnerin architekt architektin entwickler entwicklerin programmierer
programmiererin übersetzer übersetzerin journalist journalistin buchhalter buchhalterin verkäufer verkäuferin
elektriker elektrikerin mechaniker mechanikerin pfleger pflegerin erzieher erzieherin physiotherapeut
physiotherapeutin psychologe psychologin student studentin apotheker apothekerin polizist polizistin pilot pilotin
friseur friseurin optiker optikerin maler malerin goldschmied goldschmiedin tierarzt tierärztin zahnarzt zahnärztin
sozialarbeiter sozialarbeiterin bibliothekar bibliothekarin grafiker grafikerin
"""
_JOB_ENDINGS = ("engineer", "ologist", "ician", "developer", "manager", "designer", "teacher", "keeper", "therapist")
_LANGUAGES = """
english german french spanish italian portuguese dutch swedish norwegian danish finnish polish czech slovak russian
ukrainian greek turkish arabic hebrew persian farsi hindi urdu bengali tamil telugu punjabi gujarati marathi
mandarin cantonese chinese japanese korean vietnamese thai tagalog indonesian malay swahili yoruba igbo hausa
amharic zulu hungarian romanian bulgarian serbian croatian bosnian slovenian albanian latvian lithuanian estonian
icelandic irish welsh catalan basque galician latin esperanto asl bsl deutsch englisch französisch spanisch
italienisch portugiesisch niederländisch schwedisch norwegisch dänisch polnisch russisch ukrainisch griechisch
türkisch arabisch chinesisch japanisch koreanisch ungarisch rumänisch kroatisch
serbisch slowenisch tschechisch bulgarisch hebräisch finnisch
"""
_INSTRUMENTS = """
piano guitar violin cello viola flute clarinet oboe bassoon trumpet trombone horn tuba saxophone sax drums ukulele
banjo mandolin harp accordion bass organ keyboard keys harmonica recorder sitar tabla synth fiddle double-bass
klavier gitarre geige bratsche flöte klarinette trompete posaune schlagzeug akkordeon harfe orgel kontrabass ukulele
"""
_ILLNESSES = """
diabetes asthma migraines migraine eczema psoriasis arthritis hypertension anxiety depression adhd celiac coeliac
epilepsy allergy allergies intolerance ibs insomnia anemia anaemia gout endometriosis tinnitus sciatica
hypothyroidism pcos asthma diabetes migräne heuschnupfen neurodermitis rheuma
"""
_DATED = """
gig recital marathon half-marathon jab op procedure scan christening premiere
exam wedding interview appointment surgery operation flight concert party graduation launch meeting conference race
marathon recital trip holiday vacation audition presentation defense defence checkup check-up scan treatment festival
tournament game match show deadline funeral baptism christening
"""
_GROUPS = """
club team group choir band orchestra league society association committee crew squad department project workshop
class chapter guild meetup lab division unit programme program union party gym library cooperative co-op board
church parish verein chor gruppe mannschaft team orchester projekt abteilung partei gewerkschaft
"""


@cache
def kin() -> dict[str, tuple[str, str]]:
    """Give for each word of kin what the speaker is to them ("sibling_of"), and their gender: "f", "m" or "n"."""
    pairs = ((pair, predicate) for predicate, written in _KIN_WRITTEN.items() for pair in written.split())
    return {pair.split(":")[0]: (predicate, pair.split(":")[1]) for pair, predicate in pairs}


@cache
def roles() -> dict[str, str]:
    """Give the gender of each person one has by what they are to one: "dentist", "boss"."""
    return dict(pair.split(":") for pair in _ROLES_WRITTEN.split())


_ENGLISH_WRITTEN = """
schwester:sister bruder:brother mutter:mother vater:father sohn:son tochter:daughter kind:child frau:wife
mann:husband ehemann:husband ehefrau:wife partnerin:partner freundin:girlfriend freund:boyfriend verlobter:fiancé
verlobte:fiancée kumpel:friend kollege:colleague kolleg:colleague kollegin:colleague tante:aunt onkel:uncle
cousine:cousin nichte:niece neffe:nephew oma:grandma opa:grandpa großmutter:grandmother großvater:grandfather
enkel:grandson
enkelin:granddaughter schwager:brother-in-law schwägerin:sister-in-law schwiegermutter:mother-in-law
schwiegervater:father-in-law chef:boss chefin:boss zahnarzt:dentist zahnärztin:dentist hausarzt:gp hausärztin:gp
ärztin:doctor arzt:doctor tierarzt:vet tierärztin:vet vermieter:landlord vermieterin:landlord nachbar:neighbour
nachbarin:neighbour mitbewohner:flatmate mitbewohnerin:flatmate therapeutin:therapist therapeut:therapist
friseur:hairdresser friseurin:hairdresser lehrer:teacher lehrerin:teacher trainerin:trainer hund:dog hündin:dog
katze:cat kater:cat pferd:horse hase:rabbit kaninchen:rabbit wellensittich:budgie papagei:parrot welpe:puppy
schildkröte:tortoise miete:rent gehalt:salary passwort:password geburtstag:birthday adresse:address nummer:number
größe:size gewicht:weight neighbor:neighbour roomie:roommate
"""


@cache
def _in_english() -> dict[str, str]:
    return dict(pair.split(":") for pair in _ENGLISH_WRITTEN.split())


def in_english(noun: str) -> str:
    """Give the English noun for a German one of kin, a role, an animal or a property: both make one predicate."""
    return _in_english().get(noun, noun)


@cache
def words(name: str) -> frozenset[str]:
    """Give one of the lists: animals, owned, not_owned, jobs, languages, instruments, illnesses, groups."""
    return frozenset(globals()[f"_{name.upper()}"].split())


def is_job(noun: str) -> bool:
    """Whether a noun says what somebody does for a living."""
    return noun in words("jobs") or noun.endswith(_JOB_ENDINGS)


def gender_of(noun: str) -> str | None:
    """Tell the gender of a person by the noun; None of what is no person."""
    return kin()[noun][1] if noun in kin() else roles().get(noun)
