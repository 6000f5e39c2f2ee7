"""The small words of German clauses: what joins them, what stands for somebody, and what says nothing. Pure."""

from __future__ import annotations

from palace.text.claims.tokens import listed

COORDINATES = listed("und aber sondern denn oder doch u")
TURNS = listed("aber sondern denn doch")
"""Those that begin a clause only behind a mark, and else say little: "fahren jetzt aber"."""
SUBORDINATES = listed(
    """
weil dass daß obwohl wenn falls ob nachdem bevor ehe sodass damit sobald solange sofern während seit seitdem als bis
da wie indem wo
"""
)
BOLD = listed("weil dass daß obwohl wenn falls ob nachdem bevor sodass sobald sofern seitdem")
"""Those that are nothing else, so that they begin a clause without a comma before them."""
RELATIVES = listed("der die das den dem denen deren dessen wo was")
PREPOSITIONS = listed(
    "in im ins an am auf aus bei beim mit nach von vom vor zu zum zur für über unter um durch gegen ohne bis seit ab"
    " als statt wegen während trotz neben zwischen hinter"
)
NOMINATIVES = listed("ich wir er sie es man du ihr ihr's")
ASKED = listed(
    "was wer wie wo wann warum wieso weshalb welche welcher welches welchen welchem wohin woher wen wem womit wofür"
    " worauf wieviel wieviele inwiefern woran wovon"
)
NOT = listed("nicht nich net kein keine keinen keiner keinem keins keines nie niemals weder nichts nix kaum")
AUXILIARIES = listed("haben sein werden")
MODALS = listed("können müssen dürfen sollen wollen möchten mögen lassen")
DETERMINERS = listed(
    "der die das den dem des ein eine einen einem einer eines ne nen nem ner n mein meine meinen meinem meiner unser"
    " unsere unseren unserem unserer kein keine keinen keinem dein deine deinen sein seine seinen seinem ihr ihre ihren"
    " ihrem ihrer"
)
PARTICLES = listed(
    """
jetzt gerade endlich übrigens auch schon noch ja halt eben mal wieder leider nun momentan aktuell inzwischen
zurzeit mittlerweile neuerdings hier dort da so also derzeit wirklich einfach eigentlich sehr mir
uns sich dann bereits immer kurz erstmal ziemlich mich selbst oh ach hallo hi moin hey danke okay ok super ps
letztendlich dazu heute gestern offiziell jedenfalls nämlich ursprünglich nebenbei seitdem seither daher deshalb
darum trotzdem allerdings zuerst zunächst anfangs tatsächlich gottseidank bisher grad grade ganz nur fast
regelmäßig mindestens frisch spontan neulich vorhin kürzlich sag total echt beide übrigen außerdem zudem
weiterhin aber doch hauptberuflich nebenberuflich nebenher fließend ungefähr circa ca etwa rund knapp nochmal
zusätzlich hm naja tja äh ähm joa jo jup nee krass letzlich letztlich inoffiziell vollzeit teilzeit
morgens abends mittags nachts vormittags nachmittags täglich wöchentlich monatlich einmal zweimal dreimal tgl
lol xd haha hihi anyway btw
damals demnächst bald überhaupt absolut gar vorübergehend gemeinsam selber
"""
)
"""Words that a clause says the same without."""
