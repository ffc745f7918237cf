#include "engine/record/dealer.h"

#include <sodium.h>

#include "engine/record/record_parts.h"

static const char first_line[] = "tillroll dealer 1";

void dealer_input_of(const struct record_header *header, struct dealer_input *input)
{
    crypto_hash_sha256_state hash;
    *input = (struct dealer_input){.has_entropy = false};
    struct text scope = TEXT_OVER(input->scope);
    record_scope(header, &scope);
    memcpy(input->commitment, header->commitment, sizeof input->commitment);
    crypto_hash_sha256_init(&hash);
    for (unsigned i = 0; i < header->seats; i++) {
        char bytes[RECORD_LINE_MAX];
        struct text line = TEXT_OVER(bytes);
        if (header->seat[i].entropy_size == 0)
            continue;
        record_print_entropy(&header->seat[i], i, &line);
        text_add_char(&line, '\n');
        crypto_hash_sha256_update(&hash, (const unsigned char *)bytes, line.length);
        input->has_entropy = true;
    }
    if (input->has_entropy)
        crypto_hash_sha256_final(&hash, input->entropy);
}

void dealer_input_print(const struct dealer_input *input, struct text *text)
{
    text_add_line(text, first_line);
    text_add_line(text, input->scope);
    text_add_hex_line(text, input->commitment, sizeof input->commitment);
    if (input->has_entropy)
        text_add_hex(text, input->entropy, sizeof input->entropy);
    else
        text_add_char(text, '-');
    text_add_char(text, '\n');
}

/* `<id>` or `<id>/round/<n>`. */
static bool is_scope(struct span text)
{
    static const char round[] = "/round/";
    uint64_t number;
    struct span id = {text.at, RECORD_ID_LENGTH};
    if (text.length < RECORD_ID_LENGTH || !record_is_id(id))
        return false;
    struct span rest = {text.at + RECORD_ID_LENGTH, text.length - RECORD_ID_LENGTH};
    if (rest.length == 0)
        return true;
    if (rest.length < sizeof round || memcmp(rest.at, round, sizeof round - 1) != 0)
        return false;
    struct span digits = {rest.at + sizeof round - 1, rest.length - (sizeof round - 1)};
    return span_number(digits, UINT32_MAX, &number) && number > 0;
}

bool dealer_input_read(struct span text, struct dealer_input *input)
{
    struct span first, scope, commitment, entropy;
    *input = (struct dealer_input){.has_entropy = true};
    if (text.length == 0 || text.at[text.length - 1] != '\n' || !span_line(&text, &first) ||
        !span_is(first, first_line) || !span_line(&text, &scope) || !is_scope(scope) ||
        !span_line(&text, &commitment) ||
        !span_hex(commitment, input->commitment, sizeof input->commitment) ||
        !span_line(&text, &entropy) || text.length > 0)
        return false;
    struct text copy = TEXT_OVER(input->scope);
    text_add_span(&copy, scope);
    input->has_entropy = !span_is(entropy, "-");
    return !input->has_entropy || span_hex(entropy, input->entropy, sizeof input->entropy);
}

/* True for a proof by this dealer for this input. */
static bool dealer_holds(const struct record_dealer *dealer, const struct dealer_input *input)
{
    char bytes[DEALER_INPUT_MAX];
    struct text text = TEXT_OVER(bytes);
    dealer_input_print(input, &text);
    return !dealer->missing && ecvrf_verify(dealer->key, text_span(&text), dealer->proof);
}

/* The number of the line of a header's first dealer. */
static uint32_t first_dealer_line(const struct record_header *header)
{
    enum { OTHERS = 5 }; /* tillroll, game, event, clock, commit */
    uint32_t lines = OTHERS + (uint32_t)header->game->option_count + header->seats;
    for (unsigned i = 0; i < header->seats; i++)
        lines += header->seat[i].entropy_size > 0;
    return lines + 1;
}

bool dealer_check(const struct record_header *header, struct record_fault *fault)
{
    struct dealer_input input;
    if (header->dealers == 0)
        return true;
    dealer_input_of(header, &input);
    for (unsigned i = 0; i < header->dealers; i++) {
        const struct record_dealer *dealer = &header->dealer[i];
        if (dealer->missing || dealer_holds(dealer, &input))
            continue;
        fault->line = first_dealer_line(header) + i;
        return record_fault(fault, "wrong-proof",
                            "The proof is not by this dealer's key, or is for another commitment "
                            "or other entropy: ",
                            span_of(dealer->name));
    }
    return true;
}
