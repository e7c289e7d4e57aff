"""The language's own words: one table, read by the schemas, the architecture test, the reference pages and the sentence writer.

A game may use any of these words in its own place; what is not in this table and is declared by a game never stands in Python.
In a shape, capitals are an id that the game declares (STAT, SPAN, ...); `SHAPES` explains `amount`, `who`, `text`, `effects`, `frame`;
`[x]` is a list; `a | b` is either.
"""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core.named import NamedTuple


class Word(NamedTuple):
    """A word of the language: what a writer types, its shape, and one line on what it means."""

    name: str
    shape: str
    says: str


class Verb(NamedTuple):
    """A verb: what it does, the shape of its value, the words inside that value, and the riders that may stand beside it."""

    name: str
    shape: str
    says: str
    words: tuple[Word, ...]
    riders: tuple[str, ...]


class Noun(NamedTuple):
    """A group of small words that a game declares under `rules`. `said` are the forms that are sentence templates, `plain` the others."""

    name: str
    says: str
    said: tuple[Word, ...]
    plain: tuple[Word, ...] = ()


SHAPES: Mapping[str, str] = {
    "amount": "a number, dice, a STAT, a QUANTITY, {QUANTITY: {args}}, {scale: {n: amount}, by: STAT}, or `value`",
    "who": "an id of `who`, `self`, `target`, or a noun in place: {say: text, as: PRONOUN, many: true, the: text}",
    "text": "small Markdown with :icons:",
    "effects": "a map of verbs and riders, or a list of such maps; one map is one sentence",
    "frame": "a use or a part of one: use, cost, limit, trigger, roll, outcomes, effects, ...",
    "expression": "an expression over the names of the sheet",
    "template": "text with {slots}",
    "forms": "text (the form `say`), or a map of forms; a form is a template, a list of templates, or {VALUE: template, else: template}",
}

RESERVED: Mapping[str, str] = {
    "self": "who bears the entry or acts",
    "target": "whom a use is aimed at, where nothing else is said",
    "value": "what the roll's ladder gives",
}


RIDERS: tuple[Word, ...] = (
    Word("when", "expression", "holds only if; decided on the sheet; said by `phrases.when`, or by an `if` beside it"),
    Word("if", "SITUATION", "holds only if; decided at the table, or on the sheet where the situation has a `check`"),
    Word("needs", "SITUATION", "is not possible without; said last"),
    Word("state", "STATE", "the item must be in this state"),
    Word("to", "who", "whose stats and tracks, who receives; the bearer where nothing is said"),
    Word("against", "who", "whom it holds against"),
    Word("from", "who", "whom it is taken from, or comes from"),
    Word("way", "WAY", "in which manner"),
    Word("until", "SPAN | {SPAN: n} | [SPAN]", "how long; a list ends with whichever comes first"),
    Word("limit", "{PERIOD: n}", "how often"),
    Word("first", "PERIOD", "of itself, the first time in each such period"),
    Word("time", "{TIME: n}", "how long it takes"),
    Word("trigger", "{event: EVENT} | {would: EVENT}, who: who", "what must have happened (event), or be about to (would)"),
    Word("use", "USE", "the kind of action that it costs"),
    Word("type", "STACKING", "the kind of bonus, for stacking"),
    Word("label", "text", "a name for patches; never printed"),
)
"""What may stand beside the verbs of one map; it holds for all of them."""

NESTING: tuple[Word, ...] = (
    Word("per", "{COUNT: effects}", "so much for each"),
    Word("after", "{SPAN: effects}", "what happens when the span ends"),
    Word("before", "{SPAN: effects}", "what happens before it"),
    Word("roll", "{ROLL: parameters} | ROLL", "a roll that is asked for here"),
)
"""Words of an effects map that hold effects, or a roll, of their own."""

_ALL = tuple(word.name for word in RIDERS if word.name != "type")
_BONUS = (*_ALL, "type")


def _verb(name: str, shape: str, says: str, *words: Word, riders: tuple[str, ...] = _ALL) -> Verb:
    return Verb(name, shape, says, words, riders)


