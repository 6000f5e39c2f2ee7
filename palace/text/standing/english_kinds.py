"""English: "Use pnpm, not npm.", "No deploys on fridays.", "We don't do default exports here." Pure.

Patterns match where a clause begins.
"""

from __future__ import annotations

_DEFINITE = (
    r"(?!(?:the|this|that|these|those|it|its|my|your|his|her|their|him|them|me|us|a|an|one|both|some|first|last|other"
    r"|another|second|third|next|previous|current|which|what|whatever|why|how|if|to|when|where|here|there|option"
    r"|variant|plan|\d+)\b)"
)
"""What follows speaks of a kind: no article, nothing that points at one thing."""
_WORD = r"[\w\"'<@.#$][\w./@+#\"'()<>:*-]*"
_KIND = rf"{_DEFINITE}{_WORD}(?: (?!not\b|never\b|instead\b|over\b|rather\b|no\b|and\b){_DEFINITE}{_WORD}){{0,3}}?"
_TEXTS = r"(?:(?:the|our|any) )?(?:readme|docs|documentation|changelog|commit messages?|wiki)"
_WHOLE = (
    rf"(?:{_TEXTS}|(?:(?:the|our|any|this) )?(?:code ?base|code|ui|front ?end|back ?end|repo(?:sitory)?|monorepo"
    r"|project|test suite))"
)
"""What there is one of in a project."""
_HERE = r"(?:this|our) (?:repo(?:sitory)?|project|code ?base|team|package|monorepo)"
_DAYS = r"(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|(?:public |bank )?holidays)"
_ADJECTIVES = (
    r"(?:(?:all|our|any|new|public|private|internal|exported|integration|unit|e2e|database|db|git|test|small|short|big"
    r"|\w+-\w+) )*"
)
_THINGS = (
    r"(?:commits?|commit messages?|branch(?:es)?|branch names?|prs?|pull requests?|merge requests?|imports?|tests?"
    r"|test files?|migrations?|functions?|methods?|classes|variables?|variable names?|constants?|components?"
    r"|file ?names?|docs|docstrings?|comments?|log (?:lines|messages)|logs|error messages|endpoints?|routes?|dates"
    r"|timestamps|amounts|money|prices|ids|secrets|passwords|credentials|api keys|dependenc(?:y|ies)|releases?|tags"
    r"|hot ?fix(?:es)?|hotfix branches|bug ?fix(?:es)?|bugs?|features?|scripts?|config|css classes|(?:css )?class names"
    r"|column names|table names|translations|strings|changelog entries|feature flags|deploy(?:s|ments?)?|fixtures|mocks"
    r"|interfaces|enums|helpers|queries|code|identifiers|todos|services?|modules?|changes?|tickets?|names)"
)
_ARTEFACTS = rf"{_ADJECTIVES}{_THINGS}"
"""What a project has conventions for."""
_DONE = (
    r"(?:stored|written|named|kept|sorted|formatted|reviewed|prefixed|translated|documented|versioned|tagged|indented"
    r"|signed|squashed|rebased|tested)(?! by (?:the|a)\b)"
)
_NO_ACT = (
    r"(?:have|had|has|know|get|got|need|see|saw|understand|think|want|remember|care|like|seem|expect|mind|own|find"
    r"|found"
    r"|hear|feel|believe|lose|lost|run|end|support|sell|offer|can|could|will|would|should|might|agree|hope|mean"
    r"|forget|forgot|come|came|went|knew|thought|said|did|made|took|ran|wrote|broke|met|told|left|gave|kept|were|are"
    r"|is|was|been|be|started|talk|wait|call|handle|return|close|set|send|validate|load|read|fetch|parse|render|check"
    r"|receive|charge|ship|pay|accept|picked|chose)"
)
_ACT = rf"(?!(?:{_NO_ACT}|\w+ed)\b)\w+"
_CHOOSE = (
    r"(?:use|say|write|squash|test|name|put|keep|deploy|release|indent|format|commit|rebase|merge|prefer|develop|do"
    r"|document|call (?:it|them|these|those))"
)
_WE = rf"(?:(?:(?:in|for) {_HERE}|here),? )?we (?:(?:only|also|all|usually|generally|normally|just) )*"
_DO = (
    r"(?:write|run|update|add|ask|check|tell|use|make|bump|create|tag|commit|show|remove|log|rebase|squash|open|test"
    r"|format|lint|document|review|include|mention|read|pull|fetch|leave|keep|put|back up|link|push|stop|go"
    r"|confirm|regenerate|build|note|also|always|never|please|don't|do)"
)
_IDLE = (
    r"(?:idea|clue|luck|worries|worry|problem|rush|need|way|wonder|doubt|matter|one|body|thanks|thank|comment|longer"
    r"|difference|hurry|such|sorry|reason|sign|chance|point|news|thing|use|harm|big|real|kidding|sweat|offen[cs]e|time"
    r"|hits?|match|matches|matching|further|open|failing|failed|pending|obvious|visible)"
)
"""What no ban begins with."""
_STATES = (
    r"(?:messages?|errors?|changes?|results?|updates?|responses?|output|warnings?|failures?|issues?|conflicts?"
    r"|differences?|events?|data|answers?|replies|comments|entries|rows|progress|alerts?|crash(?:es)?|complaints"
    r"|values?"
    r"|regressions?|effects?|tests?|users?|customers?|requests?|records?|access|space|memory|internet|network"
    r"|connection"
    r"|migrations|logs|login|files?|token|keys?|index|effect)"
)
"""What is missing rather than forbidden, where nothing more is said."""
_LEAVE = (
    r"without (?:first )?(?:asking|talking|telling|checking|consulting|my |me\b|an? (?:good )?(?:review|ticket|test"
    r"|reason"
    r"|pr|discussion)|approval|review|permission|consent|discussion|sign-?off|tests?\b)"
)
"""With what leave something may be done."""
_STRONG = (
    rf"(?:{_LEAVE}|unless|except|outside|ever\b|please$|on {_DAYS}(?=$|[,;])|after (?:\d|noon|lunch|hours)"
    rf"|(?:over|longer than|more than) \d)"
)
_LIMITED = (
    rf"(?:(?:in|on|into|from|inside|at|as|during|under|as part of) (?:{_KIND}|{_TEXTS})|to (?:main|master|prod\w*))"
    r"(?=$|[,;])"
)
_STATED = (
    r"(?!.*\b(?:is|are|was|were|has|have|had|does|did|do|can|could|will|would|works?|fails?|found|came|went|got|said"
    r"|made|saw|lost|seems?|left|shows?|gets?|there|since|to apply)\b)(?!.*\b(?!allowed|needed)\w+ed(?: (?:on|in|at|for"
    r"|since|by|so|to|with|last)\b|$))"
)
"""What follows has no verb of its own: it does not tell what is."""
_PERSONS_DO = (
    r"(?:deploys|merges|pushes|releases|approves|commits|tags|publishes"
    r"|(?:may|should|must|is allowed to|gets to) (?:deploy|merge|push|release|edit|touch|approve|change|commit|tag"
    r"|publish))"
)
_SETTING = r"(?:staging|production|prod|localhost|dev|main|master|develop|test)"
_ONE_THING = r"(?! (?:in|for|on|at|from) (?:the|that|this|a)\b)(?!,? to )(?!.* (?:here|there)$)"
"""What follows does not confine it to one place."""
_TOUCH = (
    r"(?:change|add|touch|edit|write|create|remove|rename|commit|push|merge|deploy|release|fix|bump|modify|update"
    r"|delete"
    r"|refactor|finish|introduce)"
)

