"""Whether a sentence without a pronoun may still be about somebody's life, in English, German or French. Pure.

What is asked of the world names no people by their first names, no "the boat", no "tomorrow", and wants no advice. The
lists lean to one side: what is on them costs a search that was not needed, what is missing costs a memory.
"""

from __future__ import annotations

from palace.patterns import late
from palace.text.entities.lists.lexicon import folded, given_names, is_ordinary
from palace.turns.gate.needs.definite import speaks_of_the_known

_TIMES = (
    r"left|remaining|missing|pending|ready|coming|invited|today|tonight|tomorrow|tmrw|this (?:morning|afternoon"
    r"|evening|week|weekend|month|year|time|spring|summer"
    r"|autumn|fall|winter)"
    r"|next (?:week|month|year|time|\w+day|spring|summer|autumn|winter)|ago|now|currently|due|soon|upcoming"
    r"|already|yet|still|birthdays?|anniversary"
    r"|heute|morgen|ubermorgen|jetzt|gerade|derzeit|diese[rsnm]? (?:woche|monat|jahr|wochenende|mal|abend)"
    r"|nachste[rsnm]? (?:woche|monat|jahr|mal|\w+tag)|schon|geburtstag\w*"
    r"|aujourd'hui|ce (?:soir|matin|mois|week-end)|demain|maintenant|cette (?:semaine|annee|fois)|prochaine?s?"
    r"|actuellement|anniversaire"
)
_PEOPLE = (
    r"mum|mom|mommy|mummy|dad|daddy|grandma|grandpa|granny|nana|hubby|wifey|boss|landlord|landlady|roommate"
    r"|flatmate|neighbou?rs?|bf|gf|bestie|colleagues?|coworkers?|teammates?"
    r"|mama|papa|mutti|vati|oma|opa|chefin?|vermieter(?:in)?|nachbar\w*|kolleg\w+|mitbewohner\w*|maman|papi|mamie"
    r"|mami|tonton|tata|patronne?|proprio|proprietaire|voisine?s?|collegues?|coloc\w*"
)
_ADVICE = (
    r"recommend\w*|suggest\w*|advice|advise|ideas?|tips|inspiration|should|gifts?|presents?|best|good|better|nice"
    r"|decent|favou?rite|cheap(?:est)?|worth|nearby|near|around here|close by|plan|planning|itinerary|menu|outfit"
    r"|empfehl\w*|empfiehl|vorschlag\w*|schlag|rat|ratschlag\w*|ideen?|tipps?|soll|sollte\w*|geschenk\w*"
    r"|beste[rsnm]?|gute[rsnm]?|besser|schone[rsnm]?|lieblings\w*|gunstig\w*|lohnt|nahe|plane? (?:ein\w*|mir|uns"
    r"|die|den|das)|planung"
    r"|recommand\w*|conseil\w*|suggestions?|sugger\w*|idees?|propose\w*|devrais|cadeaux?|meilleure?s?|bonne?s?"
    r"|bons?|mieux|sympas?|prefere\w*|pas cher|pres|organise\w*|planifie\w*|itineraire"
)
_MINE = (
    r"invoices?|appointments?|meetings?|deadlines?|passwords?|passcode|wifi|rent|salary|mortgage|landlord|warranty"
    r"|reservation|booking|subscription|prescription|medication|meds|workout|diet|allerg\w+|expenses|budget"
    r"|errands?|chores?|groceries|homework|resolution|wishlist|dinner|lunch|breakfast|supper|backup|draft"
    r"|manuscript"
)
_NEAR = late(rf"(?<![\w'])(?:{_TIMES}|{_PEOPLE}|{_MINE})(?!\w)")
_WANTS_ADVICE = late(rf"(?<![\w'])(?:{_ADVICE})(?!\w)")


