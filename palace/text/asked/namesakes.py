"""Names that are words as well: in lower case they are the word, and the person's name only with a capital. Pure."""

from __future__ import annotations

from palace.text.stopwords import STOP_WORDS, TALK_WORDS

SHORTEST = 3
"""Letters from which on a name counts in lower case: shorter ones are words of one language or another."""

_GIVEN = """
abbot ace amber angel april art ash aspen autumn basil bay bear belle bill billy birch blanche blaze bliss blue bob
bonnie brand brandy brook brooke buck bud buddy candy carol cat chance chase cherry chip chuck clay clement cliff coco
cole colt coral cricket crystal daisy dale dan dawn dean destiny dick dolly don dot drake drew duke duncan earl easter
eddy eden ember eve faith fanny faye fern finn fleur flora florence forest forrest fox frank fred gale garnet gay gem
gene genesis ginger glen glenn glory gore grace grant guy hank happy harmony harry haven hazel heath heather heaven
herb holly honey hope hunter iris ivory ivy jack jade jasmine jasper jay jean jenny jewel jimmy job joe john josh joy
judge june justice kay ken king kit lance lane lark laura laurel lee leo liberty lily link london lotus love luke
magnolia major man marina mark marshal marshall martin mason mat matt max maxim may melody mercedes mercy merit merry
micky mike miles mimi misty moe molly morning nancy nick noble norm nova oak ocean olga olive opal oral otter paddy
page paige pansy paris parker pat patience patsy patty paul peach pearl peg penny pepper pet petal peter petra phoenix
pip piper polly pony poppy precious price prince princess prudence quill rain ralph randy raven ray red reed regina
rex rich ricky rider river rob robin rock rocky rod roman romeo rosa rose rosemary roxy royal ruby rusty ruth saga
sage sally sam sandy scarlet scout sequoia serenity shade sheila shell shirley sierra silver skip sky sol sonny sophie
spencer star stella sterling stew stone storm stormy sue summer sunday sunny sunshine sven tad teddy temperance temple
terry tiger tim timber toby tom tony trace tracy trinity trip tristan troy true tuesday tulip unity van vera vic
victor victoria viola violet virginia wade wally warren wave west will willow willy winter wolf wren zion
"""
_FAMILY = """
abend abt acker adler alt amsel anger apfel archer arm arzt asche bach baker ball bank banks bar barber bard bark
barker barn baron bart base bass bauer baum baumann beam bean beck becker beer bell bench berg best biber bird birne
bischof bishop bitter black blank blau blitz blood bloom blum blume boden bogen bond booth bowl bowman box boy branch
brand braun bread brewer bridge bridges britain brock brook brooks brot brown bruder brun buch bull burger burn burns
busch bush butcher butler butter byrd cage camp campbell cannon card carpenter carter carver case cash castle champion
chandler chapel chapman child church clark clarke clerk close coach coal cobb cock coffee coffey coin cole constable
cook coop cooper corn cotton court cow craft crane creek crisp cross crow crown cruise cruz cup curry dance dancer
daniel darling dart davis deal diamond diver dove down draper driver drum drummer dunkel dunn dyer eagle east ebert
eck ehrlich eisen elder ende engel england english erb ernst esel falk falke farmer farrow fast feather feder fein
feld fels fence feuer field fields finch fink fischer fish fisher flag fleischer fletcher flood flower flowers flynn
foot ford forester foster fountain france franz freeman frei french frisch froh fromm frost fuchs fuller funk fuss
gamble game gans garden gardener gardner garland gass gates geier geiger gelb german gift glaser glass glover glück
gold golden goldschmied good gott graf grass grau graves gray green grey grimm groom gross ground grove groß grün gut
haar hahn hail hale hall ham hammer hand hannover hard hardy harp harper hart hase haus hawk hay hayes head heart
hecht heide heil heiland heinz held hell henne hering herr herz herzog heu hill hirsch hirt hitch hobby hoch hof hogg
holland holm holt holz hood hooper horn horne horse house hub huber hunger hunt hut hutmacher igel irish jagd jahn
jordan jung junge junker jäger kahl kaiser kalb kalt kamm kammer kappel karl kater katz kaufmann kehl keller kern key
keys kind kirch kirsch kitchen klee klein klug knapp knecht knight knoll koch kohl kolb kopf korb korn krach kraft
kranz kraus kraut krebs kreis kreuz krieg krieger kringel krone krug krumm kuchen kugel kuhn kunst kunz kurz kuss
könig lake lamb lamm land lang lange last laub laut law lawn leach leaf leer lehmann lerche licht lieb lieber light
linde lion little loch lock long lord lower lucky luft lustig lynch löwe mai maier major maler market markt marsh marx
maurer mayer mayor mehl meier meister mellow mensch merchant messer metz metzger meyer middle milch mill miller mills
minor mitte mohn mohr mond monk moon moor moore moos moral morgen moss motte mount mund mutter myers müller münz nacht
nadel nagel narr neu neuer neumann newman nice night nord north nuss ochs oder ofen ohm onions oster otto pack palmer
pan papst park parks parsons path peacock peak pech pepper perl perle person pfaff pfarr pfau pfeffer pfeifer pfister
pike pilgrim pine pink pitt plain platz plumb plumber pohl pole pollard pond pool pope porter post pott potter pound
power powers priest prior probst proud purple quick rab rabe rad rand rau rauch read reader recht reeves regen reich
reif reim reiter rest reuter rice richter riemer ries riese rind ring ritter roach roads rogen rolf rolle room root
roper roth row rowe rubin ruh ruhe rush russ russell salmon salt salz samt sand sanders sattler sauer saw sawyer schaf
schatz scheer schein schell schenk scherer schick schiff schild schiller schilling schlaf schlecht schlegel schloss
schmidt schmied schmitt schmitz schnabel schnee schneider schnell scholl scholz schopf schott schreiber schreiner
schroff schubert schuh schuhmacher schulz schulze schumacher schuster schwab schwan schwarz schweizer schäfer schön
schönfeld schütz schütze seal see seele seemann seidel seiler self selig sell senf senior sharp shepherd shields ship
shoemaker shore short silber simmer singer skinner slater small smart smith snow sohn sommer sonne south spann sparrow
specht speck speer sperling spiegel spitz sporn spring springer sprung stab stadler stahl stamm stapler stark steel
steer steiger stein steiner stern steward stiller stock stoll stolz stoner stout strand strange strasser strauß street
strobel stroh strong stroud stube stumpf sturm sumner sutter swan sweet swift süß tag tailor talent tall tanne tanner
taube taylor teich teller teufel thaler thorn thurn tier till tisch toast todd tor town trader traub traum travel
treiber trost turk turm turner tyler uhl ulm unger vater vine vogel vogt voice volk voll wagner wahl wald walker wall
waller walter wand ward warm warner wassermann water waters weaver webb weber weg weich weimar wein weise weiss weit
weiß wells welsh welt wend werner west wetter wheat wheeler white wiese wiesel wild wilde wilder wind winkler winzer
wirt wise witt wohl wolff wood woods workman wright wunder wurst yard york young zander zart zeit zeller ziegel
ziegler zimmer zimmermann zink zoll zorn zucker
"""
_OTHERS = """
bei can das december dem den der des dezember die dienstag donnerstag ein eine februar february freitag friday für hat
ist januar january juli july juni man march mit mittwoch monday montag märz nicht november october oder oktober
samstag saturday september sind sonntag thursday tuesday und von wann war was wednesday wem wen wer wie
"""

NAMESAKES = frozenset(f"{_GIVEN} {_FAMILY} {_OTHERS}".split()) | STOP_WORDS | TALK_WORDS
"""In lower case: first and last names that are English or German words, and words that are everywhere."""
