// English: what pages say better than the service does (refusals.js). Its limits on texts are in bytes.
export default {
  "must be a text of 1 to {most} bytes without control characters.": "Type at most {most} characters. Accented letters and those of other scripts count as two or three.",
  "must be a text of {least} to {most} bytes without control characters.": "Type {least} to {most} characters. Accented letters and those of other scripts count as two or three.",
  "must be a whole number from {only} to {only}.": "Only {only} is possible here.",
  "must be a whole number from {least} to {most}.": "Enter a whole number from {least} to {most}.",
  "must not end in `{what}` or anything that looks like it, which marks {whom}.": "Must not end in “[bot]” or “[guest]”, or begin with “House ·” or “Deleted player”, or with anything that looks like these.",
  "must not begin with `{what}` or anything that looks like it, which marks {whom}.": "Must not end in “[bot]” or “[guest]”, or begin with “House ·” or “Deleted player”, or with anything that looks like these.",
  "must not mix scripts: {code} is {script}, but the text before it is not.": "Must not mix scripts: choose letters of one.",
  "must not have {code} there: {why}.": "The character {code} is not allowed there.",
  "must have single blanks between words, and none at its beginning or end.": "One space between words, and none at the beginning or the end.",
  "is not an entry that you can see yet.": "The record has no such line yet, as far as you can see it.",
  "must be a machine-readable reason: lower-case letters, digits and `-`, beginning with a letter.": "Lower-case letters, digits and hyphens, beginning with a letter.",
};