_OWN_GERMAN = (
    r"auto|wagen|haus|wohnung|garten|kuche|bad|keller|garage|boot|fahrrad|rad|hund|katze|kater|kind|kinder|sohn"
    r"|tochter|frau|mann|freund\w*|bruder|schwester|mutter|vater|eltern|arzt|arztin|zahnarzt|tierarzt|friseur\w*"
    r"|handwerker|klempner|dachdecker|elektriker|maler|anwalt|steuerberater\w*|lehrer\w*|schule|kita|kindergarten"
    r"|arbeit|buro|firma|kunde\w*|chef|team|projekt|besprechung|meeting|sitzung|termin|frist|rechnung|miete"
    r"|vertrag|versicherung"
    r"|kredit|konto|steuer\w*|gehalt|passwort|code|schlussel|pass|ausweis|urlaub|reise|flug|hotel|zug|ticket"
    r"|hochzeit|party|feier|fest|geschenk|buch|roman|film|serie|spiel|rezept|essen|abendessen|kuchen|einkauf\w*"
    r"|liste|paket|bestellung"
    r"|handy|laptop|rechner|drucker|router|wlan|heizung|therme|boiler|waschmaschine|spulmaschine|geschirrspuler"
    r"|fernseher|sofa|couch|bett|tisch|schrank|lampe|tur|tor|fenster|dach|zaun|wand|teppich|pflanze|tabletten"
    r"|medikament\w*|knie|rucken"
    r"|server|dienst|service|datenbank|repo|release|backup|skript|bericht|mail|brief|antrag|prasentation|vortrag"
    r"|entwurf|plan|budget|angebot|kosten|preis|umzug|wasserschaden|verein|kurs|training|gruppe|leute|sache|thema"
    r"|problem|idee"
)
_OWN_FRENCH = (
    r"voiture|auto|maison|appart\w*|jardin|cuisine|cave|garage|bateau|velo|chien|chat|chatte|enfants?|fils|fille"
    r"|femme|mari|copain|copine|frere|soeur|mere|pere|parents|medecin|docteur|dentiste|veto|veterinaire|coiffeu\w+"
    r"|artisan|plombier"
    r"|couvreur|electricien|peintre|avocat|comptable|prof|professeur|ecole|creche|travail|boulot|bureau|boite"
    r"|client\w*|chef|equipe|projet|reunion|rendez-vous|rdv|echeance|facture|loyer|bail|contrat|assurance|credit"
    r"|pret|compte|impots|salaire"
    r"|mot de passe|code|cles?|clef|passeport|carte|vacances|voyage|vol|hotel|train|billet|mariage|fete|soiree"
    r"|cadeau|livre|roman|film|serie|jeu|recette|repas|diner|dejeuner|gateau|courses|liste|colis|commande"
    r"|telephone|portable|ordi\w*|imprimante"
    r"|box|wifi|chauffage|chaudiere|lave-linge|lave-vaisselle|machine|tele|canape|lit|table|armoire|lampe|porte"
    r"|portail|fenetre|toit|cloture|mur|tapis|plante|medicaments?|genou|dos|serveur|service|base de donnees|depot"
    r"|sauvegarde|script|rapport"
    r"|mail|lettre|dossier|presentation|expose|brouillon|plan|budget|devis|prix|cout|demenagement|fuite|club|cours"
    r"|entrainement|groupe|gens|truc|sujet|probleme|idee|ete|fusibles"
)
_OWN = late(
    r"(?<![\w'])(?:der|die|das|dem|den|des|im|am|zum|zur|vom|beim|ins) (?:(?!ein)\w+(?:e|en|er"
    rf"|es) )?(?:{_OWN_GERMAN})(?:e?n|e?s|e)?(?!\w)"
    r"|(?<![\w'])(?:(?:le|la|les(?! (?:chats?|chiens?)\b)|du|au|aux|ce|cet|cette|ces) "
    rf"|l')(?:\w+ )?(?:{_OWN_FRENCH})s?(?!\w)"
)
_OF_ALL = late(
    r"\b(?:invent(?:ed|e|or)|discover(?:ed|er)|erfunden|erfand|erfinder|entdeckt\w*|inventeur|decouvert\w*)\b"
)
"""Nobody invents what only somebody has: "the telephone" is that of all then."""
_CODE_ITSELF = late(r"\b(?:ce|cette|le|la|dies\w+|den|der|das|die) (?:code|script|skript|liste?|query|tabelle)\b")
"""In a question of programming, what is shown rather than what the person has."""
_PROPER = late(
    r"\b(?:le |la |l'|der |die |das )?(?:mur|porte|tour|traite|pont|bataille|mauer|turm|vertrag|tor"
    r"|schlacht) (?:de |du |d'|von )\w+"
    r"|\bberliner mauer\b"
)
"""What is known by the place it stands in: "le mur de Berlin"."""
_WORD = late(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NO_FIRST_NAMES_WRITTEN = """
paris london berlin sydney florence vienna victoria chelsea brooklyn carolina virginia georgia chad jordan india china
israel kenya austin houston lincoln washington may april june august will mark art bill rose grace hope faith joy
summer autumn winter dawn eve java ruby julia python rust angular crystal pascal ada perl scala swift kotlin jade
amber pearl ivy violet lily iris daisy eine einen einem einer einige auf dem den des die der das was wie ein und mit
von aus bei fur nach uber unter une les des dans avec pour que qui est sur pas par mont saint tour ville pays guerre
kirk german french english spanish italian latin roman greek russian deutsch
newton einstein darwin shakespeare mozart beethoven bach goethe schiller kant napoleon caesar cleopatra jupiter
venus mars mercury saturn uranus neptune pluto apollo zeus hercules moby dick hamlet faust romeo juliet macbeth
dracula odyssey world
"""
_NO_FIRST_NAMES = frozenset(_NO_FIRST_NAMES_WRITTEN.split())
"""Of the names in the list, those that mean something else more often in a question about the world."""


def may_be_personal(own: str, raw: str, *, is_technical: bool = False) -> bool:
    """Tell whether folded sentences may be about somebody's life; ``raw`` is the message as it was written."""
    own = _PROPER.sub(" ", own)
    if is_technical:
        own = _CODE_ITSELF.sub(" ", own)
    is_of_all = bool(_OF_ALL.search(own))
    return bool(
        _NEAR.search(own)
        or (not is_of_all and _OWN.search(own))
        or wants_advice(own)
        or (not is_of_all and speaks_of_the_known(own, raw, is_technical=is_technical))
        or names_somebody(own, raw)
    )


def wants_advice(own: str) -> bool:
    """Tell whether folded text asks for a recommendation, a gift, a plan: what suits depends on whose it is."""
    return bool(_WANTS_ADVICE.search(own))


def names_somebody(own: str, raw: str) -> bool:
    """Tell whether a text names somebody by a first name, with a capital, or without one where no word is the same."""
    capitals = {folded(word.removesuffix("'s")) for word in _WORD.findall(raw) if word[:1].isupper()}
    return any(
        form in _WELL_KNOWN_NAMES or (_is_first_name(form) and not capitals.isdisjoint((name, form)))
        for name in (word.removesuffix("'s") for word in _WORD.findall(own))
        if name not in _NO_FIRST_NAMES
        for form in (name, name.removesuffix("s"))
    )


def _is_first_name(form: str) -> bool:
    return len(form) > 2 and form in given_names() and form not in _NO_FIRST_NAMES and not is_ordinary(form)


_WELL_KNOWN_NAMES_WRITTEN = """
anna anne mia tom tim jan lisa laura sarah sara emma lena lea leon luca lukas max paul peter thomas michael michelle
maria marie julia sophie sofia clara klara hannah hanna jonas felix jakob jacob david daniel ben finn noah elias emil
oskar oscar anton martin stefan stephan andreas markus christian sebastian alexander alex sandra sabine susanne petra
monika claudia nicole katrin john james robert william richard joseph charles steve steven kevin brian jason matt
matthew andrew josh joshua ryan eric derek jennifer jessica emily ashley amanda rachel karen nancy susan linda kate
katie jane lucy olivia ava isabella charlotte amelia pierre jean jacques louis camille chloe manon ines jules hugo
theo lucas arthur nathan claire sylvie nathalie isabelle francois mike chris dave dan sam nick joe bob jim jack harry
george fred frank henry oliver ella zoe eva nina nora mila
"""
_WELL_KNOWN_NAMES = frozenset(_WELL_KNOWN_NAMES_WRITTEN.split())
