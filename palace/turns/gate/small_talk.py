"""Sentences that greet, thank, agree or take leave and say nothing else, in English, German and French. Pure."""

from __future__ import annotations

import re

from palace.patterns import late

_WHOM = (
    r"(?: (?:there|all|everyone|everybody|again|you|friend|buddy|mate|claude|gpt|chatgpt|assistant|bot|to you"
    r"|zusammen|alle|leute|du|dir|euch|ihnen|sie|tout le monde|a tous|a toi|a vous|toi|vous))*"
)
_HELLO = (
    r"(?:hi+|hey+|hello+|helo|hallo+|hullo|hiya|howdy|yo|sup|greetings|good (?:morning|afternoon|evening|day"
    r"|night)|morning|evening"
    r"|guten? (?:morgen|tag|abend|nacht|mittag)|morgen|moin(?: moin)?|servus|gruss (?:gott|dich)|gruezi|hi+"
    r"|na(?: du)?|tach"
    r"|bonjour|bonsoir|salut|coucou|bonne (?:nuit|journee|soiree)|allo|rebonjour|cc|slt|bjr)"
)
_HOW = (
    r"(?:how are (?:you|u|things)(?: doing)?(?: today)?|how(?:'s| is) it going|how do you do|what'?s up|whats up"
    r"|wassup|how have you been"
    r"|nice to meet you|hope you'?re (?:well|doing well)|wie geht(?:'?s| es)(?: dir| ihnen| euch| so)?"
    r"|alles (?:gut|klar|okay|ok)(?: bei dir)?|na,? wie geht'?s|was geht|was geht ab"
    r"|schon dich kennenzulernen|(?:comment )?(?:ca va|tu vas bien|vas-tu|allez-vous|tu vas|vous allez)(?: bien)?"
    r"|quoi de neuf|enchantee?)"
)
_THANKS = (
    r"(?:thanks?|thank you|thx|ty|tysm|cheers|much appreciated|appreciate it|thanks for (?:the|your|all the"
    r"|that)(?: quick| great)? ?(?:help|info|answer|explanation|reply|tip|tips|support)?"
    r"|danke(?: ?schon| ?sehr)?|dankeschon|vielen dank|besten dank|herzlichen dank|lieben dank|merci(?: bien)?"
    r"|merci beaucoup|mille mercis|je te remercie|je vous remercie"
    r"|danke fur (?:die|deine|ihre) (?:hilfe|antwort|info|muhe)|merci pour (?:ton|votre|l'|la|ta)\s?(?:aide"
    r"|reponse|info))"
    r"(?: (?:so much|a lot|very much|a bunch|a million|again|anyway|though|dir|ihnen|dafur|nochmal|vielmals"
    r"|beaucoup|bien|a toi|you|infiniment|encore|for that|for the help|for your help))*"
)
_AGREED = (
    r"(?:ok(?:ay|ie|i)?|k|kk|cool|great|nice|perfect|awesome|sweet|super|good|fine|alright|all right|sure|right"
    r"|got it|gotcha|i see|makes sense|sounds good|understood|noted|wow|lol|lmao|haha+|hehe+|amazing|excellent"
    r"|wonderful|brilliant|lovely|interesting|good (?:job|work|bot|one|to know|point|idea)|well done|never ?mind"
    r"|no problem|no worries|that'?s (?:all|great|it|perfect|fine|good|cool|helpful|interesting)|you'?re (?:great"
    r"|awesome|welcome|the best)|welcome|congrats|congratulations|happy (?:new year|birthday|holidays)"
    r"|merry christmas"
    r"|klar|alles klar|passt(?: so)?|gut|prima|toll|sehr gut|perfekt|verstanden|stimmt|genau|in ordnung|geht klar"
    r"|klasse|spitze|schon|geil|krass|ach so|aha|macht nichts|kein problem|bitte ?(?:schon|sehr)|gern ?(?:e"
    r"|geschehen)?|interessant|frohe weihnachten|das war'?s|das ist alles|gut zu wissen|macht sinn"
    r"|hort sich gut an|klingt gut"
    r"|d'accord|dac|parfait|tres bien|genial|bien|compris|entendu|ca marche|bien sur|de rien|pas de souci"
    r"|pas de probleme|excellent|chouette|je vois|c'est (?:bon|parfait|note|tout|clair|super|gentil|genial|cool)"
    r"|top|impec|interessant|bon a savoir|mdr|ah bon)"
)
_LEAVE = (
    r"(?:(?:good)?bye(?: ?bye)?(?: for now)?|see (?:you|ya)(?: (?:later|soon|tomorrow))?|cya|later|take care"
    r"|have a (?:nice|good|great|lovely) (?:day|evening|night|weekend|one|time)|talk (?:to you )?(?:later|soon"
    r"|tomorrow)|ttyl|good night|night|gn|until (?:tomorrow|next time)"
    r"|tschuss(?:i)?|tschau|ciao|bis (?:dann|bald|spater|morgen|zum nachsten mal)|auf wiedersehen|schonen (?:tag"
    r"|abend|feierabend)(?: noch)?|schones wochenende|mach'?s gut|wir sehen uns"
    r"|au revoir|a (?:plus|bientot|demain|plus tard|toute)|adieu|bonne (?:nuit|journee|soiree|fin de journee)"
    r"|bon (?:week-end|weekend)|tchao)"
)
_YES_NO = (
    r"(?:yes|yeah|yep|yup|yea|no|nope|nah|ja|jo|jup|nein|ne|nee|doch|oui|ouais|non|si|please|bitte"
    r"|s'il te plait"
    r"|s'il vous plait|stp|svp)"
)
_TESTS = (
    r"(?:test(?:ing)?|ping|test test|(?:testing )?1 2 3|are you there|bist du da|tu es la|who are you|what are you"
    r"|what can you do|wer bist du|was kannst du|qui es-tu|que sais-tu faire|are you (?:a bot|human|real|an ai"
    r"|chatgpt))"
)
_ONE = late(
    rf"(?:{_HELLO}{_WHOM}|{_HOW}|{_THANKS}{_WHOM}|{_AGREED}|{_LEAVE}|{_YES_NO}|{_TESTS}|and you|und dir|und selbst"
    r"|et toi|so|ah|oh|well|then|mir gut|fine thanks|all good|not bad)"
)
_ANSWER = late(rf"(?:{_YES_NO}|{_AGREED})")
_PARTS = late(r"\s*[^\w\s']+\s*|\s+(?:and|und|et)\s+")
_LONGEST = 120
_MOST_WORDS = 8

