"""Conversations, with what people would know each by: labelled before the rules were written."""

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
    NamedTalk("postgres", ("query", "index", "postgres"), (
        "This query on the orders table takes 9 seconds in Postgres.",
        "Run EXPLAIN ANALYZE on the query and look for a sequential scan.",
        "It's a seq scan on orders, 4 million rows, filtered by customer_id and created_at.",
        "Add a composite index on (customer_id, created_at). With that index Postgres reads only a few pages.",
        "Created the index and the query takes 12 ms now, wow.",
        "Great. Watch out for index bloat if the table is updated often.",
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
    NamedTalk("band chat", ("gig", "setlist", "rehearsal", "soundcheck"), (
        "anyone free for a rehearsal on wed? the gig is in 9 days lol",
        "i can do wed after 7. did we agree on the setlist",
        "setlist is in the drive, 11 songs. the gig slot is 45 min so we have to cut two",
        "cut the slow one pls. who's bringing the drum rug to the gig",
        "me. load in at 5, soundcheck 5:30, so rehearsal wed and then the gig on fri",
        "ok setlist final then, see you at rehearsal",
    )),
)  # fmt: skip