VERBS: tuple[Verb, ...] = (
    _verb("add", "{STAT: amount}", "more of a stat, or less", riders=_BONUS),
    _verb("times", "{STAT: number}", "a stat multiplied", riders=_BONUS),
    _verb("set", "{STAT: amount}", "a stat replaced", riders=_BONUS),
    _verb("atleast", "{STAT: amount}", "a stat that is no lower", riders=_BONUS),
    _verb("atmost", "{STAT: amount}", "a stat that is no higher", riders=_BONUS),
    _verb("grant", "REF | [REF]", "gives an entry"),
    _verb(
        "choose",
        "{as, count, from} | {as, count, options}",
        "a choice, made once",
        Word("as", "ID", "the name under which a character file records it"),
        Word("count", "n", "how many; one where nothing is said"),
        Word("from", "[REF] | {say: text}", "what is chosen from"),
        Word("options", "{ID: effects}", "what is chosen between"),
    ),
    _verb("tag", "TAG | [TAG]", "gives a tag"),
    _verb("harm", "amount", "damage"),
    _verb("mend", "amount", "healing"),
    _verb("change", "{TRACK: amount}", "marks on a track; a minus takes them off"),
    _verb("apply", "CONDITION | [CONDITION]", "puts somebody into a condition"),
    _verb("end", "CONDITION | [CONDITION]", "ends a condition"),
    _verb("prevent", "EVENT | [EVENT]", "the event does not happen, or cannot"),
    _verb("allow", "EVENT | [EVENT]", "the event may happen"),
    _verb("redirect", "EVENT | [EVENT]", "the event happens instead"),
    _verb("ignore", "[CAUSE] | {STAT: amount}", "causes, or so much of a stat, do not count"),
    _verb("read", "{READING: WORD} | {READING: {FROM: TO}}", "a roll is read otherwise"),
    _verb(
        "reroll",
        "{die, keep}",
        "dice are thrown again",
        Word("die", "DIE", "which dice"),
        Word("keep", "DIE", "which stay, or which result counts"),
    ),
    _verb(
        "act",
        "{what, cost, optional} | {attacks: {ACTION: n}}",
        "somebody acts, now or later",
        Word("what", "DOING", "what is done"),
        Word("cost", "{TRACK: n}", "at which price"),
        Word("optional", "true", "may, not must"),
        Word("target", "who", "whom it is aimed at"),
        Word("attacks", "{ACTION: n}", "which actions of the entry, and how often"),
    ),
    _verb(
        "move",
        "{far, with, way, push, pull}",
        "somebody moves",
        Word("far", "amount", "how far"),
        Word("with", "who", "who comes along"),
        Word("way", "WAY", "in which manner"),
        Word("push", "true", "the target is moved away"),
        Word("pull", "true", "the target is moved closer"),
    ),
    _verb("put", "{state: STATE}", "an item's state changes", Word("state", "STATE", "which state")),
    _verb("consume", "who", "an item is used up"),
    _verb(
        "field",
        "{actor, count, STAT: n, acts, actions}",
        "an actor comes into play",
        Word("actor", "ACTOR | REF", "which actor"),
        Word("count", "n", "how many"),
        Word("acts", "DOING", "when and how it acts"),
        Word("actions", "{ID: frame}", "what it can do"),
    ),
    _verb("say", "text", "prose: no figure"),
)
"""Every verb with every rider that it allows has a sentence (`phrases` of a game must hold it)."""

VERB: Mapping[str, Verb] = {verb.name: verb for verb in VERBS}
RIDER: Mapping[str, Word] = {word.name: word for word in RIDERS}


FRAME: tuple[Word, ...] = (
    Word("use", "USE", "which kind of action; an action without one is a trait"),
    Word("cost", "{TRACK: n}", "the price, where it is not the use's own"),
    Word("limit", "{PERIOD: n}", "how often"),
    Word("time", "{TIME: n}", "how long it takes"),
    Word("trigger", "{event | would, who}", "what it answers"),
    Word("range", "n", "how far off"),
    Word("area", "{AREA: n}", "the ground that it covers"),
    Word("target", "who", "who is aimed at"),
    Word("by", "who", "who acts; the bearer where nothing is said"),
    Word("roll", "{ROLL: parameters} | ROLL", "the roll; its outcomes stand beside it, each with effects"),
    Word("needs", "SITUATION", "what must be so for the use to be possible"),
    Word("effects", "effects", "what happens; a frame with one map may hold the verbs itself"),
    Word("options", "{ID: frame}", "alternatives at use"),
    Word("holds", "n", "how many may be in hand at once"),
    Word("as", "ACTION", "a variant of an earlier action"),
    Word("remove", "[path]", "of a variant: what it leaves out"),
    Word("rules", "text", "written by hand, in place of the generated lines"),
)
"""The words of a use: an entry, an action, an option. In a variant `set` and `add` change paths of the action that it is like."""

