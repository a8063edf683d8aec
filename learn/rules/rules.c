/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rules that distinguish live objects of one kind from anything else that begins with the address
 * of the dispatch table.  The meaning of fields comes first.  If that does not distinguish two
 * kinds, rules use what all objects of one kind have and none of the other.
 */
#include <learn/rules/rules.h>

#include <string.h>

#define REFERENCES_MOST 0xffffff
#define PROPERTIES_MOST 0xfff /* OpenCL's, and some of a runtime's own */
#define POINTER_LEAST 0x10000
#define POINTER_MOST UINT64_C(0xffffffffffff)
#define SMALL_MOST 0xffff
#define TAG_LEAST 0x10000 /* smaller constants are not tags */
#define TAG_SPAN 0x10000  /* maximum distance of the kinds' numbers in one enumeration */
#define TAG_KINDS 5       /* number of kinds that a tag must distinguish */
#define TAG_LEAST_KINDS 2 /* or fewer if these are all but one of the existing kinds */
#define GUESS_HIGHEST 1024
#define WORD ((int32_t)sizeof(uintptr_t))

/* Bounds of fields in every live object.  A rule that is not needed to distinguish kinds is kept
 * if `always` is set: it rejects freed objects and random memory. */
static const struct meaning {
    enum specimen_kind kind; /* SPECIMEN_KINDS: any */
    enum fact fact;
    bool is_always;
    uint64_t least;
    uint64_t most;
} meanings[] = {
    {SPECIMEN_KINDS, fact_references, true, 1, REFERENCES_MOST},
    {specimen_buffer, fact_type, true, 0x10f0, 0x10f0},
    {specimen_image, fact_type, true, 0x10f1, 0x10f6},
    {specimen_pipe, fact_type, true, 0x10f7, 0x10f7},
    {SPECIMEN_KINDS, fact_command_type, true, 0x11f0, SMALL_MOST},
    {SPECIMEN_KINDS, fact_context_of, true, POINTER_LEAST, POINTER_MOST},
    {SPECIMEN_KINDS, fact_program_of, true, POINTER_LEAST, POINTER_MOST},
    {SPECIMEN_KINDS, fact_addressing, true, 0x1130, 0x113f},
    {SPECIMEN_KINDS, fact_filtering, false, 0x1140, 0x114f},
    {SPECIMEN_KINDS, fact_normalized, false, 0, 1},
    {SPECIMEN_KINDS, fact_device_of, true, POINTER_LEAST, POINTER_MOST},
    {SPECIMEN_KINDS, fact_properties, false, 0, UINT32_MAX},
    {SPECIMEN_KINDS, fact_properties, false, 0, PROPERTIES_MOST},
    {SPECIMEN_KINDS, fact_size, false, 1, POINTER_MOST},
    {SPECIMEN_KINDS, fact_flags, false, 0, UINT32_MAX},
};
#define MEANINGS (sizeof(meanings) / sizeof(meanings[0]))

/* Ranges to try for bytes of unknown meaning, the safest first: a pointer that is never NULL, a
 * boolean, a number in a word, a small number in half a word. */
static const struct guess {
    uint8_t width;
    uint64_t least;
    uint64_t most;
} guesses[] = {
    {sizeof(uintptr_t), POINTER_LEAST, POINTER_MOST},
    {1, 0, 0},
    {1, 1, 1},
    {8, 0, UINT32_MAX},
    {4, 0, SMALL_MOST},
};
#define GUESSES (sizeof(guesses) / sizeof(guesses[0]))

/* The best rule so far, and how many objects it rejects. */
struct choice {
    unsigned refused;
    struct layout_rule rule;
};

static struct layout_rule make_rule(int32_t offset, uint8_t width, uint64_t least, uint64_t most)
{
    struct layout_rule rule = {.offset = offset, .width = width, .least = least, .most = most};

    return rule;
}

static unsigned count_kind(const struct population *population, enum specimen_kind kind)
{
    unsigned count = 0;

    for (unsigned i = 0; i < population->count; i++)
        count += population->specimens[i].kind == kind;
    return count;
}

