"""Words within a name that tell what it names: "Road", "University", "Festival", "GmbH", the endings of medicines."""

from __future__ import annotations

from palace.patterns import late
from palace.records.graph import EntityType

_HEADS_WRITTEN = {
    EntityType.PLACE: """
road street lane avenue ave boulevard blvd drive square park gardens garden beach lake river mountain mountains mount
hill
hills valley island islands bay bridge forest canyon falls harbour harbor port hotel inn hostel resort villa castle
tower
plaza mall airport station stadium arena theatre theater cinema hall museum gallery library zoo center centre complex
cafe café restaurant pub bar lodge house cottage manor palace cathedral abbey temple market pier trail court terrace
close crescent strait peninsula coast desert springs campground observatory peak pass ridge glacier creek woods heights
amphitheater amphitheatre
gasse straße strasse platz allee weg ufer brücke hafen bahnhof hütte dom schloss burg see
rue place plage gare plaza calle avenida praça praia
""",
    EntityType.ORGANISATION: """
university college school academy institute hospital clinic surgery practice bank council society association foundation
trust club church charity inc inc. ltd ltd. llc corp corp. gmbh ag plc co co. company group partners consulting motors
airlines airways brewery bakery orchestra choir band ensemble quartet brothers theatre-company team fc united committee
department ministry agency bureau office authority records studios studio studios' labs technologies systems solutions
software media news times post journal magazine gazette tribune radio rescue shelter union federation league collective
cooperative co-op deli diner pizza kitchen grill bistro roasters coffee books bookshop bookstore pharmacy motors
garage cycles
bikes sports fitness gym yoga dental veterinary vets hospice nursery kindergarten kita verein chor
krankenhaus werft schule
gymnasium universität hochschule klinik praxis sparkasse bäckerei stadtwerke orchester
symphony philharmonic credit insurance logistics industries holdings ventures capital energy mutual uni
""",
    EntityType.EVENT: """
festival fest marathon half-marathon conference con convention summit expo fair championship championships tournament
cup olympics regatta parade carnival gala symposium hackathon awards derby triathlon bowl grand-prix biennale rally
playoffs workshop retreat showcase fundraiser
""",
    EntityType.PROJECT: "project projekt initiative operation campaign roadmap programme",
    EntityType.ITEM: """
pro max mini ultra plus air edition app bike camera laptop phone guitar piano headphones speaker watch tablet
ssd gpu keyboard mouse printer router monitor lens console drive-x cookbook
""",
}
HEADS = {word: kind for kind, words in _HEADS_WRITTEN.items() for word in words.split()}
"""Last words of names, in lower case, with what such a name names."""

_JOINED_BY_AND_WRITTEN = """
council society association institute department museum gallery library gardens festival fest conference fair academy
school college foundation trust committee union church commission ministry university
"""
JOINED_BY_AND = frozenset(_JOINED_BY_AND_WRITTEN.split())
"""Last words of names within which an "and" may stand."""

_FIRST_WRITTEN = {
    EntityType.PLACE: """
lake mount mt st saint san santa los las cape fort port casa hotel schloss camp rue rua via piazza villa hôtel café cafe
""",
    EntityType.PROJECT: "project projekt operation",
    EntityType.ORGANISATION: "university universität bank café-verein klinikum freie",
}
FIRSTS = {word: kind for kind, words in _FIRST_WRITTEN.items() for word in words.split()}

_GERMAN_ENDS = late(
    r"(?P<place>\w{2,}(?:straße|strasse|gasse|platz|allee|ufer|brücke|hafen|bahnhof|turm))"
    r"|(?P<organisation>\w{3,}(?:werft|verein|werke|schule|verband|klinik|verlag|bank|kasse))"
    r"|(?P<event>\w{3,}(?:festspiele|marathon|regatta|messe))"
)
_MEDICINE = late(
    r"[a-z]{2,}(?:sartan)|[a-z]{3,}(?:pril|etamol|dipine|statin|mycin|cillin|prazole|oxetine|olol|azepam|profen|triptan|gliptin|formin"
    r"|tidine"
    r"|zosin|thiazide|cycline|floxacin|sone|solone|codone|mab|tinib|lukast|dronate|parin|xaban|glutide|vir)"
)
_MEDICINES_WRITTEN = "paracetamol ibuprofen aspirin penicillin insulin morphine codeine vitamin cortisone"
_MEDICINES = frozenset(_MEDICINES_WRITTEN.split())
"""Those that dictionaries have as well."""
_NO_MEDICINE = frozenset(["april", "stone", "colone", "reside"])


def kind_by_words(words: list[str]) -> EntityType | None:
    """Tell from the words of a name, in lower case, what it names; None where they do not say it."""
    if len(words) > 1:
        for word, table in ((words[-1], HEADS), (words[0], FIRSTS)):
            if word in table:
                return table[word]
        if words[-1] in ("brothers", "boys", "girls"):
            return EntityType.ORGANISATION
        for joint in ("of", "for"):
            if joint in words[1:-1] and (kind := HEADS.get(words[words.index(joint) - 1])):
                return kind
    if found := _GERMAN_ENDS.fullmatch(words[-1]):
        return EntityType(str(found.lastgroup))
    if len(words) == 1 and is_medicine(words[0]):
        return EntityType.ITEM
    return None


def is_medicine(word: str) -> bool:
    """Tell whether a word in lower case ends as the international names of medicines do."""
    return word in _MEDICINES or (len(word) > 6 and word not in _NO_MEDICINE and bool(_MEDICINE.fullmatch(word)))