ENTRY: tuple[Word, ...] = (
    Word("name", "text", "what it is called"),
    Word("rules", "text", "written by hand, in place of the generated lines"),
    Word("flavor", "text", "never a rule"),
    Word("actions", "{ID: frame}", "what can be done with it"),
    Word("steps", "{n: effects}", "effects at a step of its track"),
    Word("taken", "{n: effects}", "effects from the nth taking on"),
    Word("art", "{file, focus, credit, licence}", "a picture"),
    Word("file", "path", "of art: the picture's file"),
    Word("focus", "[x, y]", "of art: what must stay in sight, in hundredths"),
    Word("credit", "text", "who made it"),
    Word("licence", "text", "under which terms"),
    Word("placeholder", "text", "of art: as long as there is no file, what the picture will show"),
    Word("copies", "n", "how many a deck holds"),
    Word("tags", "[TAG]", "its tags"),
    Word("provisional", "[FIELD]", "fields whose value is not settled"),
    Word("notes", "text", "for writers; never printed"),
    Word("claims", "{STAT: n}", "what a published source printed"),
    Word("waive", "{LIMIT: text}", "a limit overruled, and why"),
    Word("like", "REF", "starts as a copy of another of its kind; `set add times extend remove` change it"),
    Word("patch", "{REF: changes}", "at the top of a file: changes to another pack's entries"),
    Word("extend", "{path: list}", "adds to the end of a list"),
    Word("expects", "{path: value}", "fails where the value under a patch is another"),
    Word("formerly", "[ID]", "ids that it had"),
)

