"""Nouns that stand before a name and say what it names."""

from __future__ import annotations

from palace.records.graph import EntityType

KIN = (
    "mother father mum mom dad mama papa parents sister brother siblings? daughter son kids? child baby toddler"
    " newborn twins? wife husband spouse fianc[ée]e? partner girlfriend boyfriend gf bf ex ex-wife ex-husband"
    " aunt auntie uncle cousin niece nephew grandma grandpa grandmother grandfather granny nana"
    " step-?(?:mother|father|mom|dad|son|daughter|sister|brother) (?:mother|father|sister|brother|son|daughter)-in-law"
    " godmother godfather godson goddaughter"
    " friend mate buddy pal bestie roommate flatmate housemate neighbou?r colleague coworker co-worker"
    " boss manager supervisor teammate mentor coach teacher professor tutor instructor student intern assistant"
    " dentist doctor gp therapist physio physiotherapist vet landlord landlady lawyer accountant hairdresser"
    " barber nanny babysitter trainer plumber electrician nurse surgeon pediatrician counselor counsellor"
    " bro sis roomie cleaner gardener childminder housekeeper"
    " hygienist client guy girl woman man lady kid boy founder host guide driver singer author"
)
TITLES = (
    "dr|mr|mrs|ms|miss|prof|professor|doctor|aunt|auntie|uncle|sir|madam|captain|father|sister|grandma|grandpa|granny"
    "|herr|frau|herrn|doktor|tante|onkel|oma|opa|señora?|don|doña|monsieur|madame|mme"
)
PETS = (
    "dog|puppy|pup|cat|kitten|kitty|horse|pony|rabbit|bunny|hamster|guinea pig|parrot|budgie|parakeet|cockatiel"
    "|tortoise|turtle"
    "|gecko|snake|lizard|bearded dragon|goldfish|fish|chicken|hen|goat|sheep|cow|donkey|ferret|rat|mouse|pet|hedgehog"
    "|whippet|greyhound|beagle|labrador|lab|poodle|golden retriever|retriever|husky|corgi|dachshund|terrier"
    "|collie|spaniel"
    "|bulldog|pug|chihuahua|shih tzu|shepherd|german shepherd|dalmatian|tabby|siamese|maine coon|tomcat|mare"
    "|gelding|stallion|foal|mutt|rescue"
)
THINGS = (
    "boat|sailboat|yacht|ship|canoe|kayak|dinghy|narrowboat|car|van|campervan|camper|truck|motorbike|motorcycle"
    "|scooter|bike|bicycle|tractor|caravan"
    "|server|laptop|computer|pc|machine|nas|router|robot|vacuum|guitar|piano|cello|violin|drone|car|telescope"
    "|plant|sourdough starter|starter"
    "|app|tool|plugin|library|framework|software|program|game|database|language|medication|medicine|drug|pill"
    "|album|book|novel|show|series|movie|film|podcast|song|phone"
)
PLACES = (
    "town|village|city|suburb|neighbou?rhood|street|road|island|lake|beach|mountain|hotel|hostel|restaurant|cafe"
    "|café|pub|bar|place|spot|venue|"
    "campsite|park|farm|house|cottage|cabin|apartment|building|region|country|gallery"
)
FIRMS = (
    "company|firm|startup|start-up|employer|school|university|college|kindergarten|nursery|daycare|band|choir"
    "|orchestra|club|team|agency|bank|shop|store"
    "|bakery|brand|clinic|hospital|organi[sz]ation|charity|nonprofit|ngo|magazine|newspaper|publisher|studio|gym"
    "|group|label|dealership|garage|brewery|vendor|supplier|airline|insurer|service|website|platform|supermarket"
    "|chain"
)
EVENTS = (
    "festival|conference|race|marathon|event|tournament|fair|competition|workshop|gig|concert series|hackathon|ceremony"
)
PROJECTS = "project|initiative|codename|undertaking|campaign"

TABLE: tuple[tuple[str, EntityType], ...] = (
    ("|".join(KIN.split()), EntityType.PERSON),
    (PETS, EntityType.ITEM),
    (THINGS, EntityType.ITEM),
    (PLACES, EntityType.PLACE),
    (FIRMS, EntityType.ORGANISATION),
    (EVENTS, EntityType.EVENT),
    (PROJECTS, EntityType.PROJECT),
)
"""Patterns of nouns, each with what is named behind them."""
