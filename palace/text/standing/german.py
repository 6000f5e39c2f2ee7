"""German: "Immer mit vier Leerzeichen einrücken.", "Ab jetzt bitte kurz antworten.", "Das gilt nicht mehr." Pure."""

from __future__ import annotations

SPOKEN = (
    r"\b(?:ich|du|dir|dich|mir|mich|uns|wir|bitte|nicht|nie|niemals|immer|stets|nur|und|der|die|das|den|keine?[nmrs]?"
    r"|nichts"
    r"|ohne|mit|ist|für|auf|ab|dein\w*|mein\w*|künftig"
    r"|wieder|darf|dürfen|jetzt|wird|werden)\b"
)
"""Words of which one stands in whatever a rule of the language finds."""

_START = r"(?:^|[.!;:,–—-] ?|\b(?:und|aber|also|dann|bitte|ok|okay|danke|übrigens) )(?:und |also |bitte )*"
_FOR_GOOD = (
    r"(?:ab (?:jetzt|sofort|heute)|von (?:nun|jetzt|heute) an|künftig|in zukunft|zukünftig|für (?:immer|später"
    r"|alle zeit"
    r"|die zukunft|das nächste mal)|fürs nächste mal|grundsätzlich|prinzipiell|ausnahmslos|ohne ausnahme"
    r"|ein für alle mal"
    r"|auf dauer|dauerhaft|jedes ?mal|(?:eine|als|meine|noch eine|die) (?:feste )?regel(?:,|:| (?:für|bei|ist)\b))"
)
_ADDRESSED = (
    r"\b(?:du|dir|dich|dein\w*|bitte|mir|mich|uns|sie sollen|antworte\w*|schreib\w*|nimm|verwende|nutze?|benutze?"
    r"|plane?|gib"
    r"|zeig\w*|nenn\w*|gilt)\b"
)
_DO = (
    r"(?:antworte|schreibe?|nimm|verwende|nutze?|benutze?|plane?|gib|zeige?|nenne?|empfiehl|schlage?|mache?"
    r"|formuliere?|rechne?"
    r"|lege?|komme?|erzähle?|sprich|sage?|formatiere?|rücke?|buche?|bestelle?|suche?|achte?|halte?|lass|erkläre?"
    r"|koche?|frage?)"
)
_ALWAYS = (
    r"(?:immer|stets|nie|niemals|nie wieder|nie mehr|ausschließlich|nur(?! (?:de[rnm]|die|das|diese\w*|eine?[nmrs]?)\b)"
    r"|keine?[nmrs]?|nichts)"
)

INSTRUCTIONS = (
    r"\bmerke? dir\b|\bmerken sie sich\b|\b(?:denke?|denken sie) (?:bitte |immer |auch )*(?:daran|dran)\b"
    r"|\bnotiere? dir\b"
    r"|\bvergiss (?:bitte )?nicht\b|\bbehalte?\b.*\bim kopf\b|\bdamit du(?:'s| es)? weißt\b",
    rf"\bbitte (?:\w+ ){{0,3}}?{_ALWAYS}\b|\b{_ALWAYS}\b[^.]*\bbitte\b",
    rf"{_START}{_DO} (?:\w+ ){{0,5}}?{_ALWAYS}\b",
    rf"{_START}(?:immer|stets|nie|niemals|niemals wieder) (?![^.!?]*\b(?:beim|im|zum|vom|de[nm]|zweiten|ersten"
    rf"|letzten) \w+[.!]*$)"
    r"(?![^.!?]*\bge(?!ben|hen|nießen|stalten|nehmigen)\w+en[.!]*$)[^.!?]*\b[a-zäöü]+(?:en|ern|eln)[.!]*$",
    rf"\b{_FOR_GOOD}\b(?=.*{_ADDRESSED})|{_ADDRESSED}.*\b{_FOR_GOOD}\b",
    rf"\b{_FOR_GOOD} (?:nur|immer|nie|keine?[nmrs]?|nichts|ohne|mit)\b",
    rf"\b(?:wenn|sobald|immer wenn|falls) (?:du|ich dich|ich dir|ich um)\b[^.]*\b(?:{_ALWAYS}|bitte|dann {_DO})\b",
    r"\b(?:alles|alle[mnrs]?|jede[mnrs]?)\b[^.]*\b(?:was |die |das |den |der )?du (?:mir|uns)\b",
    r"\balles, was\b[^.]*\b(?:muss|soll|darf)\b"
    r"|^(?!(?:de[rn]|die|das|diese\w*|es|er|sie) (?:\w+ )?(?:muss|soll|darf)\b)[^.]*"
    r"\b(?:muss|müssen|soll|sollen|darf|dürfen)\b[^.]*\b(?:immer|stets|nie|niemals)\b",
    rf"{_START}(?:antworte|sprich|schreibe?|rede)(?: mir| mit mir| bitte| immer| nur)* (?:auf|in|ohne|mit|kurz"
    rf"|knapp)\b",
    r"\bnenne? mich\b|\bsprich mich\b|\bduze mich\b|\bsieze mich\b",
    r"\bich (?:möchte|will|hätte gerne?)\b[^.]*\bdass du (?:\w+ ){0,4}?(?:immer|nie|niemals|nur)\b",
    r"(?:^|[.!;:,–—] ?)(?:nur|keine?[nmrs]?|nichts|bloß)\b(?! (?:de[rnm]|die|das|diese\w*)\b)[^.]*\b(?:bitte|für "
    r"(?:mich|uns))(?=[.,;!]|$)",
)