NOUNS: tuple[Noun, ...] = (
    Noun(
        "stats",
        "inputs and derived values",
        (
            Word("say", "template", "its name"),
            Word("more", "template", "so much more, in a list"),
            Word("per", "template", "so much more for each"),
            Word("has", "template", "so much, in an actor's list"),
            Word("ignore", "template", "so much of it ignored"),
            Word("add", "template", "a whole clause for `add`"),
            Word("set", "template", "a whole clause for `set`"),
            Word("times", "template", "a whole clause for `times`"),
            Word("atleast", "template", "a whole clause for `atleast`"),
            Word("atmost", "template", "a whole clause for `atmost`"),
        ),
        (
            Word("many", "true", "its name takes the plural verb"),
            Word("icon", "text", "its icon"),
            Word("input", "{min, max, step}", "typed on the sheet, within bounds"),
            Word("base", "expression", "its value before effects"),
            Word("min", "expression", "never below"),
            Word("max", "expression", "never above"),
            Word("step", "n", "of an input: in steps of"),
            Word("round", "ceil | floor | trunc", "how a fraction ends"),
            Word("sets", "highest | lowest", "which of several `set` counts; without it two are an error"),
            Word("for", "KIND | [KIND]", "the kinds whose sheets have it"),
            Word("short", "text", "its label where room is short"),
            Word("kinds", "{KIND: forms}", "what is otherwise on the sheets of a kind"),
            Word("kind", "KIND", "of `each`: the kind whose entries are the members"),
            Word("each", "[ID] | {ID: forms} | {kind: KIND}", "a family: one stat for each"),
            Word("derive", "{ID: expression}", "values of each member"),
            Word("unspent", "keep | lose | error", "makes it a budget"),
        ),
    ),
    Noun(
        "families",
        "stats that are named together",
        (Word("all", "template", "all of them"),),
        (Word("of", "[STAT]", "its members"),),
    ),
    Noun(
        "tracks",
        "pools and ladders with marks",
        (
            Word("say", "template", "its name"),
            Word("say-n", "template", "so much of it, as a price"),
            Word("more", "template", "the verb for gaining"),
            Word("less", "template", "the verb for losing"),
        ),
        (
            Word("max", "expression", "its length"),
            Word("start", "expression", "marks at the start"),
            Word("at", "{n: effects}", "what so many marks do"),
            Word("recover", "{PERIOD: amount}", "what comes back"),
            Word("each", "{STAT: amount}", "what every mark held does to stats"),
            Word("for", "KIND | [KIND]", "the kinds whose sheets have it"),
            Word("icon", "text", "its icon"),
            Word("short", "text", "its label where room is short"),
        ),
    ),
    Noun(
        "uses",
        "kinds of action",
        (Word("say", "template", "its name"), Word("lead", "template", "in front of a sentence")),
        (
            Word("cost", "{TRACK: n}", "its price"),
            Word("needs", "FIELD", "a field that must be given"),
            Word("pips", "text", "what stands for one point of its price on a card"),
        ),
    ),
    Noun(
        "spans",
        "how long",
        (
            Word("say", "template", "until then"),
            Word("after", "template", "in front: when it has ended"),
            Word("before", "template", "in front: before it"),
        ),
    ),
    Noun(
        "periods",
        "how often",
        (
            Word("say", "template", "so often in it"),
            Word("first", "template", "the first {x} in each"),
            Word("first-time", "template", "in front: the first time in each"),
        ),
    ),
    Noun("times", "how long a use takes", (Word("say", "template", "so long"),)),
    Noun(
        "states",
        "states of an item",
        (Word("say", "template", "its name"), Word("while", "template", "in front; without it the state is silent")),
    ),
    Noun(
        "who",
        "persons and things that sentences are about",
        (Word("say", "template", "when it is named first"), Word("the", "template", "again, when another came between")),
        (
            Word("as", "PRONOUN", "its pronoun"),
            Word("as-many", "PRONOUN", "its pronoun where there are several"),
            Word("many", "true", "takes the plural verb"),
            Word("reader", "true", "is the reader, unspoken in an order"),
        ),
    ),
    Noun(
        "events",
        "what can happen",
        (
            Word("is", "template", "after is or be"),
            Word("does", "template", "after the subject"),
            Word("say", "template", "a whole clause"),
            Word("short", "template", "after not"),
            Word("first", "template", "a whole clause for `first`"),
            Word("bare", "template", "its name without article"),
            Word("would", "template", "a whole clause: is about to"),
            Word("happens", "template", "a whole clause: has happened"),
            Word("not", "template", "a whole clause: does not"),
            Word("cannot", "template", "a whole clause: is forbidden"),
            Word("may", "template", "a whole clause: is allowed"),
            Word("instead", "template", "a whole clause: in its place"),
        ),
    ),
    Noun(
        "situations",
        "facts known at the table",
        (
            Word("say", "template", "what is needed"),
            Word("lead", "template", "in front of a sentence"),
            Word("tail", "template", "at the end of one"),
        ),
        (Word("check", "expression", "decides it on a sheet"),),
    ),
    Noun("ways", "manners", (Word("say", "template", "at the end of a clause"),)),
    Noun("areas", "shapes on the ground", (Word("say", "template", "with its size"),)),
    Noun("counts", "what is counted", (Word("say", "template", "one of them, without article"),)),
    Noun(
        "quantities",
        "amounts that need words",
        (Word("say", "template", "the amount in words"),),
        (
            Word("value", "expression", "its value"),
            Word("takes", "[ID]", "arguments"),
            Word("whole", "true", "is the whole object"),
            Word("one", "true", "its noun is singular"),
        ),
    ),
    Noun(
        "conditions",
        "conditions",
        (
            Word("say", "template", "its name"),
            Word("apply", "template", "a whole clause for `apply`"),
            Word("end", "template", "a whole clause for `end`"),
            Word("note", "template", "a sentence after it"),
        ),
        (Word("effects", "effects", "what it does"),),
    ),
    Noun(
        "causes",
        "what brings a bonus or a penalty",
        (Word("say", "template", "its name"),),
        (Word("of", "STAT", "what it brings"),),
    ),
    Noun(
        "readings",
        "what is read from a roll",
        (
            Word("say", "template", "its name"),
            Word("pair", "template", "one word read as another"),
            Word("read", "template", "the clause"),
            Word("first", "template", "the clause for `first`"),
        ),
        (Word("words", "{WORD: forms}", "its words; `bare` is one without article"),),
    ),
    Noun("doings", "what somebody does", (Word("say", "template", "verb and object"),)),
    Noun("dice", "dice of a roll", (Word("say", "template", "with its article"),)),
    Noun(
        "actors",
        "what can be fielded",
        (Word("say", "template", "when it is named first"), Word("the", "template", "again, when another came between")),
        (Word("as", "PRONOUN", "its pronoun"), Word("as-many", "PRONOUN", "its pronoun where there are several")),
    ),
    Noun("stacking", "kinds of bonus, and which of several count: sum, highest, lowest, once; said by the `words` of that id", ()),
    Noun("tags", "tags", (Word("say", "template", "its name"),), (Word("icon", "text", "its icon"),)),
    Noun("words", "the game's other words", (Word("say", "template", "how it is said"),)),
    Noun(
        "rolls",
        "rolls",
        (Word("say", "template", "the sentence that asks for it"), Word("amount", "template", "what `value` is said as")),
    ),
    Noun(
        "outcomes",
        "outcomes of rolls",
        (Word("say", "template", "in front of what it does"), Word("lead", "template", "the same, where `say` is its name")),
    ),
    Noun(
        "kinds",
        "what rules say of kinds of entry",
        (),
        (
            Word("sheet", "true | KIND", "each of its entries has a sheet: of its own stats, or of those of another kind"),
            Word("state", "STATE", "the state of a thing that a character file says nothing of"),
            Word("owns", "{FIELD: STATE}", "fields that list what the bearer has, and its state"),
            Word("most", "n", "how often one may be taken"),
            Word("derive", "{ID: expression}", "values of each entry"),
            Word("groups", "[ID]", "the groups of kinds that it belongs to"),
        ),
    ),
    Noun(
        "rows",
        "values of each row of a list",
        (),
        (
            Word("for", "KIND | [KIND]", "the kinds that have them"),
            Word("title", "text", "what the list is called; with it, it stands on default pages"),
            Word("each", "FIELD | [n] | {kind: KIND} | {owned: KIND}", "a field with a list or a map, a list, or entries"),
            Word("kind", "KIND", "of `each`: all entries of a kind or group"),
            Word("owned", "KIND", "of `each`: those that the sheet has"),
            Word("as", "ID | STAT | [STAT]", "the name of the row's own value; a stat is set to it"),
            Word("when", "expression", "which rows to take"),
            Word("most", "n", "how many at the most"),
            Word("give", "{ID: expression}", "the values of each"),
            Word("must", "[ID]", "values without which a row is left out"),
            Word("reads", "{ID: {roll, of, with, dice}}", "what a roll reads, for what it is given"),
            Word("chances", "{ID: {roll, with, of}}", "figures out of exact odds"),
            Word("say", "{ID: text}", "texts of each, with their values"),
        ),
    ),
    Noun(
        "tables",
        "named lookups",
        (),
        (
            Word("keys", "[ID]", "what the keys are, outermost first"),
            Word("at", "exact | threshold", "whether a key must be there, or the nearest below holds"),
            Word("rows", "map", "the rows"),
        ),
    ),
    Noun("icons", "icons", ()),
    Noun("voices", "who `self` is, by kind", (), (Word("self", "who", "the bearer"),)),
    Noun("limits", "what makes a sheet illegal", ()),
    Noun("advances", "how a character grows", ()),
    Noun(
        "balance",
        "how long foes last against the game's own anchors",
        (),
        (
            Word("title", "text", "what the table is called"),
            Word("for", "KIND", "whose entries are weighed"),
            Word("each", "[n]", "the columns"),
            Word("as", "ID", "the name of the column's value"),
            Word("points", "expression", "how many points must be taken"),
            Word("bars", "ROWS", "the rows that are worn down one after the other"),
            Word("attacks", "[{roll, with, times}]", "what is thrown in a Round"),
            Word("anchor", "{least, most}", "between what the Rounds should lie"),
            Word("least", "expression", "of an anchor: the fewest"),
            Word("most", "expression", "of an anchor: the most"),
        ),
    ),
    Noun("cases", "the game's own tests", ()),
    Noun("phrases", "the sentences", ()),
)
"""What a game declares under `rules`."""