/* Whether there is a rule about the bytes at OFFSET. */
static bool has_rule_at(const struct layout_draft_kind *of, int32_t offset)
{
    for (unsigned i = 0; i < of->rule_count; i++)
        if (of->rules[i].offset == offset)
            return true;
    return false;
}

static void add_rule(struct layout_draft_kind *of, const struct layout_rule *rule)
{
    if (of->rule_count < LAYOUT_DRAFT_RULES && !has_rule_at(of, rule->offset))
        of->rules[of->rule_count++] = *rule;
}

/* The rule for MEANING in KIND; false: none. */
static bool find_meaning(const struct layout_draft *draft, enum specimen_kind kind,
                         const struct meaning *meaning, struct layout_rule *rule)
{
    const struct location *location = layout_draft_field(draft, kind, meaning->fact);

    if ((meaning->kind != SPECIMEN_KINDS && meaning->kind != kind) || location == NULL ||
        location->path.count != 1)
        return false;
    *rule = make_rule(location->path.offsets[0], location->width, meaning->least, meaning->most);
    return true;
}

static void add_meanings(struct layout_draft *draft, enum specimen_kind kind)
{
    struct layout_rule rule;

    for (size_t i = 0; i < MEANINGS; i++)
        if (meanings[i].is_always && find_meaning(draft, kind, &meanings[i], &rule))
            add_rule(&draft->kinds[kind], &rule);
}

/* A second counter after the reference count, both before the object, lives as long as the
 * memory, such as the strong and weak counts of Rust's Arc. */
static void add_second_counter(struct layout_draft *draft, enum specimen_kind kind,
                               const struct populations *known)
{
    const struct location *location = layout_draft_field(draft, kind, fact_references);
    int32_t offset = location != NULL ? location->path.offsets[0] + WORD : 0;
    struct layout_rule rule = make_rule(offset, WORD, 1, REFERENCES_MOST);

    if (offset < 0 && location->width == WORD && rule_holds_for_kind(&rule, kind, known))
        add_rule(&draft->kinds[kind], &rule);
}

/* In how many objects of KIND the word at OFFSET is an address. */
static unsigned count_pointers(enum specimen_kind kind, const struct populations *known,
                               int32_t offset)
{
    const struct population *population = known->first;
    unsigned count = 0;

    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        uint64_t number;
        uint64_t pointed;

        count += specimen->kind == kind && specimen_number(specimen, offset, WORD, &number) &&
                 own_memory_number((uintptr_t)number, 1, &pointed);
    }
    return count;
}

/* Whether the words at OFFSET are addresses in at least half of the objects of KIND. */
static bool are_addresses(int32_t offset, enum specimen_kind kind, const struct populations *known)
{
    return 2 * count_pointers(kind, known, offset) >= count_kind(known->first, kind);
}

/* The number of WIDTH bytes at OFFSET in all objects of KIND; 0: they differ, lack it, or it is
 * small. */
static uint64_t common_number(int32_t offset, uint8_t width, enum specimen_kind kind,
                              const struct populations *known)
{
    const struct population *population = known->first;
    uint64_t number = 0;
    struct layout_rule rule;

    for (unsigned i = 0; i < population->count && number == 0; i++)
        if (population->specimens[i].kind == kind &&
            !specimen_number(&population->specimens[i], offset, width, &number))
            return 0;
    rule = make_rule(offset, width, number, number);
    return number >= TAG_LEAST && rule_holds_for_kind(&rule, kind, known) ? number : 0;
}

/* The numbers of the kinds at one location. */
struct numbers {
    uint64_t of[SPECIMEN_KINDS]; /* each kind's common number, 0: none */
    uint32_t addresses;          /* kinds, as bits 1 << kind, whose words there are addresses */
};

/* Whether the number of KIND is not part of an address, which differs between processes.  Half a
 * word may look like part of an address because of unwritten bytes beside it.  Then it is close
 * to the number of a kind where it does not. */
