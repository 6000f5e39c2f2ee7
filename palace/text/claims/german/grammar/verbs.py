"""The forms of German verbs: each tells its verb, its tense and its person. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache


class Mood(StrEnum):
    """What a form of a verb is for."""

    PRESENT = "present"
    PAST = "past"
    PARTICIPLE = "participle"
    INFINITIVE = "infinitive"
    SUPPOSED = "supposed"


@dataclass(frozen=True, slots=True)
class Form:
    """What a written word is as the form of a verb."""

    verb: str
    """The infinitive, with its particle: "umziehen"."""
    mood: Mood
    person: str = ""
    """"1" of I, "2" of you, "3" of he, she and it, "13" of I and he alike, "p" of several; empty where it has none."""

    @property
    def is_finite(self) -> bool:
        """Whether it bears a tense and a person."""
        return self.mood in (Mood.PRESENT, Mood.PAST, Mood.SUPPOSED)


_ODD = """
gebären part:geboren
sein sup:wäre sup:wär sup:sei 1:bin 1:bins 2:bist 3:ist 3:is 3:isch p:sind p:san past:war part:gewesen
haben sup:hätte sup:hätt 1:hab 1:habe 1:han 2:hast 3:hat p:haben p:ham past:hatte part:gehabt
werden sup:würde sup:würd 1:werd 1:werde 2:wirst 3:wird p:werden past:wurde part:geworden part:worden
können sup:könnte 13:kann 2:kannst p:können past:konnte
müssen sup:müsste 13:muss 13:muß 2:musst p:müssen past:musste
dürfen sup:dürfte 13:darf 2:darfst p:dürfen past:durfte
sollen 13:soll 2:sollst p:sollen past:sollte
wollen 13:will 2:willst p:wollen past:wollte
mögen 13:mag 2:magst p:mögen past:mochte
möchten 13:möchte 13:möcht 2:möchtest p:möchten
wissen 13:weiß 13:weiss 2:weißt p:wissen past:wusste part:gewusst
tun 1:tu 1:tue 3:tut p:tun past:tat part:getan
heißen 1:heiße 1:heisse 1:heiß 1:heiss 3:heißt 3:heisst p:heißen p:heissen past:hieß past:hiess part:geheißen
"""
"""Verbs whose forms follow no pattern."""

_STRONG = """
ziehen zieht zog gezogen|bekommen bekommt bekam bekommen|kommen kommt kam gekommen|sprechen spricht sprach gesprochen
nehmen nimmt nahm genommen|trinken trinkt trank getrunken|essen isst aß gegessen|fliegen fliegt flog geflogen
fahren fährt fuhr gefahren|gehen geht ging gegangen|stehen steht stand gestanden|liegen liegt lag gelegen
geben gibt gab gegeben|verlassen verlässt verließ verlassen|lassen lässt ließ gelassen|laufen läuft lief gelaufen
fangen fängt fing gefangen|beginnen beginnt begann begonnen|verlieren verliert verlor verloren
sterben stirbt starb gestorben|verschreiben verschreibt verschrieb verschrieben|schreiben schreibt schrieb geschrieben
finden findet fand gefunden|denken denkt dachte gedacht|bringen bringt brachte gebracht|treten tritt trat getreten
kennen kennt kannte gekannt|bleiben bleibt blieb geblieben|halten hält hielt gehalten|lesen liest las gelesen
sehen sieht sah gesehen|schlafen schläft schlief geschlafen|helfen hilft half geholfen|tragen trägt trug getragen
treffen trifft traf getroffen|singen singt sang gesungen|schwimmen schwimmt schwamm geschwommen
reiten reitet ritt geritten|stehlen stiehlt stahl gestohlen|vertragen verträgt vertrug vertragen
wachsen wächst wuchs gewachsen|rufen ruft rief gerufen|schließen schließt schloss geschlossen
bieten bietet bot geboten|leihen leiht lieh geliehen|verleihen verleiht verlieh verliehen|brechen bricht brach gebrochen
unterschreiben unterschreibt unterschrieb unterschrieben|scheiden scheidet schied geschieden
werfen wirft warf geworfen|wiegen wiegt wog gewogen|steigen steigt stieg gestiegen|betragen beträgt betrug betragen
fallen fällt fiel gefallen|gefallen gefällt gefiel gefallen|tun tut tat getan|sitzen sitzt saß gesessen
erhalten erhält erhielt erhalten|behalten behält behielt behalten|besitzen besitzt besaß besessen
übernehmen übernimmt übernahm übernommen|versprechen verspricht versprach versprochen|gelten gilt galt gegolten
vergessen vergisst vergaß vergessen|bestehen besteht bestand bestanden|entscheiden entscheidet entschied entschieden
genießen genießt genoss genossen|verbringen verbringt verbrachte verbracht|backen backt backte gebacken
vergeben vergibt vergab vergeben|gewinnen gewinnt gewann gewonnen|erfahren erfährt erfuhr erfahren
leiden leidet litt gelitten|streichen streicht strich gestrichen|beziehen bezieht bezog bezogen
schießen schießt schoss geschossen|entlassen entlässt entließ entlassen
überfahren überfährt überfuhr überfahren|schmeißen schmeißt schmiss geschmissen|blasen bläst blies geblasen
messen misst maß gemessen|brennen brennt brannte gebrannt
"""
"""Infinitive, third person, past and participle of verbs that change their vowel."""

_WEAK = """
wohnen leben arbeiten jobben schaffen unterrichten studieren stammen spielen nutzen benutzen verwenden lieben lernen
hassen bevorzugen kosten leiten reisen besuchen kaufen gönnen zulegen holen anschaffen erben besorgen adoptieren
verkaufen verschenken spenden starten hören kündigen trainieren löschen deinstallieren heiraten wechseln trennen
machen brauchen suchen sagen meinen fragen glauben hoffen planen überlegen warten reden erzählen hassen pendeln
kochen joggen klettern wandern üben schicken buchen mieten vermieten bestellen zahlen bezahlen hüten pflegen
tauschen ersetzen reparieren klauen entwickeln programmieren bauen basteln malen zeichnen tanzen turnen rauchen
segeln rudern stricken nähen töpfern boxen tauchen angeln imkern gärtnern setzen stellen legen hängen führen gehören
feiern verloben wünschen sammeln merken freuen ärgern danken zeigen erklären fühlen dauern reichen passen
funktionieren interessieren rechnen testen probieren installieren nerven stimmen melden klappen schenken kriegen
hauen kratzen schmecken erhöhen senken steigern verpassen begleiten beraten betreuen gründen managen coachen
abonnieren verdienen sparen wandern zelten campen surfen skaten bouldern radeln starten landen verreisen übernachten
verschrotten entsorgen versteigern verschieben absagen dosieren spritzen schlucken impfen operieren behandeln
diagnostizieren versetzen befördern einstellen anmelden eröffnen schließen zocken streamen filmen
fotografieren backen trinken lautet lauten bedeuten nennen taufen umtaufen promovieren habilitieren absolvieren
belegen wollen fürchten vermissen mögen versuchen möblieren renovieren einziehen dienen nachdenken schauen gucken
stecken klingeln wecken stornieren canceln platzen
"""
"""Verbs that are inflected by rule."""

SEPARABLE = """
um|ziehen aus|ziehen ein|ziehen weg|ziehen hin|ziehen zu|ziehen um|siedeln aus|wandern an|fangen auf|hören auf|geben
bei|treten ein|treten aus|treten an|schaffen zu|legen ein|nehmen ab|setzen um|steigen an|melden ab|melden ab|geben
weg|geben her|geben weg|werfen ab|holen um|taufen um|benennen los|werden ein|stellen aus|fallen ab|sagen statt|finden
teil|nehmen mit|machen mit|spielen vor|stellen ab|schließen um|schulen zurück|ziehen zurück|kommen zurück|geben
kaputt|gehen kennen|lernen zusammen|ziehen zusammen|kommen auf|wachsen an|rufen mit|bringen aus|leihen ab|stellen
hin|fahren hin|fliegen weg|fahren vorbei|kommen aus|geben vor|haben weg|kommen an|nehmen ein|lagern ab|lösen
um|stellen rüber|ziehen hoch|ziehen raus|ziehen aus|wechseln ein|steigen aus|steigen ein|schläfern an|treten
aus|ziehen fort|ziehen nach|denken an|kommen auf|stehen aus|sehen an|bieten um|tauschen an|haben durch|führen
heraus|geben hin|schmeißen ab|brechen aus|laufen ab|blasen
schluss|machen zusammen|leben zusammen|wohnen rum|kommen her|kommen
"""
"""Verbs whose particle stands apart in a main clause: "ziehe … um"."""

_WEAK_BASES = "siedeln wandern hören schaffen legen setzen melden holen taufen benennen stellen sagen machen spielen lernen leben wohnen schulen lösen wechseln schläfern tauschen denken führen lagern"  # fmt: skip  # noqa: E501
_ADJECTIVES = frozenset(["gebraucht", "bekannt", "verrückt"])
_UNPREFIXED = ("be", "ver", "er", "ent", "zer", "ge", "miss", "über", "unter")


def particles() -> frozenset[str]:
    """Give the particles of separable verbs."""
    return frozenset(pair.split("|")[0] for pair in SEPARABLE.split())


@cache
def forms() -> dict[str, tuple[Form, ...]]:
    """Give what each written word may be as the form of a verb."""
    found: dict[str, list[Form]] = {}
    bases: dict[str, list[tuple[str, Form]]] = {}
    for verb, written in _paradigms():
        bases.setdefault(verb, []).extend(written)
        for word, form in written:
            _put(found, word, form)
    for pair in SEPARABLE.split():
        particle, base = pair.split("|")
        for word, form in bases.get(base, []):
            _put(found, particle + word, Form(particle + base, form.mood, form.person))
        _put(found, f"{particle}zu{base}", Form(particle + base, Mood.INFINITIVE))
    return {word: tuple(each) for word, each in found.items()}


def _put(found: dict[str, list[Form]], word: str, form: Form) -> None:
    if word in _ADJECTIVES and form.mood is Mood.PARTICIPLE:
        return
    for spelling in {word, word.replace("ß", "ss"), _plain(word)}:
        known = found.setdefault(spelling, [])
        if form not in known:
            known.append(form)


def _plain(word: str) -> str:
    """Spell a word as those do who have no umlauts on their keys."""
    return word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")


def _paradigms() -> Iterator[tuple[str, list[tuple[str, Form]]]]:
    for line in _ODD.strip().splitlines():
        verb, *pairs = line.split()
        yield verb, [each for pair in pairs for each in _odd(verb, *pair.split(":"))] + [(verb, Form(verb, Mood.INFINITIVE))]  # fmt: skip  # noqa: E501
    for written in (each for line in _STRONG.strip().splitlines() for each in line.split("|")):
        parts = written.split()
        if len(parts) == 4:
            yield parts[0], list(_regular(*parts))
    for verb in dict.fromkeys([*_WEAK.split(), *_WEAK_BASES.split()]):
        if verb.endswith("n"):
            yield verb, list(_regular(verb, *_weak(verb)))


def _odd(verb: str, kind: str, word: str) -> Iterator[tuple[str, Form]]:
    if kind == "sup":
        for ending in ("", "n" if word.endswith("e") else "en", "st"):
            yield word + ending, Form(verb, Mood.SUPPOSED, "13")
    elif kind == "part":
        yield word, Form(verb, Mood.PARTICIPLE)
    elif kind == "past":
        yield word, Form(verb, Mood.PAST, "13")
        yield word + ("n" if word.endswith("e") else "en"), Form(verb, Mood.PAST, "p")
    else:
        yield word, Form(verb, Mood.PRESENT, kind)


def _weak(verb: str) -> tuple[str, str, str]:
    """Give third person, past and participle of a verb that is inflected by rule."""
    stem = _stem(verb)
    joint = "e" if stem.endswith(("t", "d", "chn", "ffn", "tm", "gn")) else ""
    prefix = "" if verb.endswith("ieren") or (verb.startswith(_UNPREFIXED) and verb not in ("übernachten",)) else "ge"
    if verb in ("gehören", "übernachten"):
        prefix = ""
    return f"{stem}{joint}t", f"{stem}{joint}te", f"{prefix}{stem}{joint}t"


def _stem(verb: str) -> str:
    return verb.removesuffix("n") if verb.endswith(("eln", "ern")) else verb.removesuffix("en")


def _regular(verb: str, third: str, past: str, participle: str) -> Iterator[tuple[str, Form]]:
    stem = _stem(verb)
    first = f"{stem[:-2]}{stem[-1]}e" if verb.endswith("eln") else f"{stem}e"
    yield first, Form(verb, Mood.PRESENT, "1")
    yield stem, Form(verb, Mood.PRESENT, "1")
    yield third, Form(verb, Mood.PRESENT, "3")
    yield third[:-1] + ("t" if third.endswith(("st", "ßt", "sst")) else "st"), Form(verb, Mood.PRESENT, "2")
    yield verb, Form(verb, Mood.PRESENT, "p")
    yield verb, Form(verb, Mood.INFINITIVE)
    yield past, Form(verb, Mood.PAST, "13")
    yield past + ("n" if past.endswith("e") else "en"), Form(verb, Mood.PAST, "p")
    yield participle, Form(verb, Mood.PARTICIPLE)