PHRASES: tuple[Word, ...] = (
    Word("verbs", "{VERB: template | [template]}", "the sentence of each verb"),
    Word("riders", "{RIDER: template}", "how a rider ends a clause whose verb does not say it"),
    Word("event", "{FORM: {is: template, does: template}}", "events after would, happens, not, cannot, may, instead"),
    Word("item", "{FORM: template}", "amounts in a list: more, all, equal, amount, has, harm, mend, per"),
    Word("figures", "{FORM: {VALUE: template, else: template}}", "numbers in words: distance, word, times, factor"),
    Word("pronoun", "ID", "the pronoun of who says none"),
    Word("pronouns", "{ID: {say, them, their, many}}", "pronouns; `many` takes the second verb form, a number the one it counts to from 0"),
    Word("plural", "{n: k, else: k}", "which of `one|two|more` a number takes, from 0; without it the first for 1, else the second"),
    Word("own", "template", "possessive of a noun"),
    Word("own-stat", "template", "a stat as an amount"),
    Word("of", "[template]", "somebody's stat: {their} {thing}, else of {x}"),
    Word("minus", "text", "the sign"),
    Word("plus", "text", "the sign"),
    Word("and", "[text, text]", "between items, and before the last"),
    Word("or", "[text, text]", "between alternatives, and before the last"),
    Word("clauses", "[text, text]", "between clauses, and before the last"),
    Word("lead", "text", "between what stands in front and the clause"),
    Word("stop", "text", "the end of a sentence"),
    Word("strip", "text", "between the parts of a strip"),
    Word("inline", "text", "between the parts of a strip behind an action's name"),
    Word("share", "[text]", "words not repeated when a subject is shared"),
    Word("head", "[FIELD]", "what stands in the strip, in order"),
    Word("use", "template", "use and price"),
    Word("as-use", "template", "a use in front of a sentence"),
    Word("trigger", "template", "the trigger of a use"),
    Word("when-event", "template", "a trigger in front of a sentence"),
    Word("first-event", "template", "a trigger in front of a sentence, with `first`"),
    Word("when", "{FORM: template}", "conditions on the sheet: at-least, at-most, over, under, exactly, has, lacks, lead"),
    Word("per-each", "template", "in front: for each of a count"),
    Word("action", "template", "an action's line"),
    Word("option", "template", "an option's line"),
    Word("actor-action", "template", "an action of a fielded actor"),
    Word("step", "template", "a step's line"),
    Word("taken", "template", "the line of the nth taking"),
    Word("needs", "template", "the sentence of `needs`"),
    Word("holds", "template", "the sentence of `holds`"),
    Word("cause", "template", "causes, by what they bring"),
    Word("attack", "template", "one of several attacks"),
    Word("scale", "template", "a ladder of amounts"),
    Word("scale-from", "template", "where a ladder begins"),
    Word("scale-step", "template", "one later step of it"),
    Word("inherit", "[FIELD]", "what an action takes from its entry"),
    Word("shown", "{KIND: [FIELD]}", "fields that the face shows, so that no sentence does"),
    Word("fields", "{KIND: {FIELD: template}}", "lines of an entry's own fields"),
    Word("first", "{KIND: [FIELD]}", "which of those lines come first"),
    Word("kinds", "{KIND: phrases}", "other phrases for a kind"),
    Word("places", "{PLACE: rules}", "other nouns and phrases for a place: a sheet, a card"),
)
"""What `phrases` holds."""

