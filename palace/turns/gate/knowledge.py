"""Questions about the world, which anybody may ask and nobody's memory answers: English, German, French. Pure.

Only what is plainly asked of the world is told here; the patterns are of folded text.
"""

from __future__ import annotations

import re

from palace.patterns import late
from palace.text.entities.lists.lexicon import places

_ATTRIBUTE = (
    r"(?:capital(?: city)?|population|area|currency|official language|national (?:anthem|animal|flower|dish)|flag"
    r"|president|prime minister|king|queen|ceo|founder|meaning|definition|differences?|formula|equation|(?:boiling"
    r"|melting|freezing) (?:point|temperature)"
    r"|atomic (?:number|weight|mass)|chemical (?:symbol|formula)|chemical|density|speed|distance|diameter"
    r"|circumference|radius|square root|cube root|derivative|integral|history|origins?|plural|opposite|synonyms?"
    r"|antonyms?|abbreviation|etymology|pronunciation|function|role|causes?|effects?|symptoms?|benefits|advantages"
    r"|disadvantages|pros and cons"
    r"|types|stages|phases|time complexity|complexity|gdp|life ?(?:span|expectancy)|moral|concept|theory|law"
    r"|principle|mechanism|structure|composition|half-life|first law|second law|third law|rule|rules|number|height"
    r"|length|depth|mass|temperature|color|colour|main \w+|average \w+|purpose|invention|discovery)"
)
_SUPERLATIVE = r"(?:(?!late|be|la|nea|near|close|cheap|new|gue|inter|re)\w{2,}est|most \w+|least \w+|longest\w*)"
_VERB_OF_MAKERS = (
    r"(?:wrote|invented|discovered|painted|composed|founded|directed|sang|sings|built|created|designed|won|proved"
    r"|developed|said|coined|ruled|starred|plays|played|formulated|translated|conquered|assassinated|killed"
    r"|sculpted|narrates?)"
)
_ROLES = (
    r"(?:president|vice president|king|queen|prime minister|chancellor|pope|ceo|cto|author|inventor|founder"
    r"|director|mayor|emperor|leader|head|composer|painter|god|goddess|discoverer|protagonist)"
)
_THINGS = (
    r"(?:country|countries|city|cities|planets?|elements?|animals?|rivers?|oceans?|seas?|continents?|languages?"
    r"|gas(?:es)?|metals?|birds?|insects?|organs?|bones?|vitamins?|years?|century|states?|mountains?|muscles?"
    r"|hormones?|minerals?|chemicals?|particles?|lakes?|islands?|deserts?|species|mammals?|reptiles?|pigments?"
    r"|programming languages?|blood type|temperature|empire|dynasty|decade|religion|nation|law)"
)
_PROPER = (
    r"(?:war|wars|revolution|empire|republic|wall|renaissance|century|dynasty|titanic|moon landing|(?:was|were"
    r"|is) (?:\w+ ){0,4}(?:invented|discovered|founded|built|born|published|released|signed|written|painted"
    r"|extinct|assassinated|abolished|established|introduced|launched)|extinct|ice age|middle ages|pandemic"
    r"|olympics|independence|declaration|treaty|battle)"
)
_BARE = (
    r"(?!(?:up|new|next|left|due|wrong|going|happening|it|this|that|there|here|for|open|planned|pending|the|on|in"
    r"|at|with|your|you|still|missing|needed|everyone|people|all|he|she|they|a|an|his|her|their|old|required"
    r"|scheduled|cooking|waiting|next)\b)"
)

