"""German: "Keine neuen Abhängigkeiten ohne Rücksprache.", "Nie freitags deployen.", "Hier wird gesiezt." Pure.

Patterns match where a clause begins.
"""

from __future__ import annotations

_DEFINITE = (
    r"(?!(?:der|die|das|den|dem|des|diese[rsmn]?|jene[rsmn]?|dies|es|ihn|ihr|ihm|ihnen|mein\w*|dein\w*|sein\w*|ein"
    r"|eine[rsmn]?|beide\w*|erste\w*|zweite\w*|letzte\w*|andere\w*|nächste\w*|hier|da|dort|mal|was|wie|warum|wenn|ob"
    r"|dass|zu|\d+)\b)"
)
"""What follows speaks of a kind: no article, nothing that points at one thing."""
_WORD = r"[\w\"'„<@.#$][\w./@+#\"'“„()<>:*-]*"
_KIND = rf"{_DEFINITE}{_WORD}(?: (?!nicht\b|statt\b|und\b|kein\w*\b|nie\b|anstatt\b){_DEFINITE}{_WORD}){{0,3}}?"
_WHOLE = (
    r"(?:(?:der|die|das|den|dem) )?(?:readme|doku|dokumentation|changelog|code|oberfläche|frontend|backend|api|repo"
    r"|projekt|datenbank|schema|logs?|produktionsdatenbank|produktion|testdaten)"
)
_IN_HERE = (
    r"(?:in (?:diesem|unserem) (?:repo(?:sitory)?|projekt|team|paket|monorepo)|in dieser (?:codebasis|firma)|bei uns"
    r"(?: im (?:team|projekt|repo))?|hier im (?:projekt|repo|team)|in unserer (?:firma|codebasis))"
)
_DAYS = (
    r"(?:(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s|am wochenende|an wochenenden"
    r"|wochenends|feiertags|an feiertagen|nachts|(?:nach|vor|ab) \d{1,2}(?::\d\d)?(?: uhr)?)"
)
_ADJECTIVES = r"(?:(?:alle|neue|öffentliche|private|interne|kleine|kurze|unsere|generierte|neuen|allen|\w+-\w+) )*"
_THINGS = (
    r"(?:commits?|commit-?(?:nachrichten|messages|texte)|branch(?:es)?|branchnamen|branch-namen|kommentare|tests?"
    r"|unit-?tests|migration(?:en)?|zeitstempel|datumsangaben|datum|uhrzeiten|beträge|geldbeträge|preise|variablen"
    r"|variablennamen|funktion(?:en)?|funktionsnamen|klassen|klassennamen|methoden|namen|logs?|logmeldungen|log-?zeilen"
    r"|fehlermeldung(?:en)?|texte|doku|dokumentation|oberfläche|passwörter|geheimnisse|zugangsdaten|schlüssel|prs?"
    r"|pull ?-?requests?|merge ?-?requests?|releases?|hotfix(?:es)?|dateinamen|dateien|imports|einrückung(?:en)?"
    r"|komponenten?|routen?|endpunkte?|änderung(?:en)?|abhängigkeiten|konstanten|spalten|spaltennamen|tabellennamen|ids"
    r"|skripte?|deployments?|deploys|übersetzungen|features?|bugs?|bugfix(?:es)?|tickets?|service|dienst|modul|module"
    r"|schnittstellen|feature-?flags|changelog-?einträge|code|bezeichner|anführungszeichen)"
)
_ARTEFACTS = rf"{_ADJECTIVES}{_THINGS}"
"""What a project has conventions for."""
_DONE = (
    r"(?:deployt|deployed|gepusht|gepushed|committe?t|gemerge?d?t?|angefasst|angerührt|geändert|ausgerollt|geschrieben"
    r"|gesiezt|geduzt|veröffentlicht|released|editiert|bearbeitet|eingecheckt|verwendet|benutzt|genutzt|getestet"
    r"|gesquasht|formatiert|übersetzt|dokumentiert|installiert|gemockt|eingebaut|kommentiert|benannt|reviewt|reviewed"
    r"|geprüft|gebastelt|gelöscht)"
)
_ACT = (
    r"(?:machen|committen|pushen|mergen|deployen|benutzen|nutzen|verwenden|schreiben|testen|mocken|releasen|squashen"
    r"|sagen"
    r"|siezen|duzen|nehmen|loggen|speichern|formatieren|dokumentieren|arbeiten|nennen|benennen|rebasen|entwickeln"
    r"|einchecken|kommentieren|trennen|reviewen|veröffentlichen|installieren)"
)
_VERB = (
    r"(?:ist|sind|war|waren|wird|wurden?|werden|hat|haben|hatten?|habe|gibt|gab|geht|läuft|laufen|kommt|kommen|fehlt"
    r"|fehlen|kann|können|konnte|funktioniert|passiert|steht|stehen|scheint|sieht|ich|er|es|man|bin|bist|gefunden"
    r"|vorhanden|da|übrig|wissen|weiß|davon)"
)
_STATED = rf"(?!.*\b{_VERB}\b)"
"""What follows has no verb of its own: it does not tell what is."""
_IDLE = (
    r"(?:ahnung|problem\w*|eile|sorge\w*|lust|zeit|antwort\w*|idee\w*|wunder|thema|stress|chance|angst|grund|spaß|sinn"
    r"|mensch|hektik|scherz|witz|frage|weiteren?|offenen?|sichtbaren?|einzige[nrs]?|plan|schimmer|not|pause|schlechte"
    r"|fortschritte|spur|auffälligkeit\w*)"
)
"""What no ban begins with."""
_STATES = (
    r"(?:nachrichten|fehler|änderungen|ergebnis\w*|meldung(?:en)?|treffer|warnungen|ausgabe|daten|einträge|zeilen"
    r"|rückmeldung\w*|events?|konflikte|unterschied\w*|platz|speicher|zugriff|verbindung|netz|internet|kunden|nutzer"
    r"|bestellungen|mails?|antworten|tests?|anfragen|beschwerden|abstürze|effekt|wirkung|rechnung(?:en)?|datei(?:en)?"
    r"|logs?|login|last|index|indizes|header|token|commit)"
)
"""What is missing rather than forbidden, where nothing more is said."""
_LEAVE = (
    r"ohne (?:vorherige |meine |deine |explizite )?(?:rücksprache|absprache|abstimmung|review|code-?review|ticket"
    r"|test|tests"
    r"|freigabe|genehmigung|zustimmung|erlaubnis|rückfrage|mich|migration|changelog|guten grund|diskussion)"
)
"""With what leave something may be done."""
_STRONG = rf"(?:{_LEAVE}|außer|außerhalb|bitte$|niemals|{_DAYS})"
_LIMITED = (
    rf"(?:(?:in|auf|an|bei|als|über|unter|für|nach|aus) {_KIND}|(?:in|auf) die {_WORD}|ins {_WORD}"
    r"|(?:auf|in|an) (?:die|der|den) (?:produktion\w*|doku\w*|readme|api|live\w*)"
    r"|(?:direkt )?(?:auf|nach) (?:main|master|produktion|prod))(?=$|[,;])"
)
_SETTING = r"(?:staging|produktion|prod|localhost|dev|main|master|safari|chrome|windows|linux)"
_NAME = (
    r"(?!(?:der|die|das|ein\w*|noch|so|wenn|bei|für|auf|in|mit|ich|er|es|du|zwei|diese\w*)\b)"
    rf"(?!{_SETTING}\b)\w+"
)
_PERSONS_DO = r"(?:deployt|pusht|mergt|merged|reviewt|released|veröffentlicht|committet|schreibt|ändert)"
_INFINITIVE = (
    r"(?:deployen|pushen|mergen|committen|verwenden|benutzen|nutzen|nehmen|schreiben|speichern|laufen lassen|nachziehen"
    r"|löschen|ändern|anfassen|testen|prüfen|reviewen|formatieren|einrücken|benennen|dokumentieren|kommentieren"
    r"|releasen|ausrollen|einchecken|squashen|rebasen|bauen|installieren|aktualisieren|anlegen|erstellen|fragen"
    r"|nachfragen|siezen|duzen|übersetzen|loggen|mocken|angeben|eintragen|abstimmen|verlinken|verschlüsseln|bearbeiten"
    r"|ausführen|einbauen|umbenennen|aufräumen|ablegen|taggen|hochziehen|bumpen|mitziehen|pflegen|absprechen)"
)
_ALWAYS = (
    r"(?:immer(?! (?:noch|wieder|dasselbe|das gleiche|mehr|beim|im)\b)|nie|niemals|stets|grundsätzlich|ausnahmslos)"
)
_EACH_TIME = (
    r"(?:jedes ?mal )?(?:vor|nach|bei|mit) jede[mrn] (?:commit|release|deploy(?:ment)?|merge|push|pr|pull request"
    r"|änderung|migration|session|sitzung)"
)
_HOW = r"(?:bitte |immer |nur |grundsätzlich |stets |ausschließlich |konsequent )"
_TONGUE = r"auf (?:deutsch|englisch|französisch)"
_RULING = (
    r"(?:(?:nichts|nicht|nie|niemals|immer|nur|grundsätzlich|direkt|stets|von hand|auf (?:deutsch|englisch)|am \w+"
    r"|freitags|auf (?:dem |der )?\w+) )"
)

