"""Runs of words of French, Spanish, Italian and Portuguese that may be names: what stands behind an article."""

from __future__ import annotations

from collections.abc import Iterator

from palace.text.keyphrases.clauses import Clause, Run
from palace.text.words import says_something

_ARTICLES_WRITTEN = """
le la les un une des du au aux mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cette ces quel
quelle el los las una unos unas del al mi mis tu tus su sus este esta estos estas nuestro nuestra il lo gli uno dei
delle della dello degli nel nella mio mia miei questo questa os uma uns umas do da dos das no na nos nas meu minha
meus minhas
"""
_ARTICLES = frozenset(_ARTICLES_WRITTEN.split())

_OTHER_WRITTEN = """
ai ainsi alors après as assez aussi avant avec avez avoir avons beaucoup bien bon bonjour car cela ces chez comme
comment dans de depuis deux doit donc elle elles en encore entre est et était être eu fait faire faut ici ils je
jour jours là lui mais merci moi moins ne non nous on ont où oui par parce pas peu peut peux plus pour pourquoi puis
quand que qui quoi sans se ses si soit sont sous suis sur tous tout toute toutes très trop tu va vais vers veux
voici voilà vous a algo ahora antes aquí así aunque bien cada como con cómo cuando cuál de debe desde después día
días donde dos él ella ellos en entonces entre era eres es eso esto está están estoy fue ha hace hacer hay hasta he
hola la más me mejor menos mucho muy nada ni no nos o otra otro para pero poco por porque puede puedo qué quiero se
sea según ser si sí sido sin sobre solo son soy también tan te tengo tiene todo todos usted va vamos voy y ya yo
abbiamo anche ancora che chi ci come con cosa così da dal dalla devo di dove dopo due e è era essere fare fatto ha
hai hanno ho io ma meglio molto ne noi non ogni oggi per perché però più poi posso prima può qualche quando quanto
quello se sei sempre si sia siamo sono sopra solo su tanto tra tutti tutto un va vorrei ainda até cada com como de
depois dia dias do ela ele eles em então entre era essa esse está estão estou eu fazer foi isso isto já mais mas me
melhor menos muito nada não nem num numa o ou outra outro para pela pelo pode por porque posso pouco quando que quem
quero são se sem ser seu só sua também te tem tenho ter todo todos tudo um vai você vou
"""
FUNCTION_WORDS = _ARTICLES | frozenset(_OTHER_WRITTEN.split())
"""Words that sentences of these languages are put together with, in lower case."""


def romance_runs(clause: Clause) -> Iterator[Run]:
    """List the nouns of a clause: each stands behind an article, or is written with a capital within a sentence.

    Only one word each: what describes a noun stands behind it, among what else may stand there.
    """
    for place, word in enumerate(clause.words):
        plain = word.lower().rpartition("'")[2].rpartition("’")[2]
        if plain in FUNCTION_WORDS or not says_something(plain):
            continue
        before = clause.words[place - 1].lower() if place else ""
        is_elided = word.lower().startswith(("l'", "l’", "d'", "d’"))
        is_name = word[0].isupper() and (place > 0 or not clause.opens)
        if is_elided or is_name or before in _ARTICLES:
            yield Run((word[len(word) - len(plain) :],), (1.0,), (True,), (True,))