_ENGLISH = (
    rf"what(?:'?s)?(?: is| are| was| were)? (?:the |an? )?(?:\w+ )?{_ATTRIBUTE} (?:of|for|between|in|behind|to"
    r"|from)\b.*",
    rf"(?:what|who|which)(?:'?s)?(?: is| are| was| were)? the (?:\w+ )?{_SUPERLATIVE}\b.*",
    r"what(?:'?s| is| are| was| were) an? [\w' -]+",
    rf"(?:what(?:'?s| is| are| was| were)|whats|wut is|wat is|waht is) {_BARE}[\w'+#-]+(?: [\w'-]+){{0,3}}",
    r"what (?:does|do|did) .{1,60} (?:mean|stand for|consist of|eat|refer to)", r"what causes? .+",
    r"what(?:'?s| is| are) .{1,60} (?:called|used for|made (?:of|from)|known for|famous for)(?: in \w+)?",
    r"what (?:happens?|happened) (?:if|when|to|in|during|after) .+", r"what (?:makes|made) .+",
    r"how (?:do|does|did|can) (?!you (?:feel|like|think|know|want|remember|plan|see)|they|he|she|it\b|this|that"
    r"|things).+",
    r"how (?:is|are|was|were) .{1,60}(?:ed|made|built|born|grown|different|spelled|spelt|written|formed"
    r"|calculated)\b.*",
    r"how to (?!get to|reach).+",
    r"why (?:is|are|do|does|can|can't|cannot|don't|doesn't|isn't|aren't|did|was|were|would|has|have) (?!you|they"
    r"|he|she|it\b|this|that).+",
    r"how (?:tall|big|far|deep|old|long|hot|heavy|fast|large|high|wide|cold|loud|small|strong|common|dangerous"
    r"|deadly|important) (?:is|are|was|were|do|does|did|can|away)\b .+",
    r"how many [\w' -]{1,40}? (?:are|is|does|do|did|has|have|in|per|make|live|lives|were|fit|speak)\b.*",
    r"how much (?:is|does|do|are) (?:an?|one|\d+) .+",
    rf"who (?:first |originally |really )?{_VERB_OF_MAKERS} .+",
    rf"who (?:is|was|are|were|'s) (?:the )?(?:\w+ )?{_ROLES} (?:of|in)\b.*",
    r"who was the (?:first|last) (?:\w+ )?(?:\w+ )?(?:to|in|on|president|king|queen|man|woman|person|emperor)\b.*",
    rf"(?:which|what|in which|in what|what's the|on which|at what|at which|to which) (?:\w+ )?{_THINGS}\b.*",
    rf"when (?:did|was|were|is) .*{_PROPER}.*",
    r"where (?:do|does|did) .{1,50} (?:live|grow|come from|originate|originated|take place|occur)",
    rf"(?:the |an? )?(?:\w+ ){{0,2}}{_ATTRIBUTE} (?:of|for|between|in|behind) .+",
    r"(?:define|definition|meaning|etymology|synonyms?|antonyms?|opposite|history|capital|population|formula"
    r"|symptoms?|causes?|differences?|comparison|overview|summary|pros and cons|advantages|biography"
    r"|timeline)(?: (?:of|for|between)\b.*|: .+| \w+.*)",
    r"(?:explain|describe|compare|contrast|define|summari[sz]e|outline|discuss)(?: to (?:me|us))? (?!this|that|it"
    r"|why you|your).+",
    r"(?:list|name|give) (?:\d+|two|three|four|five|six|seven|ten|some|all|the|a few|an example|examples?"
    r"|facts?)\b.+",
    r".{2,40} (?:vs\.?|versus) .{2,40}",
    r"[\w -]{3,40} (?:meaning|definition|synonym|synonyms|antonym|explained|in simple terms|for beginners|eli5"
    r"|wikipedia)",
    r"eli5 .+",
    r"(?:what|how|why) (?!the |you |he |she |they |it |this |that )[\w'-]+(?: [\w'-]+){0,2} (?:is|are|was|were"
    r"|means?|works?|work)",
    r"is it true that .+",
    r"(?:is|are|was|does|do|did|can) the (?:earth|moon|sun|sky|universe|great wall|eiffel tower|oceans?)\b.*",
    r"(?:can|do|are|is|does|did|could|were|was) (?:dogs?|cats?|humans?|people|fish|birds?|plants?|animals?|whales?"
    r"|dolphins?|sharks?|snakes?|spiders?|bees?|insects?|penguins?|an? [\w-]+|all|water|light|sound|tomatoes"
    r"|bananas|viruses|bacteria|planets?|black holes?)\b.+",
)  # fmt: skip