AMOUNTS: tuple[Word, ...] = (
    Word("scale", "{n: amount}", "an amount that grows"),
    Word("by", "STAT", "of a scale: with what"),
    Word("value", "", "what the roll's ladder gives"),
)

ROLLS: tuple[Word, ...] = (
    Word("takes", "{ID: number | truth | dice | word}", "parameters"),
    Word("let", "{ID: expression | ladder}", "named values"),
    Word("dice", "{ID: die}", "thrown together"),
    Word("keep", "expression", "which dice of several count"),
    Word("instead", "{when, roll, with}", "another roll in place of this"),
    Word("outcomes", "[{WORD: expression}]", "the ladder; the first that is true"),
    Word("value", "expression", "what is reported, for the roll or an outcome"),
    Word("reroll", "true", "of an outcome: throw all again"),
    Word("like", "ROLL", "starts as a copy of another"),
    Word("else", "", "the last rung of a ladder"),
    Word("faces", "n | {from, to} | [n]", "of a die: its faces"),
    Word("count", "expression", "of a die: how many"),
    Word("score", "expression", "of a die: what a face adds"),
    Word("again", "expression", "of a die: throw once more and add"),
    Word("roll", "ROLL", "of a die: it is a whole roll"),
    Word("with", "{ID: expression}", "of such a die: its parameters"),
    Word("each", "ID", "of such a die: one for each of a list"),
    Word("face", "", "in score and again: the face"),
    Word("throw", "", "in score and again: which throw, from 1"),
)