REVOCATIONS = (
    r"\b(?:darf|darfst|dürft|dürfen|kannst|könnt)(?: [^\s.]+){0,4} wieder\b"
    r"|\b(?:ist|sind) (?:ab )?(?:jetzt|nun) (?:okay|ok|erlaubt|in ordnung)\b",
    r"\bdu (?:darfst|kannst)(?: \w+){1,6}? wieder\b|\bgilt (?:ab jetzt |jetzt |so )?nicht mehr\b|\bwieder erlaubt\b",
    r"\b(?:brauchst|musst)(?: \w+){1,6}? (?:nicht|keine?\w*) mehr\b|\bvergiss (?:die|meine|das mit)\b",
    r"\b(?:ist|sind|geht) (?:jetzt |ab jetzt )?wieder (?:in ordnung|okay|ok|erlaubt|gut|drin)\b",
)

TURNS = (r"\bwieder\b|\bnicht mehr\b|\bdoch (?:nicht|wieder)\b|\bvergiss\b|\bmeinung geändert\b",)

OF_ONESELF = (
    r"\bich (?:esse|trinke|mag|vertrage|nehme|benutze|nutze|fahre|fliege|kaufe|rauche|trage)\b[^.]*\b(?:keine?[nmrs]?"
    r"|nie|niemals|nur|nicht"
    r"|nichts|lieber|wieder|immer)\b",
    r"\bich (?:bevorzuge|hasse|verabscheue|meide|vermeide|verzichte auf|bin (?:\w+ )?(?:allergisch|vegetarier|veganer"
    r"|vegetarisch|vegan))\b",
)

AGAINST = (
    r"\b(?:nicht|nie|niemals|keine?[nmrs]?|nichts|ohne|außer|statt|vermeide\w*|verzichte\w*|hasse\w*|allergisch"
    r"|allergie"
    r"|vegetarier(?:in)?|vegan\w*|vegetarisch\w*|weder|noch|\w+frei|lass weg|weglassen|unverträglich\w*)\b"
)

MANNER_WRITTEN = """
antworte antworten antwort schreib schreibe sprich rede sag sage erkläre erklär erklären satz sätze sätzen wort worte
wörter worten zeile zeilen absatz absätze stichpunkt stichpunkte stichpunkten stichworte sprache deutsch deutsche
englisch englische kurz kürzer knapp lang ausführlich einfach einfache einfachen schlicht förmlich formell locker
höflich freundlich direkt ehrlich klar ton stil emoji emojis fachbegriffe fremdwörter ausrufezeichen duze sieze nenn
nenne schritt schritte schritten fragen beispiel beispiele ehrlicher floskeln zusammenfassung quellen quelle
"""

ASKED_WRITTEN = """
empfiehl empfehle empfehlen schlag schlage vor vorschlagen zeig zeige plane planen buche buchen bestelle code programm
programme skript skripte brief briefe mail mails nachricht nachrichten text texte
"""

IDLE_WRITTEN = """
immer nie niemals stets bitte merk dir merke ab jetzt sofort heute künftig zukunft zukünftig nur kein keine keinen mir
mich auf in mit ohne und oder für gib nimm verwende nutze mehr als höchstens maximal zwei drei vier fünf eine einen
ein der die das den dem du alles was regel grundsätzlich danke also noch ich es so dass ist bin am liebsten zu dein
deine deinen von dir will möchte
"""

SCOPED = (
    r"\b(?:wenn|sobald|falls|bei|für|zu)(?: du| ich| wir| mir| uns| dir| dich| alle[nmrs]?| jede[nmrs]?| mein\w*"
    r"| unser\w*"
    r"| der| die| das| den| dem| ein\w*)* ([a-zäöüß][\w-]+)"
)