static bool is_no_address(const struct numbers *numbers, enum specimen_kind kind)
{
    if ((numbers->addresses >> kind & 1) == 0)
        return true;
    for (enum specimen_kind other = specimen_context; other < SPECIMEN_KINDS; other++) {
        uint64_t number = numbers->of[other];
        uint64_t distance =
            number > numbers->of[kind] ? number - numbers->of[kind] : numbers->of[kind] - number;

        if (number != 0 && (numbers->addresses >> other & 1) == 0 && distance < TAG_SPAN)
            return true;
    }
    return false;
}

/* Find possible tags of the kinds at OFFSET; 0: none. */
static void find_tags(int32_t offset, uint8_t width, const struct populations *known,
                      uint64_t *tags)
{
    struct numbers numbers = {.addresses = 0};

    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        numbers.of[kind] = common_number(offset, width, kind, known);
        if (numbers.of[kind] != 0 && are_addresses(offset - offset % WORD, kind, known))
            numbers.addresses |= UINT32_C(1) << kind;
    }
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++)
        tags[kind] = is_no_address(&numbers, kind) ? numbers.of[kind] : 0;
}

/* A tag: each kind has its own number at the same location, except perhaps one if there are few
 * kinds. */
static bool is_tag(int32_t offset, uint8_t width, const struct populations *known, uint64_t *tags)
{
    unsigned different = 0;
    unsigned kinds = 0;

    find_tags(offset, width, known, tags);
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        bool is_new = true;

        for (enum specimen_kind other = specimen_context; other < kind; other++)
            is_new &= tags[other] != tags[kind];
        different += tags[kind] != 0 && is_new;
        kinds += count_kind(known->first, kind) != 0;
    }
    return different >= TAG_KINDS || (different >= TAG_LEAST_KINDS && different + 1 >= kinds);
}

/* Find the first tag of WIDTH bytes, and add its rules; false: none. */
static bool add_tags_of(struct layout_draft *draft, const struct populations *known, uint8_t width,
                        uint64_t *tags)
{
    for (int32_t offset = WORD; offset < 16 * WORD; offset += width) {
        if (!is_tag(offset, width, known, tags))
            continue;
        for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
            struct layout_rule rule = make_rule(offset, width, tags[kind], tags[kind]);

            if (tags[kind] != 0)
                add_rule(&draft->kinds[kind], &rule);
        }
        return true;
    }
    return false;
}

/* If only KIND has its tag at another location: a word with two halves as unusual as a tag. */
static void add_own_tag(struct layout_draft *draft, const struct populations *known,
                        enum specimen_kind kind)
{
    for (int32_t offset = WORD; offset < 16 * WORD; offset += WORD) {
        uint64_t tag = common_number(offset, 8, kind, known);

        if (tag >> 32 >= TAG_LEAST && (tag & UINT32_MAX) >= TAG_LEAST &&
            !are_addresses(offset, kind, known)) {
            struct layout_rule rule = make_rule(offset, 8, tag, tag);

            add_rule(&draft->kinds[kind], &rule);
            return;
        }
    }
}

static void add_tags(struct layout_draft *draft, const struct populations *known)
{
    uint64_t tags[SPECIMEN_KINDS];

    if (!add_tags_of(draft, known, 4, tags) && !add_tags_of(draft, known, 8, tags))
        return;
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++)
        if (draft->kinds[kind].is_there && tags[kind] == 0)
            add_own_tag(draft, known, kind);
}

/* Record RULE as the best if it rejects more than the previous ones. */
static void weigh_rule(const struct layout_draft_kind *of, enum specimen_kind kind,
                       const struct populations *known, const struct layout_rule *rule,
                       struct choice *choice)
{
    unsigned count;

    if (has_rule_at(of, rule->offset) || !rule_holds_for_kind(rule, kind, known))
        return;
    count = rules_find_mistakes(of, kind, rule, known).count;
    if (count > choice->refused) {
        choice->refused = count;
        choice->rule = *rule;
    }
}