ADVANCES: tuple[Word, ...] = (
    Word("opens", "true", "opens a stage"),
    Word("name", "text", "what a ledger calls it"),
    Word("pick", "{of, count, from, to}", "what is chosen"),
    Word("of", "KIND | STAT | number", "of a pick: among which"),
    Word("when", "expression", "allowed only if"),
    Word("say", "text", "why it is not allowed, with `{values}`, where `when` does not hold"),
    Word("remedy", "text", "what to do about a choice that is not allowed"),
    Word("cost", "{STAT: expression}", "the price"),
    Word("limit", "{stage: n} | {ever: n}", "at most"),
    Word("stage", "n", "of a limit: in one stage"),
    Word("ever", "n", "of a limit: in all"),
    Word("gives", "[effects]", "numbers frozen when taken"),
    Word("record", "[{OPENER: [advance]}]", "a character's advances, in order"),
    Word("start", "{STAT: n}", "a character's inputs"),
    Word("states", "{REF: STATE}", "states of a character's items"),
    Word("take", "REF", "a pick with choices beside it"),
    Word("waive", "text", "a limit overruled, and why"),
)

LIMITS: tuple[Word, ...] = (
    Word("check", "expression", "must hold"),
    Word("say", "text", "what is wrong"),
    Word("level", "error | warning | note", "how bad"),
    Word("at", "start | now | ADVANCE", "when it is judged"),
    Word("for", "KIND | [KIND]", "the kinds whose sheets have it"),
    Word("remedy", "text", "what to do about it"),
    Word("field", "FIELD", "the field of an entry that it is told at"),
)

CASES: tuple[Word, ...] = (
    Word("given", "map", "the inputs"),
    Word("expect", "map", "the values"),
    Word("source", "text", "where it is printed"),
    Word("claim", "value | [value]", "the printed figures that it decides, by name"),
    Word("entry", "REF", "given: an entry, by its name"),
    Word("kind", "KIND", "given: an entry made up of a kind and its fields"),
    Word("table", "TABLE", "given: a row of a table, or all of it"),
    Word("keys", "value | [value]", "of a table: which row, or the first of its keys"),
    Word("roll", "ROLL", "given: a roll, with what it takes"),
    Word("balance", "BALANCE", "given: a balance"),
    Word("dice", "{DIE: n | [n]}", "of a roll: its dice as they lie, to expect what is read of them"),
    Word("quantity", "QUANTITY", "given: a quantity, with what it takes"),
    Word("limits", "LIMIT | [LIMIT] | {LIMIT: text}", "expected: the limits that it breaks, and what each says"),
    Word("faults", "CODE | [CODE]", "expected: what else is wrong"),
    Word("lines", "text | [text]", "expected: the lines that it prints"),
    Word("rows", "{ROWS: {ID: {NAME: value}}}", "expected: values of rows; a row that is nothing is not there"),
    Word("mean", "n", "expected: what the roll gives on average"),
    Word("tail", "n", "expected: what is cut off an explosion"),
)

FUNCTIONS: Mapping[str, str] = {
    "min": "the least",
    "max": "the greatest",
    "floor": "rounded down",
    "ceil": "rounded up",
    "trunc": "rounded toward nought",
    "half": "half, as a fraction",
    "abs": "without its sign",
    "table": "a lookup",
    "has": "whether an entry is owned",
    "taken": "how often an entry was taken",
    "count": "how many entries of a kind",
    "sum": "a field added up over a kind",
    "highest": "the most taken entry of the kinds",
    "stat": "a stat by name",
    "dice": "n dice of f faces",
    "bare": "dice without their fixed number",
    "size": "length of a list",
}

CHANGES: tuple[str, ...] = ("set", "add", "times", "extend", "remove")
"""What a variant, a copy or a patch may do to paths."""


def words() -> frozenset[str]:
    """Every word of the language, whatever its place: what Python may name."""
    tables = (RIDERS, NESTING, FRAME, ENTRY, PHRASES, AMOUNTS, ROLLS, ADVANCES, LIMITS, CASES)
    found = {word.name for table in tables for word in table}
    for verb in VERBS:
        found.add(verb.name)
        found.update(word.name for word in verb.words)
    for noun in NOUNS:
        found.add(noun.name)
        found.update(word.name for word in (*noun.said, *noun.plain))
    found.update(RESERVED, FUNCTIONS, CHANGES)
    return frozenset(found)
