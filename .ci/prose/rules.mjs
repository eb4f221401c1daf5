// The rules of docs/internals/style.md. Each checks one sentence.
import nlp from "compromise";
import { LENGTH, MARKS, MEASURED, MEASURED_COLUMN, PHRASES, UNSEPARATED } from "../../.config/prose.mjs";

const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length;

const global = PHRASES.map(([pattern, instead, kind]) => ({
  pattern: new RegExp(pattern.source, pattern.source.startsWith("^") ? pattern.flags : `${pattern.flags}g`),
  instead,
  kind,
}));

function* phrases({ text, kind }) {
  const trimmed = text.trimStart();
  const skipped = text.length - trimmed.length;
  for (const { pattern, instead, kind: only } of global) {
    if (only === "text" && (kind === "heading" || kind === "cell")) continue;
    const found = pattern.global ? trimmed.matchAll(pattern) : [pattern.exec(trimmed)].filter(Boolean);
    for (const { 0: words, index } of found) {
      const shown = words.length > 40 ? `${words.slice(0, 40)}…` : words;
      yield { index: index + skipped, message: `“${shown}”: ${instead}` };
    }
  }
}

function* length({ text }) {
  const words = wordsOf(text);
  if (words <= LENGTH.warn) return;
  const fails = words > LENGTH.fail;
  yield {
    index: 0,
    warning: !fails,
    message: `a sentence of ${words} words; split it (${fails ? `at most ${LENGTH.fail}` : `better at most ${LENGTH.warn}`})`,
  };
}

/** Marks of a sentence outside code, brackets and times of day. */
function* marks({ text }) {
  const plain = text.replaceAll(/`[^`]*`|\([^()]*\)/g, "").replaceAll(/:(?=\S)/g, "");
  for (const [mark, most] of Object.entries(MARKS)) {
    const count = plain.split(mark).length - 1;
    if (count > most)
      yield { index: 0, message: `${count} of “${mark}” in a sentence; write shorter sentences` };
  }
}

function* numbers({ text, kind }) {
  if (kind === "cell") return;
  const found = UNSEPARATED.exec(text.replaceAll(/`[^`]*`/g, (code) => "x".repeat(code.length)));
  if (found)
    yield { index: found.index, message: `“${found[0]}”: write the number with separators, as in 1,000` };
}

/** A number that somebody measured and typed. Programs write the `computed` ones. */
function* measured({ text, computed, isHead }) {
  if (computed) return;
  const found = MEASURED.exec(text) ?? (isHead ? MEASURED_COLUMN.exec(text) : null);
  if (found === null) return;
  const message = `“${found[0]}”: a measured number belongs into a generated figure, and a setting into code`;
  yield { index: found.index, message };
}

/** Verbs that the tagger takes for nouns in some sentences. */
const VERBS =
  /\b(?:adds|aligns|allocates|appends|are|avoids|begins|bins|builds|can|cannot|changes|checks|choose|clears|close|closes|combines|compare|compares|compiles|compute|computes|controls|converts|copies|counts|covers|cuts|decides|defaults|derives|describes|detects|divides|draws|drops|expects|exports|fails|fills|finds|fits|flips|follows|gathers|generates|apply|contain|depend|exist|help|include|mean|need|groups|halves|has|have|hides|holds|ignores|is|joins|keeps|lays|lists|loads|makes|maps|marks|matches|may|measures|merges|moves|multiplies|must|names|needs|opens|packs|pairs|picks|plans|points|prefers|prints|processes|raises|ranks|reaches|reads|records|refuses|rejects|releases|remembers|replaces|reports|requires|returns|rounds|runs|scans|searches|selects|sends|serves|sets|shows|skips|sorts|spans|splits|starts|states|stays|stores|subtracts|sums|supports|takes|tests|throws|touches|tries|updates|uploads|uses|varies|waits|was|were|will|works|wraps|writes|yields)\b/i;
/** A label before a colon, a quoted title or a year: a note or a source, which needs no verb. */
const NOTE = /:|["“]|\b(?:19|20)\d\d\b/;

/** A sentence of a paragraph has a verb. */
function* verb({ text, kind }) {
  if (kind !== "text" || wordsOf(text) < 4 || !/[.!]\)?$/.test(text.trimEnd())) return;
  if (VERBS.test(text) || NOTE.test(text)) return;
  const plain = text.replaceAll(/`[^`]*`/g, "Polybin");
  if (!nlp(plain).has("(#Verb|#Modal|#Copula)"))
    yield { index: 0, message: "no verb; write a full sentence" };
}

function* question({ text }) {
  if (text.trimEnd().endsWith("?"))
    yield { index: 0, message: "a question; write “Whether …” or a statement" };
}

const RULES = {
  page: [phrases, length, marks, numbers, measured, verb],
  docstring: [phrases, length, marks, question],
  comment: [phrases],
  literal: [phrases],
};

/** The violations of a sentence in a `page`, a `docstring`, another `comment` or a string `literal`. */
export function problemsOf(sentence, medium) {
  return RULES[medium].flatMap((rule) =>
    [...rule(sentence)].map(({ index, message, warning = false }) => ({
      ...sentence.placeOf(index),
      message,
      warning,
    })),
  );
}