KINDS = (
    # Bans: "no deploys on fridays", "no inline styles".
    rf"no (?!{_IDLE}\b)(?!(?:{_STATES})\b(?!.*{_LEAVE})){_STATED}{_DEFINITE}[\w./@+#-]+ (?:[^,;]{{0,50}} )?{_STRONG}",
    rf"no (?!{_IDLE}\b)(?!(?:(?!in |on |to |from |at )[\w-]+ ){{0,2}}{_STATES}\b){_STATED}"
    rf"(?:{_DEFINITE}[\w./@+#-]+ ){{1,3}}?{_LIMITED}",
    rf"no (?!{_IDLE}\b)(?!(?:[\w-]+ ){{0,3}}{_STATES}\b){_STATED}(?!more |type |other )[\w-]+ (?:[\w-]+ )?[\w-]*"
    rf"(?:[^s\W]s"
    rf"|ing)(?:$|[,;])",
    # Contrasts: "use pnpm, not npm".
    rf"(?:only )?(?:use|prefer) (?!{_SETTING}\b){_KIND}(?: (?:in|for) (?:{_KIND}|{_WHOLE}|{_HERE}))?"
    rf"(?:,? (?:and )?(?:not|never)|, no) (?!{_SETTING}\b){_KIND}"
    rf"(?=$|[,;]| (?:in|for|when|because|wherever|everywhere|whenever|please)\b){_ONE_THING}",
    rf"(?:only )?(?:use|prefer) (?!{_SETTING}\b){_KIND}(?:,? instead of|,? rather than| over) (?:{_KIND} (?:in|for)"
    rf" (?:{_HERE}|{_WHOLE}|(?:new|all|every) \w+)|{_KIND},? (?:everywhere|please|always|wherever .*)"
    rf"|{_DEFINITE}(?:{_WORD} )?\w+[^s\W]s)(?=$|[,;])",
    rf"prefer {_KIND} over {_KIND}(?=$|[,;])",
    rf"use {_KIND} (?:in|for) (?:{_HERE}|{_WHOLE}|(?:new|all|every|any) \w+|{_DEFINITE}(?:\w+ )?\w+[^s\W]s"
    r"|\w+script|python|css|html|go|rust|java|sql)(?=$|[,;])",
    # What we do.
    rf"{_WE}(?:never|always) {_ACT}(?= |$)(?! (?:that|this|it|him|them|the same|from the)\b)",
    rf"{_WE}(?:don't|do not) {_ACT} (?:{_KIND}|(?:the|our) \w+ (?:in|on|for|during|from) {_KIND}|on {_DAYS}"
    rf"|to (?:main|master|production|prod))(?: (?:in|to) {_WHOLE})?(?: here)?(?=$|[,;]| (?:ever|{_LEAVE})\b)",
    rf"{_WE}{_CHOOSE} (?![^,]*\b(?:the|that)\b)[^,;]{{2,60}}, (?:not|never|no) (?!(?:the|that|this|it|only|just|yet"
    rf"|matter"
    r"|idea|\w+ed)\b)",
    rf"{_WE}{_CHOOSE} [^,;]{{2,40}} against a real \w+",
    rf"{_WE}{_CHOOSE} {_KIND},? (?:instead of|rather than|over) {_KIND}(?=$|[,;])",
    rf"(?:in|for) {_HERE},? (?:we {_CHOOSE}\b(?! the\b)|we (?:always|never|don't) {_ACT}|please |no [\w-]+(?=$|[,;])"
    r"|only use |use (?!the\b)|never |don't |everything )",
    rf"{_WE}(?:stay on|stick (?:to|with)|keep to|prefer (?!to\b)) {_KIND}",
    # What holds for each, or for a kind of thing.
    rf"(?:every|each|any|all) (?!tests? (?:must|should|has to|have to) (?:pass|be|run|work)){_ARTEFACTS} (?:(?:must"
    rf"|has to"
    rf"|have to|should|goes?|belongs?)\b|(?:is|are) (?:to be )?{_DONE}\b)",
    r"everything (?:[\w-]+ ){0,3}(?:has to|must|needs to|goes (?:in|into|through)) ",
    rf"{_ARTEFACTS} (?:must (?:not|never)|mustn't|may (?:not|never|only)|should (?:never|not)"
    r"|must (?:have|contain|start|end|follow|include|use|be (?:\w+ed|in|small|short|written)\b(?! again))"
    r"|belongs?|go(?:es)? (?:next|in|into|under|below|beside)|live|start with|begin with|end (?:with|in)|follow"
    rf"|are (?:(?:always|never|to be) )?{_DONE}"
    r"|are (?:always |only )?in (?:english|german|french)\b"
    r"|(?:is|are) (?:always|never) [^,;]{2,40}, (?:never|not|no)) ?\b",
    rf"(?:every |each |any |all )?{_ARTEFACTS} needs? (?:an? |its |their |at least )?(?:own |one )?(?:\w+ )?(?:tests?"
    r"|docstrings?|reviews?|reviewers?|approvals?|tickets?|entry|entries|migrations?|types?|descriptions?)\b",
    r"(?:feature flags|tests|docstrings|reviews?) for (?:anything|everything) (?!(?:that|this|in|the|we|i)\b)\w+",
    rf"{_ARTEFACTS} (?:only |always |please )?in (?:english|german|french|lower ?case|upper ?case|camel ?case"
    r"|snake ?case|kebab-case|(?:the )?imperative(?: mood)?)(?=$|[,;])",
    rf"{_ARTEFACTS} (?:are|is|have|get|go|stay|in|with|without) [^;]{{2,60}}, (?:always|every time)$",
    rf"(?:please )?(?:write|keep) (?:your |all |our )?(?:{_ADJECTIVES}){_THINGS} in (?:english|german|french)\b",
    rf"(?:please )?keep (?:your |all |our )?(?:{_ADJECTIVES}){_THINGS} (?:under|below|short|small|free of|out of)\b",
    rf"(?:please )?(?:prefix|start|name) (?:your |all |our )?(?:{_ADJECTIVES}){_THINGS} (?:with|after) ",
    rf"put (?:{_ADJECTIVES}){_THINGS} (?:next to|beside|below) {_DEFINITE}",
    rf"one {_THINGS} per \w+(?: please)?(?=$|[,;])",
    rf"only [\w-]+(?: [\w-]+)? in {_ARTEFACTS}$",
    # Who may, and when.
    rf"only (?!{_SETTING}\b)(?:(?!the|this|that|a|an|one|two|if|when|for|my|you\b)[\w-]+ "
    rf"|the [\w-]+ team ){_PERSONS_DO}\b"
    r"(?! (?:it|that|this)\b)",
    rf"(?:nobody|no one|noone) {_PERSONS_DO}\b(?! (?:it|that|this)\b)",
    rf"on {_DAYS},? (?:(?:nothing|no \w+) (?:gets|is|are|goes) (?:deployed|released|merged|shipped|rolled out|out|live)"
    rf"|nobody {_PERSONS_DO}|no (?:deploy|release|merge|push|migration)\w*|we (?:don't|never)|never|don't)\b",
    # To be asked first.
    r"(?:always )?(?:ask|check with|talk to|consult|come to) (?:me|us) (?:first )?before"
    rf" (?:(?:you|we) \w+|\w+ing) {_DEFINITE}\w+",
    rf"(?:don't|do not|never) (?!.*\b(?:this|that|it|the)\b.* without)[^,;]{{2,60}} {_LEAVE}",
    # What not to do.
    rf"(?:don't|do not)(?: ever)? (?:use|introduce|rely on|import) {_KIND}(?=$|[,;]| (?:in|for|when|as|anywhere"
    rf"|unless)\b)"
    rf"{_ONE_THING}",
    r"(?:don't|do not) (?:add|write|put|leave|create|make|touch|edit|reformat|rename|commit|push|merge|log|mock|catch"
    r"|swallow|hardcode|bump|change|expose|store|return|throw|call|generate|mix|squash|disable|skip)"
    rf" (?:{_KIND} (?:(?<! in )(?<! on )(?<! for )(?<! of )(?:that|which)|you|unless|by hand|by default|ever|in"
    rf" (?:{_KIND}|{_TEXTS})(?=$|[,;]))|(?:{_KIND} )?(?:to (?:main|master|production)(?=$|[,;]| directly)|on {_DAYS}))",
    rf"i (?:don't|do not) (?:want|like) (?:any )?{_KIND} (?:in|on|as|inside) (?:{_KIND}|{_WHOLE})(?=$|[,;])",
    rf"i (?:like|prefer) (?:small|short|big|signed|atomic|focused|tiny) {_ARTEFACTS}(?=$|[,;]| (?:over|to|without"
    rf"|with)\b)",
    rf"you (?:must not|mustn't|may not|may never|are not allowed to) (?:edit|push|commit|merge|touch|change|delete"
    rf"|deploy|use|add|rewrite) {_KIND}(?=$|[,;]| )",
    r"you (?:don't|do not|never) (?:edit|push|commit|merge|touch|change|delete|deploy|rewrite) .*\bhere$",
    rf"avoid {_DEFINITE}[\w-]+ (?:{_DEFINITE}[\w-]+ )?(?!the\b)[\w-]+[^s\W]s(?=$|[,;]| in (?:{_KIND}|{_WHOLE})(?=$"
    rf"|[,;]))",
    rf"stick (?:to|with) (?:the standard library|{_KIND}(?=$|[,;]| (?:in|wherever)\b))",
    # Whenever.
    rf"(?:before|after) (?:every|each|any) {_ADJECTIVES}(?:commit|release|deploy(?:ment)?|merge|push|pr|pull request"
    rf"|change"
    rf"|migration|session|task|edit|refactor\w*|feature|fix),? (?:please )?(?:{_DO}|no|only|we)\b",
    rf"{_DO} [^,;]{{2,60}} (?:before|after|with) (?:every|each|any) (?:commit|release|deploy(?:ment)?|merge|push|pr"
    r"|pull request|change|migration|session|task|edit)\b",
    rf"(?:whenever|every time|each time|any ?time) (?:you|we) {_TOUCH} [^,;]*, {_DO}\b",
    r"(?:when|whenever|if) (?:in doubt|unsure|you(?:'re| are) (?:unsure|not sure|in doubt)), \w+",
    r"make sure (?:that )?(?:there(?:'s| is) .{2,40} for (?:every|each|any) \w+ (?:you|we)\b"
    rf"|(?:every|each) {_ARTEFACTS} (?:has|gets|comes with) an? \w+)",
    rf"{_DO} [^,;]{{2,60}}, (?:every (?:single )?time|each time)$",
    r"(?!.*\b(?:this|that|it)\b)\w+ [^,;]{2,60} (?:until i say (?:otherwise|so)|unless i say)\b",
    r"(?:as a rule|by convention|our (?:convention|policy|house style) is|house rule),? (?:we|no|never|always|use"
    r"|don't|to|that|only)\b",
)
"""What holds from then on without a word that says so: it speaks of a kind of thing, or of what is done here."""