/* Whether a byte that is BIT in all objects of KIND is the opposite in all objects of another
 * kind, and thus a boolean that distinguishes them. */
static bool is_boolean(enum specimen_kind kind, const struct populations *known, int32_t offset,
                       uint64_t bit)
{
    struct layout_rule opposite = make_rule(offset, 1, 1 - bit, 1 - bit);

    for (enum specimen_kind other = specimen_context; other < SPECIMEN_KINDS; other++)
        if (other != kind && count_kind(known->first, other) > 1 &&
            rule_holds_for_kind(&opposite, other, known))
            return true;
    return false;
}

/* Whether the bytes at OFFSET are what GUESS supposes: a pointer in all objects, or a number
 * that is not part of a pointer or of a known field. */
static bool is_sensible(const struct layout_draft_kind *of, enum specimen_kind kind,
                        const struct populations *known, const struct guess *guess, int32_t offset)
{
    int32_t word = offset - offset % WORD;

    if (guess->least == POINTER_LEAST)
        return count_pointers(kind, known, offset) == count_kind(known->first, kind);
    if (guess->width == 1 && !is_boolean(kind, known, offset, guess->least))
        return false;
    for (enum fact fact = 0; fact < FACTS; fact++) {
        const struct location *location = &of->fields[fact].locations[0];

        if (of->fields[fact].count == 1 && location->path.offsets[0] < offset + guess->width &&
            location->path.offsets[0] + location->width > offset)
            return false;
    }
    return count_pointers(kind, known, word) == 0;
}

/* The rule that rejects most of the objects still mistaken for KIND: by the meaning of fields
 * first, otherwise a guess.  False: no rule rejects any. */
static bool find_rule(const struct layout_draft *draft, enum specimen_kind kind,
                      const struct populations *known, struct layout_rule *rule)
{
    const struct layout_draft_kind *of = &draft->kinds[kind];
    struct choice choice = {0};

    for (size_t i = 0; i < MEANINGS; i++)
        if (find_meaning(draft, kind, &meanings[i], rule))
            weigh_rule(of, kind, known, rule, &choice);
    for (size_t i = 0; i < GUESSES && choice.refused == 0; i++)
        for (int32_t at = WORD; at < GUESS_HIGHEST; at += guesses[i].width) {
            *rule = make_rule(at, guesses[i].width, guesses[i].least, guesses[i].most);
            if (rule_holds_for_kind(rule, kind, known) &&
                is_sensible(of, kind, known, &guesses[i], at))
                weigh_rule(of, kind, known, rule, &choice);
        }
    *rule = choice.rule;
    return choice.refused > 0;
}

static void find_rules_of(struct layout_draft *draft, enum specimen_kind kind,
                          const struct populations *known)
{
    struct layout_draft_kind *of = &draft->kinds[kind];
    struct mistakes mistakes;
    struct layout_rule rule;

    add_meanings(draft, kind);
    add_second_counter(draft, kind, known);
    /* One rule is reserved to detect freed objects. */
    while (of->rule_count < LAYOUT_DRAFT_RULES - 1 && find_rule(draft, kind, known, &rule))
        add_rule(of, &rule);
    mistakes = rules_find_mistakes(of, kind, NULL, known);
    for (enum specimen_kind other = 0; other < SPECIMEN_KINDS; other++)
        if ((mistakes.kinds >> other & 1) != 0)
            protocol_note("%s: cannot be distinguished from a %s", specimen_kind_names[kind],
                          specimen_kind_names[other]);
    if (layout_draft_field(draft, kind, fact_references) == NULL || mistakes.count != 0)
        of->is_there = false;
}

void layout_draft_find_rules(struct layout_draft *draft, const struct population *first,
                             const struct population *second)
{
    struct populations known = {first, second};

    add_tags(draft, &known);
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++)
        if (draft->kinds[kind].is_there)
            find_rules_of(draft, kind, &known);
}
