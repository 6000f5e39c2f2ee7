"""German nouns that are no object of a claim, and nouns of where one works. Pure."""

from __future__ import annotations

from palace.text.claims.tokens import listed

NO_OBJECT = listed(
    """
arbeit termin zeit lust angst idee frage fragen problem probleme hunger durst ahnung recht glück pech spaß
stress geld urlaub job stelle karte karten ticket tickets geschenk kaffee bier wein essen kuchen brot
nachricht mail anruf hause haus büro schule uni stadt land bett leben ruhe frieden deutsch englisch morgen
abend nacht tag woche monat jahr mal viel nichts etwas alles sachen dinge weg zukunft homeoffice praxis krankenhaus
vollzeit teilzeit schicht schichten wg wohngemeinschaft dorf vorort nähe zentrum innenstadt umgebung ferien rente
elternzeit freien tipp tipps liste rezept rezepte hilfe meinung plan pläne gefühl eindruck unterschied projekt aufgabe
mühe sorgen schmerzen besuch gast gäste leute menschen familie kind kinder eltern platz raum ort ecke straße
mietvertrag vertrag baby fehler erfahrung erfahrungen abschluss ausbildung studium prüfung note noten blick lohn
gehalt überblick pizza nudeln milch obst gemüse fleisch fisch wasser wohngebiet hochhaus zimmer heim laune schluss
angebot zusage absage grippe erkältung fieber corona durchfall husten kopfschmerzen bescheid antwort kurs
es das ihn ihr ihnen eins einen keinen welche welchen was dies dieses ganz ganze jetzt nächste letzte
schluss problemen mann frau freund freundin hunde tiere boden keller dach küche bad
"""
)
FIRM_NOUNS = listed(
    """
klinikum krankenhaus universität uni hochschule grundschule gymnasium realschule gesamtschule volkshochschule stadt
stadtverwaltung stadtwerke landratsamt polizei bundeswehr feuerwehr diakonie caritas sparkasse volksbank bank post
bahn apotheke bäckerei kanzlei agentur steuerberatung versicherung verlag museum bibliothek stadtbibliothek
finanzamt jobcenter pflegeheim altenheim kita kindergarten tierheim tierarztpraxis zahnarztpraxis arztpraxis
gärtnerei baufirma startup start-up bundestag ministerium jugendamt gemeinde kirche werft buchhandlung supermarkt
baumarkt autohaus
"""
)