_ATTRIBUT = (
    r"(?:hauptstadt|einwohnerzahl|bevolkerung|flache|wahrung|amtssprache|flagge|prasident\w*|kanzler\w*|konig\w*"
    r"|bedeutung|definition|unterschied\w*|formel|gleichung|siedepunkt|schmelzpunkt|gefrierpunkt|dichte"
    r"|geschwindigkeit|entfernung|durchmesser|umfang|quadratwurzel|wurzel|ableitung"
    r"|geschichte|ursprung|plural|mehrzahl|gegenteil|synonym\w*|abkurzung|herkunft|funktion|rolle|ursache\w*"
    r"|folgen|symptome|vorteile|nachteile|arten|phasen|prinzip|theorie|gesetz|aufbau|struktur|zusammensetzung|hohe"
    r"|lange|tiefe|masse|temperatur|farbe|zweck|ordnungszahl|lichtgeschwindigkeit|chemische \w+|lebenserwartung"
    r"|erfinder\w*|grunder\w*|autor\w*)"
)
_WELT = (
    r"(?:himmel|sonne|mond|erde|meer|meere|ozean\w*|sterne|welt|universum|weltall|internet|gras|blut|schnee|wasser"
    r"|luft|wetter|gehirn|herz|leber|korper|mensch\w*|haut|wirtschaft|borse|inflation|zugspitze|eiffelturm"
    r"|brandenburger|kolner|rhein|donau|elbe|nil|amazonas|alpen|mount|sahara|titanic|(?:erste|zweite|kalte"
    r"|dreissigjahrige)[rns]?|romische\w*|franzosische\w*|deutsche\w*|industrielle|berliner|mittelalter"
    r"|renaissance|reformation|aufklarung|dinosaurier|eiszeit|pest|buch|strom|zeit|regenbogen|licht|schall"
    r"|jahreszeiten|gezeiten|demokratie|photosynthese|evolution|urknall|relativitatstheorie|schwerkraft|quanten\w*"
    r"|eu|uno|nato|bundestag|grundgesetz)"
)
_DING = (
    r"(?:land|landern?|stadt|stadten?|planet\w*|element\w*|tiere?n?|fluss\w*|ozean\w*|meere?|kontinent\w*"
    r"|sprachen?|gas\w*|metall\w*|vogel|insekt\w*|organe?|knochen|vitamine?|jahr\w*|jahrhundert|bundesland\w*"
    r"|berge?|muskel\w*|hormone?|mineral\w*|insel\w*|wuste\w*|temperatur|religion|epoche|farben?)"
)
_EINHEIT = (
    r"(?:einwohner|menschen|bundeslander|lander|kontinente|planeten|monde|knochen|zahne|beine|tage|wochen|stunden"
    r"|minuten|sekunden|meter|zentimeter|kilometer|gramm|kilo|liter|milliliter|kalorien|sprachen|elemente"
    r"|buchstaben|bytes?|bits?|saiten|tasten|herzen|augen|arten|seiten hat ein\w*|spieler|protonen|chromosomen)"
)
_DIE = r"(?:der |die |das |den |dem )"
_NACKT = (
    r"(?!(?:los|neu|heute|offen|noch|da|hier|mit|der|die|das|denn|eigentlich|passiert|geplant|fallig|zu|du|sie|er"
    r"|es|drin|dran|wichtig)\b)"
)
_GERMAN = (
    r"was (?:ist|sind|war|waren|bedeutet|bedeuten|heisst|meint|versteht man unter|bezeichnet|besagt)(?: denn"
    rf"| eigentlich| genau)? (?:{_DIE}?(?:\w+ )?{_ATTRIBUT}\b.*|eine? .+|{_DIE}(?:\w+ )?{_WELT}\b.*"
    rf"|{_DIE}\w{{3,}}(?:st|t)e\w? .+|{_NACKT}[\w'+#-]+(?: (?!der|die|das)[\w'-]+){{0,3}})",
    rf"(?:wie laute[tn]|was ist|nenne?|was sind) (?:der |die |das )(?:\w+ )?{_ATTRIBUT}\b.*",
    rf"(?:der |die |das )?(?:\w+ )?{_ATTRIBUT} (?:von|des|der|fur|zwischen) .+",
    r"wie [\w -]{3,60} (?:funktionieren|funktioniert|wirken|wirkt|entstehen|entsteht|geht|aufgebaut ist"
    r"|gemacht wird|gemacht werden)",
    r"was (?:heisst|bedeutet) .+",
    r"was (?:passiert|geschieht),? (?:wenn|bei|mit) .+",
    r"was (?:verursacht|bewirkt|fressen|essen|frisst|isst) \w+.*",
    r"wie (?:funktioniert|funktionieren|entsteht|entstehen|wirkt|wirken|berechnet man|macht man|baut man"
    r"|zentriert man|kocht man|schreibt man|spricht man|nennt man|lernt man|bildet man|erkennt man|vermehren sich"
    r"|schlafen|fliegt|fliegen|heisst|heissen) .+",
    r"wie (?:wird|werden) .+(?:t|en)",
    r"wie (?:hoch|gross|alt|weit|tief|lang|schwer|schnell|heiss|breit|kalt|giftig|gefahrlich) (?:ist|sind|war"
    rf"|waren|wird|werden|kann|konnen) (?:{_DIE}(?:\w+ )?{_WELT}|eine? |(?!der|die|das|den|dem|du|er|sie|es"
    r"|toms?)\w+).*",
    rf"(?:warum|wieso|weshalb) (?:\w+ )(?:{_DIE}(?:\w+ )?{_WELT}|eine? |sich |man |(?!der|die|das|den|dem|du|er"
    r"|sie|es|ihr)\w+).*",
    r"(?:wer singt|qui chante) (?!am |im |bei |auf |heute |a |au |dans |ce |pour )[\w' -]+",
    r"wer (?:hat |war |ist )?.*\b(?:geschrieben|erfunden|entdeckt|gemalt|komponiert|gegrundet|gebaut|schrieb"
    r"|erfand|entdeckte|malte|komponierte|grundete|erbaute|baute|gewann|gewonnen|regierte|entwickelt|entwickelte"
    r"|formulierte|besiegte)\b.*",
    r"wer (?:ist|war|waren)(?: (?:der|die|das))?(?: \w+)? (?:prasident\w*|bundeskanzler\w*|kanzler\w*|konig\w*"
    r"|papst|kaiser\w*|autor\w*|erfinder\w*|grunder\w*|regisseur\w*|erste\w? \w+|mensch|burgermeister\w*|ceo) .+",
    r"wann .*\b(?:\w*krieg\w*|\w*revolution|mauer|reich|republik|mittelalter|jahrhundert|mondlandung|titanic"
    r"|gegrundet|erfunden|entdeckt|erbaut|veroffentlicht|ausgestorben|geboren|eingefuhrt|unterzeichnet|eiszeit"
    r"|renaissance|dinosaurier|reformation|schlacht)\b.*",
    r"wo (?:leben|wachsen|kommen|entspringt|mundet|liegen die) (?!du|er|sie)\w+.*",
    r"woraus (?:besteht|bestehen|ist|sind|wird|werden) .+",
    r"wofur (?:steht|stehen|wird|braucht man) .+",
    r"woher (?:kommt|kommen|stammt|stammen) (?:der|die|das) (?:name|begriff|wort|ausdruck)\b.*",
    rf"(?:bei |in |auf |an |aus |seit |zu )?welche[rsnm]? (?:\w+ )?{_DING}\b.*",
    rf"wie ?viele? (?:\w+ )?{_EINHEIT} (?:hat|haben|gibt es|sind|leben|wohnen|in|pro|passen|sprechen)\b.*",
    rf"wie ?viele? {_EINHEIT}",
    r"(?:erklare?|definiere?|beschreibe?|vergleiche?)n?(?: (?:mir|uns))?(?: bitte| mal)*[ ,]+(?!das|es|dies"
    r"|mal das).+",
    r"nenne? (?:drei|vier|funf|zehn|zwei|einige|\d+|beispiele|alle) .+",
    r"(?:der |die |den )?unterschied\w* zwischen .+",
    r"(?:hauptstadt|bedeutung|definition|geschichte|einwohnerzahl|synonyme?|gegenteil|ursachen|symptome"
    r"|vor- und nachteile|formel|zusammenfassung)(?: (?:von|des|der|fur|zu)\b.*| \w+)",
    r"(?:was|wie|warum|wieso|weshalb) (?!der |die |das |du |er |sie |es |ihr )[\w-]+(?: [\w-]+){0,2} (?:ist|sind"
    r"|war|bedeutet|funktioniert|funktionieren|entsteht|entstehen)",
    r"stimmt es,? dass .+",
    r"(?:konnen|durfen|sind|haben|fressen|schlafen|ist|kann|darf|hat) (?:hunde|katzen|menschen|fische|vogel"
    r"|pflanzen|tiere|wale|delfine|haie|schlangen|spinnen|bienen|insekten|pinguine|tomaten|bananen|viren|bakterien"
    r"|eine? [\w-]+)\b.+",
    r"wo liegen? (?P<place>[\w -]+)",
)  # fmt: skip