KINDS = (
    # Bans: "keine Emojis in Commits".
    rf"kein(?:e[nmrs]?)? (?!{_IDLE}\b)(?!{_STATES}\b(?!.*{_LEAVE})){_STATED}[\w./@+#-]+ (?:[^,;]{{0,50}} )?{_STRONG}",
    rf"kein(?:e[nmrs]?)? (?!{_IDLE}\b)(?!(?:(?!in |auf |an |bei )[\w-]+ ){{0,1}}{_STATES}\b(?!.*{_LEAVE})){_STATED}"
    rf"(?:{_DEFINITE}[\w./@+#-]+ ){{1,3}}?{_LIMITED}",
    r"kein(?:e[nmrs]?)? direkte[rnms]? (?:zugriff|push|commit|änderung)\w* ",
    rf"kein(?:e[nmrs]?)? (?!(?:[\w-]+ ){{0,2}}{_STATES}\b)(?:(?:force|inline|globale[nrm]?|rohe[ns]?"
    rf"|hartcodierte[nrm]?)"
    r"[ -][\w-]+|binärdateien|emojis|abkürzungen|todos|mocks|merge-commits|default-exports)(?:$|[,;])",
    rf"{_LEAVE} (?:kein|keine[nmrs]?|nichts|nie|niemals) {_STATED}[\w-]+",
    rf"(?:im|in|auf|bei) (?:[\w:-]+ ){{1,3}}bitte (?:nur|keine?[nmrs]?) {_STATED}(?!(?:[\w-]+ )?{_STATES}\b)",
    rf"{_DAYS} (?:bitte )?(?:(?:keine?[nmrs]?|nie|nicht) (?:\w+ )?(?:deploy|release|push|merge|rollout|migration"
    rf"|änderung"
    rf"|update)\w*|(?:nichts|nie|nicht) (?:[^\s,;]+ ){{0,4}}{_INFINITIVE}(?=$|[,;]))",
    # Always and never, as one puts it on a sign: "nie freitags deployen", "Zeitstempel immer in UTC speichern".
    rf"(?:bitte )?(?:{_ALWAYS}|{_DAYS} nie|nicht {_LEAVE}) {_STATED}(?:[^\s,;]+ ){{0,7}}{_INFINITIVE}(?=$|[,;])",
    rf"{_ARTEFACTS} (?:bitte )?{_ALWAYS} {_STATED}(?:(?:auf|in|gegen|mit|ohne|als|nach|unter|per|von|iso\b|klein|kurz"
    rf"|über"
    rf"|mindestens|vor) |iso$|(?:[^\s,;]+ ){{0,6}}{_INFINITIVE}(?=$|[,;]))(?!fehler\w*|demselben|problemen)",
    rf"(?:auf|im|in|bei|unter) (?:[\w-]+ ){{1,3}}(?:bitte )?{_ALWAYS} {_STATED}(?:[^\s,;]+ ){{0,5}}{_INFINITIVE}(?=$"
    rf"|[,;])",
    rf"(?:jedes ?mal (?:vor|nach|bei) (?:[\w-]+ ){{1,2}}|{_EACH_TIME} ){_STATED}(?:[^\s,;]+ ){{0,6}}{_INFINITIVE}(?=$"
    rf"|[,;])",
    rf"bei jede[mr] {_ARTEFACTS} (?:[^\s,;]+ ){{0,4}}(?:gehört|muss|braucht) (?!(?:ich|er|sie|man|es|die ci|der"
    rf"|das)\b)",
    # How a kind of thing is to be: "Kommentare bitte auf Deutsch".
    rf"{_ARTEFACTS} {_HOW}?{_TONGUE}(?=$|[,;])",
    rf"{_ARTEFACTS} {_HOW}+{_STATED}(?:in|mit|ohne|nach|unter|als|per|von|über|iso\b|klein|kurz|höchstens)\b"
    r"(?! (?:lokal|fehler\w*|problemen|utc$))",
    rf"{_ARTEFACTS} (?:nicht (?:länger|größer|mehr|tiefer) als|höchstens|maximal) {_STATED}",
    rf"{_ARTEFACTS} (?:mit|in|ohne) [^,;]{{2,40}}, (?:keine?|nie|nicht|niemals) (?!{_IDLE}){_STATED}",
    rf"{_ARTEFACTS} (?:gehör(?:t|en) (?:in|zu|nach|neben|nicht|unter|hinter)"
    r"|(?:heißen|beginnen|enden|stehen|liegen|bleiben|folgen) (?:immer|stets|nach|mit|neben|auf englisch|auf deutsch)"
    rf"|(?:dürfen|sollen) (?:nie|niemals|nicht|keine?|nur)|müssen (?:immer|stets) (?:[^\s,;]+ )?(?:auf|mit|in"
    rf"|{_DONE}))\b",
    rf"{_ARTEFACTS} (?:werden|wird) (?:bei uns |hier |prinzipiell )*(?:immer|nie|niemals|nur(?! einmal| zweimal)|stets"
    rf"|von hand|grundsätzlich|ausschließlich|auf (?:deutsch|englisch)) (?:[^\s,;]+ ){{0,5}}(?!gelöscht){_DONE}\b",
    rf"generierte \w+ (?:werden|wird) (?:nicht|nie) (?:von hand )?{_DONE}\b",
    rf"(?:jede[rsmn]?|alle) (?!zweite|dritte|andere){_ARTEFACTS} (?:(?:brauch|benötig|bekomm)(?:t|en) (?:einen?|ein)"
    r" (?:\w+ )?(?:test|review|ticket|migration|changelog|changelog-eintrag|eintrag|freigabe|docstring|typ|beschreibung"
    rf"|kommentar)|(?:muss|müssen) (?:[^\s,;]+ ){{0,4}}(?:{_DONE}|{_TONGUE})|gehör(?:t|en) (?:in|zu|nach|neben)"
    rf"|werden (?:immer|nur|von hand) |sind (?:immer |stets )?{_TONGUE})",
    # What we do, and what is done here.
    rf"wir {_ACT} (?:hier |bei uns |grundsätzlich |prinzipiell )*(?:keine?[nmrs]?|nie|niemals|immer(?! noch)|stets"
    rf"|grundsätzlich|prinzipiell|nur|ausschließlich) (?!(?:das|es|die|den|der|dem|wieder|noch|gerade|einmal)\b)"
    rf"(?!{_IDLE}\b)",
    rf"wir {_ACT} (?:hier |bei uns )*[^,;]{{2,50}}, (?:nicht|nie|niemals|keine?) (?!(?:das|es|die|den|der|dem|weil|nur"
    r"|mehr|ahnung)\b)",
    rf"wir {_ACT} (?:hier |bei uns )*{_KIND} (?:statt|anstatt|anstelle von) {_KIND}(?=$|[,;])",
    rf"{_IN_HERE} (?:bitte |immer |nur |grundsätzlich )*(?:(?:wird|werden) (?:(?:immer|nie|nicht|nur|nichts"
    rf"|grundsätzlich"
    rf"|{_ARTEFACTS}) )+(?:[^\s,;]+ ){{0,4}}{_DONE}\b|(?:nutzen|benutzen|verwenden|siezen|duzen|schreiben) wir "
    r"(?!(?:den|die|das)\b))",
    rf"in (?:diesem|unserem) (?:repo(?:sitory)?|projekt|team|paket|monorepo) (?:bitte )?(?:keine?[nmrs]?|nie|niemals"
    rf"|nur"
    rf"|bitte|immer) (?!(?:[\w-]+ )?{_STATES}\b)(?!{_IDLE}\b){_STATED}",
    rf"(?:hier|{_DAYS}|auf (?:main|master|produktion|prod)|von hand) (?:wird|werden) {_RULING}+{_DONE}\b"
    r"(?<!hier wird nichts geschrieben)",
    r"(?:hier|bei uns) wird (?:grundsätzlich |immer )?(?:gesiezt|geduzt)\b",
    # Who may.
    rf"nur {_NAME} (?:und \w+ )?(?:{_PERSONS_DO}(?! (?:das|es|falsch)\b)|darf (?:[^\s,;]+ ){{0,4}}(?:deployen|pushen"
    r"|mergen|schreiben|ändern|veröffentlichen|committen|releasen|freigeben))\b",
    r"(?:niemand|keiner) (?:deployt|pusht|mergt|committet|darf (?:auf|direkt|in) [^,;]*(?:en))\b(?! (?:das|es|heute))",
    rf"die {_THINGS} (?:schreibt|macht|prüft|mergt|ändert|löscht|deployt) (?:nur|ausschließlich) {_NAME}",
    # One rather than another.
    rf"(?:bitte )?(?:nimm|nehmt|verwende|verwendet|benutze?|nutze?)(?: bitte| immer)* (?!{_SETTING}\b)"
    r"(?!(?:variante|option|version|branch|möglichkeit|weg)\b)"
    rf"(?:für (?:alle|neue|jede) [\w-]+ )?{_KIND}, (?:nicht|nie|kein\w*) (?!{_SETTING}\b){_KIND}(?=$|[,;])",
    rf"(?:bitte )?(?:nimm|nehmt|verwende|verwendet|benutze?|nutze?)(?: bitte)* (?:immer |für (?:alle|neue"
    rf"|jede) [\w-]+ )"
    rf"{_KIND} (?:statt|anstatt) {_KIND}(?=$|[,;])",
    rf"(?:bitte )?(?:statt|anstelle von|anstatt) {_KIND} (?:bitte |immer )(?:[^,;]{{2,50}})?"
    r"\b(?:verwenden|nehmen|benutzen|nutzen|schreiben)(?=$|[,;])",
    rf"bitte {_KIND} (?:statt|anstatt|anstelle von) {_KIND} (?:verwenden|nehmen|benutzen|nutzen|schreiben)(?=$|[,;])",
    rf"vermeide?n? (?:sie )?{_DEFINITE}\w+e {_DEFINITE}\w+(?:n|s|e)(?=$|[,;]| (?:in|bei) {_KIND}$)",
    # To be asked first.
    r"(?:bitte )?frage? (?:bitte |immer |mich |uns |vorher |zuerst |erst )*(?:mich|uns|nach|vorher), bevor du"
    r" (?!(?:den|die|das|dem|der|diese\w*|es)\b)",
    r"(?:wenn|falls) du (?:dir )?(?:un|nicht )sicher bist, (?:dann )?(?:bitte )?(?:frag|nachfrag|stell|melde)\w*",
    r"im zweifel(?:sfall)? (?:fragen|nachfragen|frage?|lieber|immer|erst|bitte)\b",
    # From now on.
    r"(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft|grundsätzlich|prinzipiell),? (?:erst [^,;]+, dann|(?:"
    r"(?:bitte|nur"
    rf"|immer|keine?[nmrs]?|nie|niemals|nicht|noch) )+(?!{_STATES}\b)(?:{_ARTEFACTS}(?=$|[,;]| (?:ohne|in|mit|auf)\b)"
    rf"|[^,;]{{0,60}}{_INFINITIVE}(?=$|[,;])))",
    r".*\bbis ich (?:etwas anderes|was anderes|bescheid) sage\b",
)
"""What holds from then on without a word that says so: it speaks of a kind of thing, or of what is done here."""