_WORDS_WRITTEN = """
please ciao toi hi hey heya hiya hello howdy yo thx thanks thank ty tysm ok okay k kk got it that works worked helps
helped perfectly ton tons bunch lot lots a so much very cheers mate dude bro man buddy nvm nevermind never mind forget
good great nice cool bot job work perfect fine all right alright yes yep yeah yup no nope done bye later night morning
evening day and you too ur u rock the best lol haha sweet awesome amazing brilliant super moin moinsen hallo hallochen
na servus jo ja jau jup nein ne danke dank dir euch ihnen lauft passt klar alles gut geht schon prima spitze toll
klasse perfekt hat sich erledigt ach also dann vielen lieben besten tausend sehr bis bald spater tschuss tschau mal
gute nacht guten morgen abend tag egal vergiss es gerne bitte coucou salut slt bonjour bonsoir merci mille beaucoup
bien ca marche nickel laisse tomber top genial parfait d'accord dac oui non ah bon tant pis pas grave mieux impeccable
plus tard demain bientot bonne nuit soiree journee
"""
_WORDS = frozenset(_WORDS_WRITTEN.split())
"""Words of which a few together say nothing, unless they ask."""


def is_small_talk(sentence: str) -> bool:
    """Tell whether a folded sentence says nothing but hello, thanks, fine or goodbye."""
    if len(sentence) > _LONGEST:
        return False
    words = sentence.replace(",", " ").replace("!", " ").split()
    if len(words) <= _MOST_WORDS and _WORDS.issuperset(words):
        return True
    return all(_ONE.fullmatch(part) for part in _PARTS.split(sentence) if part)


def is_answer(sentence: str) -> bool:
    """Tell whether a folded sentence is a bare yes, no or fine, which says something only as an answer."""
    return len(sentence) <= _LONGEST and all(_ANSWER.fullmatch(part) for part in re.split(r"[\s,.!-]{1,5}", sentence))