_ATTRIBUT_FR = (
    r"(?:capitale|population|superficie|monnaie|langue officielle|drapeau|president\w*|premier ministre|roi|reine"
    r"|sens|signification|definition|differences?|formule|equation|point d'ebullition|point de fusion"
    r"|temperature d'ebullition|densite|vitesse|distance|diametre|circonference|racine carree|derivee|integrale"
    r"|histoire|origine|pluriel|contraire|synonymes?|abreviation|etymologie"
    r"|fonction|role|causes?|effets?|consequences|symptomes?|avantages|inconvenients|types|phases|principe|theorie"
    r"|loi|structure|composition|hauteur|longueur|profondeur|masse|temperature|couleur|altitude|numero atomique"
    r"|symbole chimique|esperance de vie|but|inventeur|auteur|fondateur)"
)
_MONDE = (
    r"(?:ciel|soleil|lune|terre|mer|mers|ocean\w*|etoiles|monde|univers|internet|herbe|sang|neige|eau|air|cerveau"
    r"|coeur|foie|corps|peau|economie|bourse|inflation|tour eiffel|mont|rhin|seine|nil|amazone|alpes|sahara"
    r"|titanic|premiere guerre|seconde guerre|deuxieme guerre|guerre|revolution|empire|moyen age|renaissance"
    r"|dinosaures|peste|temps|arc-en-ciel|lumiere|son|saisons|marees|democratie|photosynthese|evolution|big bang"
    r"|relativite|gravite|physique|mecanique|chimie|entropie|muraille|joconde|bible|ue|onu|otan|telephone"
    r"|electricite|imprimerie|penicilline|radio|roue)"
)
_CHOSE = (
    r"(?:pays|villes?|planetes?|elements?|animaux|animal|fleuves?|rivieres?|oceans?|mers?|continents?|langues?|gaz"
    r"|metal|metaux|oiseaux?|insectes?|organes?|os|vitamines?|annee|siecle|regions?|montagnes?|muscles?|hormones?"
    r"|mineraux|iles?|desert|temperature|vitesse|religion|epoque|couleurs?)"
)
_UNITE = (
    r"(?:habitants|pays|planetes|lunes|os|dents|pattes|jours|semaines|heures|minutes|secondes|metres|centimetres"
    r"|kilometres|grammes|kilos|litres|calories|langues|elements|lettres|octets|cordes|touches|coeurs|yeux|especes"
    r"|continents|departements|regions|joueurs|chromosomes|personnes (?:vivent|parlent))"
)
_ABSTRAIT = (
    r"[\w-]*(?:isme|logie|synthese|graphie|nomie|metrie|quantique|nucleaire|relativite|entropie|inflation"
    r"|democratie|physique|chimie|genetique|thermodynamique|osmose|mitose)"
)
_FRENCH = (
    r"(?:c'est quoi|qu'?est[- ]?ce que c'?est|qu'est-ce que|qu'est-ce qu'|qu'est ce que|c koi|keskece"
    rf"|que signifie|que veut dire|que sont|quid)(?: que)? ?(?:la |le |les |l')?(?:{_ATTRIBUT_FR} (?:de|du|des|d'"
    rf"|entre)\b.*|(?:un|une|des) ?.+|(?:\w+ )?{_MONDE}\b.*|{_ABSTRAIT}\b.*)",
    r"(?:que|qu'est-ce que) (?:signifie|veut dire|veulent dire)\b.+",
    r"que fait .+",
    r"que se passe-t-il (?:si|quand|lorsque|dans|pendant)\b.+",
    r"(?:qu'est-ce qui|qu'est ce qui) (?:cause|provoque|fait)\b.+",
    r"que mangent .+",
    rf"quel(?:le)?s?(?: est| sont| etait| etaient) (?:la |le |les |l')(?:\w+ )?{_ATTRIBUT_FR}(?: \w+)? (?:de|du"
    r"|des|d'"
    r"|entre|en)\b ?.*",
    rf"quel(?:le)?s?(?: est| sont| etait) (?:la |le |les |l')?(?:{_CHOSE}|plus (?:grand|haut|long|petit|vieux"
    rf"|profond|rapide|gros|lourd)\w*|{_CHOSE} (?:la|le) plus|premiere? (?:homme|femme|president)|montagne"
    r"|personne la plus|batiment|tour) ?.*",
    rf"(?:en |a |dans |de |sur |par )?quel(?:le)?s? (?:\w+ )?{_CHOSE}\b.*",
    r"comment (?:fonctionne|fonctionnent|marche|marchent|se forment?|se reproduisent|est-ce que|naissent|meurent"
    r"|est fait|sont faits?|volent|calcule-t-on|fait-on|ecrit-on|appelle-t-on|s'appelle (?:la|le) (?:capitale"
    r"|plus)|centrer|faire|creer|calculer|ecrire|utiliser|installer|convertir|prononcer|apprendre|trier|lire"
    r"|supprimer|trouver|cuire|planter)\b ?(?!ca|cela).+",
    rf"pourquoi (?:est-ce que )?(?:(?:le |la |les |l')(?:\w+ )?{_MONDE}\b.*|les .+|(?:un|une|des) .+|dit-on .+)",
    r"qui (?:a |est-ce qui a )?(?:d'abord )?(?:ecrit|invente|decouvert|peint|compose|fonde|construit|realise|cree"
    r"|gagne|remporte|chante|developpe|formule|assassine|sculpte)\b .+",
    r"qui (?:est|etait|sont|fut|a ete) (?:le |la |l'|les )(?:\w+ )?(?:president\w*|premier ministre|roi|reine|pape"
    r"|empereur|auteur|inventeur|fondateur|chancelier|realisateur|maire|peintre|premiere? \w+|pdg) .+",
    r"(?:quand|en quelle annee)\b.*\b(?:guerre|revolution|empire|republique|mur|moyen age|siecle|titanic"
    r"|renaissance|invente\w*|decouvert\w*|fonde\w*|construite?|publiee?|disparus?|nee?|signee?|bataille"
    r"|dinosaures|independance|abolie?)\b.*",
    r"ou (?:vivent|poussent|habitent les|se trouvent les) .+",
    rf"combien (?:de |d'){_UNITE}\b.*",
    r"combien (?:mesure|pese|coute) (?:un|une) .+",
    r"de quoi (?:est|sont) (?:faite?s?|composee?s?|constituee?s?)\b.+",
    r"(?:expliquez?|definis|definissez|decris|decrivez|comparez?|definir|expliquer)(?:[- ](?:moi|nous))? (?!ca"
    r"|cela|moi ca).+",
    r"(?:cite|citez|nomme|donne|liste)[rz]? (?:\d+|deux|trois|quatre|cinq|dix|quelques|des exemples|un exemple"
    r"|tous les|toutes les) .+",
    r"(?:la |les )?differences? entre .+",
    r"(?:capitale|definition|signification|histoire|population|synonymes?|contraire|causes|symptomes|formule"
    r"|resume|avantages et inconvenients)(?: (?:de|du|des|d'|pour)\b ?.*| \w+)",
    r"(?:ce qu(?:e |')|comment |pourquoi )(?:est|sont|signifie|veut dire|veulent dire) .+",
    r"est[- ](?:il|ce) vrai (?:que|qu').+",
    r"(?:est-ce que )?(?:les |un |une )(?:chiens?|chats?|humains|poissons?|oiseaux|plantes|animaux|baleines"
    r"|dauphins|requins|serpents|araignees|abeilles|insectes|pingouins|manchots|tomates?|bananes|virus"
    r"|bacteries) .+",
    r"ou (?:se trouve|se situe|est) (?:la |le |l')?(?P<place>[\w -]+)",
)  # fmt: skip

