"""Towns and countries that languages call by different names, folded."""

from __future__ import annotations

_WRITTEN = """
vienna, wien, vienne, viena, вена
lisbon, lissabon, lisboa, lisbonne
munich, munchen, monaco di baviera, мюнхен
cologne, koln, colonia
nuremberg, nurnberg
hanover, hannover
brunswick, braunschweig
geneva, genf, geneve, ginebra
zurich, zurigo
basel, basle, bale
lucerne, luzern
bern, berne
rome, rom, roma
milan, mailand, milano
venice, venedig, venezia
florence, florenz, firenze
naples, neapel, napoli
turin, torino
genoa, genua, genova
prague, prag, praha, прага
warsaw, warschau, warszawa, варшава
cracow, krakow, krakau
wroclaw, breslau
gdansk, danzig
moscow, moskau, moskva, москва
saint petersburg, st petersburg, sankt petersburg, санкт-петербург
kyiv, kiev, kiew, киев, київ
athens, athen, athina
thessaloniki, salonica
brussels, brussel, bruxelles
antwerp, antwerpen, anvers
ghent, gent, gand
bruges, brugge
liege, luttich
hague, den haag
copenhagen, kopenhagen, kobenhavn
gothenburg, goteborg
stockholm, estocolmo
bucharest, bukarest, bucuresti
belgrade, belgrad, beograd
sofia, sofija
budapest, будапешт
lviv, lemberg
bratislava, pressburg
seville, sevilla
saragossa, zaragoza
strasbourg, strassburg
nice, nizza
beijing, peking
tokyo, tokio
istanbul, стамбул
cairo, kairo
jerusalem, yerushalayim
mumbai, bombay
chennai, madras
kolkata, calcutta
bengaluru, bangalore
new york city, nyc
los angeles, лос-анджелес
berlin, берлин
paris, париж
london, londres, londra, лондон
tuscany, toskana, toscana
bavaria, bayern
saxony, sachsen
lower saxony, niedersachsen
north sea, nordsee
baltic sea, ostsee
danube, donau
rhine, rhein
lake constance, bodensee
germany, deutschland, allemagne, alemania, германия
austria, osterreich, autriche, австрия
switzerland, schweiz, suisse, svizzera, швейцария
france, frankreich, francia, франция
italy, italien, italia, италия
spain, spanien, espana, испания
greece, griechenland
netherlands, niederlande, holland
belgium, belgien, belgique
denmark, danemark
norway, norwegen, norge
sweden, schweden, sverige
finland, finnland, suomi
poland, polen, polska, польша
czech republic, tschechien, czechia
hungary, ungarn
croatia, kroatien, hrvatska
slovenia, slowenien
slovakia, slowakei
turkey, turkei, turkiye
russia, russland, россия
ireland, irland
iceland, island
scotland, schottland
united kingdom, uk, grossbritannien, great britain, vereinigtes konigreich
united states, usa, us, united states of america, vereinigte staaten
brazil, brasilien, brasil
mexico, mexiko
japan, япония
china, китай
south africa, sudafrika
new zealand, neuseeland
"""

_USUAL = {name: names[0] for names in (line.split(", ") for line in _WRITTEN.split("\n") if line) for name in names}


def usual_name(folded: str) -> str:
    """Give the English name of a town or a country, folded; any other name as it is."""
    return _USUAL.get(folded, folded)