PASSING = (
    r"\b(?:(?<!from )now|today|tomorrow|tonight|yesterday|yet|currently|later|right away|at the moment|for the moment"
    r"|(?:just )?this (?:time|one|once|call|file|build|function|request|week|month|morning|branch|pr|commit|ticket|case"
    r"|task|test|change|line|page|loop|method|class|module|component|release|sprint)|so far|any ?more|any longer"
    r"|last (?:week|night|month|year|time)|still|again|ago|earlier|in a minute|for a moment|strange|weird|wrong"
    r"|broken|missing|before (?:lunch|noon|the|tomorrow)|since (?:yesterday|noon|monday|tuesday|wednesday|thursday"
    r"|friday"
    r"|this|last|the)|as is)\b"
)
"""What confines a clause to the moment, or complains."""

PASSED_ON = (
    r"^(?!we |i |you )(?:[\w'./-]+ ){1,4}(?:says?|said|told|tells|complains?|complained|reports?|reported|prints?"
    r"|thinks?"
    r"|wrote|writes|claims?|suggests?|suggested|shows?|warns?|expects?)\b|^(?:error|warning|warn|info|debug|fatal|trace"
    r"|hint|exception|traceback) ?[:\[(-]|^(?:\w*error|\w*exception)\b(?! messages)|\b(?:docs?|linter|readme"
    r"|log) says?$"
    r"|\bthe bug$|\bthat's why\b"
)
"""What somebody or something else says, or what is found to be so."""

REASONS = (
    r",? (?:because|otherwise|so that)\b|, (?:since|as|the|that|it|they|he|she|i|there|or|we (?:had|have|were|got"
    r"|broke)"
    r"|\w+ (?:wants?|said|asked|hates?|insists?|wanted))\b"
)
"""Where what is asked for ends, and why begins."""