WORLD_OF_ALL = late(rf"{_WELT}|{_MONDE}|{_DING}|{_CHOSE}")
"""What there is one of for everybody, in German and French: the sky, the economy, a country."""
ATTRIBUTES_OF_ALL = late(rf"{_ATTRIBUT}|{_ATTRIBUT_FR}")
"""What is asked of a thing: its capital, its meaning, its speed."""
_WORLD = tuple(late(rf"(?:{'|'.join(language)})") for language in (_ENGLISH, _GERMAN, _FRENCH))
_WHERE = late(r"where(?:'s| is| are)? (?P<place>[\w' -]+)")


_FOR_SOMEBODY = late(r"\b(?:ok|okay|safe|allowed|enough) (?:for|to|with|in)\b")


def asks_of_the_world(sentence: str) -> bool:
    """Tell whether a folded sentence asks what anybody can look up, by how it asks.

    It may be about somebody's life nevertheless ("how old is the car"): `personal` says so.
    """
    where = _WHERE.fullmatch(sentence)
    if where:
        return where["place"].removeprefix("the ") in places()
    if _FOR_SOMEBODY.search(sentence):
        return False
    return any(_is_of_world(pattern.fullmatch(sentence)) for pattern in _WORLD)


def _is_of_world(found: re.Match[str] | None) -> bool:
    if found is None:
        return False
    place = found.groupdict().get("place")
    return place is None or place.strip() in places()
