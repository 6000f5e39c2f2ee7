"""Words that say nothing about what a text is about."""

from __future__ import annotations

_WORDS = """
a about above across actually after again against ago all almost along already also although always am among an
and another any anybody anyone anything anyway are aren aren't around as aside ask asked asking at away
back be became because become been before began behind being below beside besides between beyond both but by
came can can't cannot certain certainly come comes coming could couldn couldn't
did didn didn't different do does doesn doesn't doing don don't done down during
each either else enough especially even ever every everybody everyone everything everywhere exactly except
far few first for former forth from further furthermore
gave general generally get gets getting give given gives giving go goes going gone good got gotten great
had hadn hadn't has hasn hasn't have haven haven't having he he'd he'll he's hence her here here's hers herself
him himself his how how's however
i i'd i'll i'm i've id if ill im in indeed instead into is isn isn't it it'd it'll it's its itself ive
just keep keeps kept kind knew know known knows
last lately later least less let let's lets like likely little ll long look looked looking looks lot lots
made mainly make makes making many may maybe me mean means meanwhile might mine more moreover most mostly much
must mustn mustn't my myself
namely near nearly need needed needs neither never nevertheless new next no nobody none nor not nothing now
nowhere
of off often oh ok okay on once one ones only onto or other others otherwise ought our ours ourselves out over
own part particular particularly per perhaps please plus possible possibly probably put
quite rather re really regarding right
said same saw say saying says second see seem seemed seems seen several shall shan she she'd she'll she's
should shouldn shouldn't simply since so some somebody somehow someone something sometimes somewhat somewhere
soon sort still stuff such sure
take taken takes taking tell than that that's thats the their theirs them themselves then thence there there's
therefore these they they'd they'll they're they've thing things think third this those though thought through
throughout thus till to together told too took toward towards tried tries try trying two
under unless unlike until up upon us use used uses using usually
various ve very via
want wanted wants was wasn wasn't way ways we we'd we'll we're we've well went were weren weren't what what's
whatever when when's whenever where where's wherever whether which while who who's whoever whole whom whose why
will with within without won won't work works would wouldn wouldn't
yes yeah yep yet you you'd you'll you're you've your yours yourself yourselves
"""

STOP_WORDS = frozenset(_WORDS.split())
"""English function words and the verbs, adverbs and quantities of everyday talk; lower case."""

_TALK = """
add adding additionally advice allow allows answer answers appreciate assistant awesome bad based best better
big bit bye change changes check consider considering conversation cool cost course create creating current
currently day days detail details discuss easily easy effective ensure example examples excellent excited
explain explore fantastic feature features feel feeling find finding fine follow following fun glad guess
happy hello help helpful helps hey hi high hope hoping idea ideas important improve include includes including
information interested interesting issue issues learn learning list love lovely main matter message mind month
months nice note number offer offers opinion option options overall people perfect person place places point
popular prefer problem provide providing question questions quick read reading reason recently recommend
recommendation recommendations relevant remember response set share show simple sir small sorry sound sounds
specific start started starting step steps suggest suggestion suggestions support talk talking thank thanks
time times tip tips today tomorrow tonight topic type types unique user valuable variety version wait week
weeks welcome wonder wonderful wondering word words worry year years yesterday
"""

TALK_WORDS = frozenset(_TALK.split())
"""Words of everyday talk and advice that name nothing alone, though they may close a phrase ("wiring options")."""