PASSING = (
    r"\b(?:(?<!ab )jetzt|(?<!ab )heute|morgen|übermorgen|gestern|gerade|erstmal|erst mal|vorerst|diesmal|dieses mal"
    r"|noch nicht|nachher|gleich|momentan|im moment|zur zeit|aktuell|bisher|bislang|schon|noch mal|nochmal|seit"
    r"|letzte[rnsm]? (?:woche|monat|jahr|nacht)|diese[rnsm]? (?:woche|datei|funktion|commit|branch|pr|build|mal|test"
    r"|zeile|seite|aufgabe|ticket|release|sprint)|immer noch|immer wieder|wie immer|auf einmal|in diesem fall)\b"
)

PASSED_ON = (
    r"^(?:[\w'./-]+ ){1,4}(?:sagt|sagte|meint|meinte|schreibt:|meldet|behauptet|zeigt|steht|hat gesagt|hat gemeint|will"
    r"|wollte|findet)\b|^(?:fehler|warnung|hinweis)\b|^(?:in|im|laut) (?:der |dem )?(?:doku|anleitung|log|readme) "
    r"(?:steht|heißt)"
)

REASONS = (
    r",? (?:weil|denn|damit|sonst)\b|, (?:das|die|der|da|es|sie|er|wir (?:hatten|haben)|\w+ (?:will|wollte|sagt|hat))\b"
)
