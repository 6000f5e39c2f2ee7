"""Twenty conversations, with what people would know each by: labelled before the rules were written."""

from __future__ import annotations

from typing import NamedTuple


class NamedTalk(NamedTuple):
    """A conversation about one thing."""

    title: str
    nouns: tuple[str, ...]
    """Nouns of which its name has to hold one: those of what it says most often, in any case, singular or plural."""
    texts: tuple[str, ...]
    """What is said, the person and an assistant taking turns."""


TALKS = (
    NamedTalk("garden log", ("tomato", "tomatoes", "seedlings"), (
        "Potted up the tomatoes today, gave the seedlings a feed at quarter strength.",
        "Quarter strength is right for seedlings; go to half strength once the tomatoes have four true leaves.",
        "The tomatoes by the south window are leggy. Should I move them?",
        "Turn the trays daily and keep the tomatoes cooler at night. Leggy seedlings can be planted deeper.",
        "Planted the leggy ones up to the first leaves. Fed everything at quarter strength again.",
        "Good. Water from below, and harden the tomatoes off for a week before they go out.",
    )),
    NamedTalk("boiler", ("boiler", "pressure"), (
        "My boiler keeps losing pressure, it was at 0.5 bar this morning again.",
        "Check whether the boiler's filling loop is closed, then look at the expansion vessel.",
        "I closed the loop and topped it up to 1.3 bar. The boiler pressure was fine for two days.",
        "If the boiler pressure rises a lot when heating, the expansion vessel has lost its charge.",
        "It rises to nearly 3 bar when the heating is on, so you were right about the vessel.",
        "Then have an engineer recharge or replace the vessel; the boiler itself is probably fine.",
    )),
    NamedTalk("job interview", ("interview", "questions"), (
        "I've got an interview at a logistics company on Thursday and I'm nervous.",
        "Let's prepare. Which role is the interview for, and who will be asking the questions?",
        "Operations analyst. The interview is with the head of planning and someone from HR.",
        "Expect interview questions about forecasting, conflict, and a time you improved a process.",
        "Can you give me a structure for answering interview questions?",
        "Situation, task, action, result. Practise three stories so that you can reuse them in the interview.",
    )),
    NamedTalk("dog training", ("dog", "leash", "puppy"), (
        "Our puppy Biscuit pulls on the leash like crazy.",
        "Stop walking every time the leash gets tight and reward the puppy when it slackens.",
        "We tried that but he barks at every other dog while on the leash.",
        "Keep more distance from the other dog and reward calm looks; leash reactivity is common in a puppy.",
        "Yesterday he walked past a dog without barking!",
        "Lovely. Keep the leash loose and sessions short.",
    )),
    NamedTalk("sourdough", ("sourdough", "starter", "dough"), (
        "My sourdough starter smells like acetone, is it dead?",
        "No, a sourdough starter that smells of acetone is hungry. Feed it twice a day.",
        "Fed it 1:2:2 and it doubled in six hours. When can I bake?",
        "Once the starter doubles reliably, mix the dough with twenty percent starter.",
        "The dough was very sticky and the loaf came out flat.",
        "Lower the hydration and give the dough more folds. Your sourdough will hold its shape then.",
    )),
    NamedTalk("tax return", ("tax", "return", "expenses", "deduction"), (
        "I need to submit my tax return by the end of the month and I work from home.",
        "You can claim a home office deduction on the tax return if you use a room only for work.",
        "It's a corner of the bedroom. Does that count?",
        "Then the flat rate per day applies. Put the days on the tax return and keep a list.",
        "What about the laptop I bought for 1,100 euros?",
        "Work equipment counts as expenses; enter the laptop on the tax return with its share of work use.",
    )),
    NamedTalk("postgres", ("query", "index", "postgres"), (
        "This query on the orders table takes 9 seconds in Postgres.",
        "Run EXPLAIN ANALYZE on the query and look for a sequential scan.",
        "It's a seq scan on orders, 4 million rows, filtered by customer_id and created_at.",
        "Add a composite index on (customer_id, created_at). With that index Postgres reads only a few pages.",
        "Created the index and the query takes 12 ms now, wow.",
        "Great. Watch out for index bloat if the table is updated often.",
    )),
    NamedTalk("wedding", ("wedding", "venue", "guests"), (
        "We're getting married in September and have to choose a wedding venue.",
        "How many wedding guests are you planning for, and does the venue need rooms?",
        "About 80 guests. The barn venue in Ludlow is lovely but has no rooms.",
        "For 80 wedding guests you could block a hotel nearby and hire a coach.",
        "Mum wants to invite 30 more guests, which would be too many for the barn.",
        "Agree on a limit with the venue first; then nobody has to be disappointed about the wedding.",
    )),
    NamedTalk("knee", ("knee", "physio", "exercises"), (
        "My knee hurts after running downhill, on the outside.",
        "That may be the iliotibial band. Rest the knee for a few days and see a physio.",
        "The physio gave me three exercises and said no hills for six weeks.",
        "Do the exercises daily. If the knee swells, stop and go back to the physio.",
        "Week two: the knee is better on flat ground.",
        "Then add distance slowly and keep the exercises going; strong hips protect the knee.",
    )),
    NamedTalk("guitar", ("guitar", "strings", "chords", "chord"), (
        "I bought a used acoustic guitar and the strings buzz on the low frets.",
        "Old strings or low action make a guitar buzz. Change the strings first.",
        "New strings on. Better, but the sixth string still buzzes at the second fret.",
        "The neck may need a little relief. A guitar shop can set that up cheaply.",
        "Which chords should a beginner learn on guitar?",
        "Start with E minor, G, C and D; with these chords you can play hundreds of songs.",
    )),
    NamedTalk("bike", ("bike", "chain", "derailleur", "gears"), (
        "The chain on my bike skips when I pedal hard uphill.",
        "A worn chain skips under load. Measure the chain with a gauge.",
        "The gauge says 0.75, so I'll order a new chain and cassette for the bike.",
        "Replace both together. Then index the gears on the bike stand.",
        "Done, but the chain rubs the front derailleur in the highest gear.",
        "Turn the limit screw out a quarter turn until the chain clears the cage.",
    )),
    NamedTalk("kids' school", ("school", "teacher", "reading"), (
        "Our daughter's teacher says she's behind with reading.",
        "Ask the teacher which reading level she is on and what the school offers.",
        "The school has a reading club on Tuesdays, but she refuses to go.",
        "Let her pick the books. Ten minutes of reading together every evening does a lot.",
        "She likes comics. Does that count as reading?",
        "Of course. Tell the teacher about the comics, the school may have some.",
    )),
    NamedTalk("kitchen", ("kitchen", "worktop", "cabinets"), (
        "We want to renovate the kitchen for under 8,000.",
        "Keep the cabinets and replace the fronts; the worktop is where a kitchen budget goes.",
        "I got a quote for an oak worktop, 1,450 including fitting.",
        "Oak needs oiling twice a year. A laminate worktop would cost a third of that.",
        "The cabinets are from 1998 but solid. I'd paint the fronts myself.",
        "Degrease the cabinets, sand lightly and use a primer; then the kitchen will look new.",
    )),
    NamedTalk("novel", ("novel", "chapter", "narrator", "character"), (
        "I'm stuck on chapter seven of my novel, the narrator knows too much.",
        "Give the narrator a blind spot: let chapter seven be told before she reads the letter.",
        "But the reader has known about the letter since chapter two.",
        "Then let the reader be ahead of the narrator; that is dramatic irony and suits your novel.",
        "I rewrote the chapter in the present tense and it works.",
        "Wonderful. Check that chapter eight doesn't repeat what the narrator just learned.",
    )),
    NamedTalk("Balkon", ("balkon", "tomaten", "kräuter", "balkonkasten"), (
        "Ich möchte auf dem Balkon Tomaten und Kräuter anpflanzen. Was muss ich beachten?",
        "Auf einem sonnigen Balkon wachsen Tomaten gut. Nimm große Töpfe und gieße die Tomaten regelmäßig.",
        "Der Balkon geht nach Westen, da scheint die Sonne erst ab zwei.",
        "Das reicht für Cocktailtomaten. Kräuter wie Minze und Petersilie kommen mit dem Balkon auch zurecht.",
        "Die Tomaten haben jetzt braune Flecken auf den Blättern.",
        "Das kann Krautfäule sein. Entferne die Blätter und halte die Tomaten trocken.",
    )),
    NamedTalk("Steuer", ("steuererklärung", "finanzamt", "bescheid", "einspruch"), (
        "Das Finanzamt hat meine Steuererklärung nicht anerkannt, ich soll 640 Euro nachzahlen.",
        "Prüfe den Bescheid: Welche Angaben der Steuererklärung hat das Finanzamt gestrichen?",
        "Die Fahrtkosten. Im Bescheid steht, dass der Nachweis fehlt.",
        "Lege innerhalb eines Monats Einspruch gegen den Bescheid ein und reiche die Belege nach.",
        "Wie formuliere ich den Einspruch?",
        "Kurz: Gegen den Bescheid vom ... lege ich Einspruch ein. Das Finanzamt muss dann neu prüfen.",
    )),
    NamedTalk("Umzug", ("umzug", "wohnung", "kartons", "vermieter"), (
        "Wir ziehen im Oktober um und haben den Umzug noch gar nicht geplant.",
        "Für den Umzug aus einer Wohnung mit drei Zimmern brauchst du etwa 60 Kartons.",
        "Der Vermieter will die alte Wohnung gestrichen zurück, ist das erlaubt?",
        "Das hängt vom Mietvertrag ab. Viele Klauseln, mit denen ein Vermieter das verlangt, sind unwirksam.",
        "Ich habe zwei Angebote für den Umzug: 1.200 und 1.850 Euro.",
        "Frage nach, ob Versicherung und Kartons dabei sind, und lass dir den Umzug schriftlich bestätigen.",
    )),
    NamedTalk("Katze", ("katze", "futter", "tierarzt", "tierärztin"), (
        "Unsere Katze frisst seit drei Tagen kaum noch etwas.",
        "Wenn eine Katze länger als zwei Tage nicht frisst, solltest du zum Tierarzt gehen.",
        "Der Tierarzt hat Zahnstein gefunden und ein weiches Futter empfohlen.",
        "Wärme das Futter leicht an, dann riecht es für die Katze stärker.",
        "Sie frisst wieder! Nur das neue Futter mag sie nicht so.",
        "Mische das neue Futter langsam unter das alte, damit sich die Katze daran gewöhnt.",
    )),
    NamedTalk("Server", ("server", "backup", "festplatte", "backups"), (
        "Mein Heimserver hat eine Festplatte verloren und das Backup ist drei Wochen alt.",
        "Tausche die Festplatte und lass das Backup künftig jede Nacht laufen.",
        "Welche Festplatte soll ich für den Server nehmen?",
        "Eine für Dauerbetrieb mit 8 TB. Und lege ein zweites Backup außer Haus an.",
        "Das nächtliche Backup läuft jetzt mit Restic auf einen zweiten Server.",
        "Gut. Teste einmal im Monat, ob sich das Backup auch wirklich zurückspielen lässt.",
    )),
    NamedTalk("band chat", ("gig", "setlist", "rehearsal", "soundcheck"), (
        "anyone free for a rehearsal on wed? the gig is in 9 days lol",
        "i can do wed after 7. did we agree on the setlist",
        "setlist is in the drive, 11 songs. the gig slot is 45 min so we have to cut two",
        "cut the slow one pls. who's bringing the drum rug to the gig",
        "me. load in at 5, soundcheck 5:30, so rehearsal wed and then the gig on fri",
        "ok setlist final then, see you at rehearsal",
    )),
)  # fmt: skip
