// Writes engine/base/nfc_tables.h from the data files of Unicode, as Debian 12's package `unicode-data` (15.0.0) installs them.
//
//     node engine/write_nfc_tables.mjs [/usr/share/unicode] | clang-format >engine/base/nfc_tables.h
//
// The version must stay 15.0: a record is valid or not for all time.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";

const folder = process.argv[2] ?? "/usr/share/unicode";
const VERSION = "15.0.0";

// The lines of a file, as lists of fields; comments are left out.
function fieldsOf(name) {
    const text = readFileSync(path.join(folder, name), "utf8");
    if (name !== "UnicodeData.txt") assert.ok(text.split("\n")[0].includes(VERSION), `${name} is not of Unicode ${VERSION}`);
    return text.split("\n").map((line) => line.replace(/#.*/, "").trim()).filter((line) => line !== "")
        .map((line) => line.split(";").map((field) => field.trim()));
}

function rangeOf(field) {
    const [first, last = first] = field.split("..").map((hex) => parseInt(hex, 16));
    return { first, last };
}

// Neighbours that are alike become one.
function merged(ranges, alike = () => true) {
    const out = [];
    for (const range of [...ranges].sort((a, b) => a.first - b.first)) {
        const before = out.at(-1);
        if (before !== undefined && before.last + 1 === range.first && alike(before, range)) before.last = range.last;
        else out.push({ ...range });
    }
    return out;
}

const derived = fieldsOf("DerivedNormalizationProps.txt");
const never = merged(derived.filter(([, key, value]) => key === "NFC_QC" && value === "N").map(([range]) => rangeOf(range)));
const excluded = new Set(derived.filter(([, key]) => key === "Full_Composition_Exclusion")
    .flatMap(([field]) => { const { first, last } = rangeOf(field); return Array.from({ length: last - first + 1 }, (_, i) => first + i); }));
const characters = fieldsOf("UnicodeData.txt").map(([code, , , combiningClass, , decomposition]) => ({ code: parseInt(code, 16), combiningClass: Number(combiningClass), decomposition }));
const classes = merged(characters.filter(({ combiningClass }) => combiningClass > 0).map(({ code, combiningClass }) => ({ first: code, last: code, combiningClass })),
    (a, b) => a.combiningClass === b.combiningClass);
const composites = characters.filter(({ code, decomposition }) => /^[0-9A-F]/.test(decomposition) && !excluded.has(code))
    .map(({ code, decomposition }) => [code, ...decomposition.split(" ").map((hex) => parseInt(hex, 16))]);

// What engine/base/nfc.c relies on.
const isNever = (code) => never.some(({ first, last }) => first <= code && code <= last);
const isComposite = new Set(composites.map(([code]) => code));
for (const parts of composites) {
    assert.equal(parts.length, 3);
    assert.ok(parts.every((code) => !isNever(code)) && !isComposite.has(parts[2]));
}
assert.ok(never[0].first >= 0x300 && classes[0].first >= 0x300);
// All that decomposes and is no composite occurs in no NFC text, so its decomposition is not needed.
for (const { code, decomposition } of characters)
    if (/^[0-9A-F]/.test(decomposition)) assert.equal(isNever(code), !isComposite.has(code));

const hex = (code) => `0x${code.toString(16)}`;
const rows = (list) => list.map((row) => `{${row.join(", ")}},`).join("\n");
const inOrder = [...composites].sort((a, b) => a[0] - b[0]);
const byParts = inOrder.map((_, i) => i).sort((a, b) => inOrder[a][1] - inOrder[b][1] || inOrder[a][2] - inOrder[b][2]);
console.log(`/* Written by engine/write_nfc_tables.mjs from the data of Unicode ${VERSION}
 * (https://www.unicode.org/license.txt). Do not edit. */
#ifndef TILLROLL_ENGINE_NFC_TABLES_H
#define TILLROLL_ENGINE_NFC_TABLES_H

#include <stdint.h>

/* Characters that are in no text in NFC: NFC_Quick_Check=No. In order. */
static const struct nfc_range {
    uint32_t first, last;
} nfc_never[] = {
${rows(never.map(({ first, last }) => [hex(first), hex(last)]))}
};

/* Canonical_Combining_Class where it is not 0. In order. */
static const struct nfc_class {
    uint32_t first;
    uint16_t more; /* characters behind the first */
    uint8_t class;
} nfc_classes[] = {
${rows(classes.map(({ first, last, combiningClass }) => [hex(first), last - first, combiningClass]))}
};

/* Primary composites but those of Hangul. In order. */
static const struct nfc_composite {
    uint32_t composite, first, second;
} nfc_composites[] = {
${rows(inOrder.map((parts) => parts.map(hex)))}
};

/* Their places in the order of what they are made of. */
static const uint16_t nfc_by_parts[] = {
${byParts.join(", ")}};

#endif`);
