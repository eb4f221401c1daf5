// The files that the prose linter (.ci/prose.mjs) reads, and the words that it refuses. docs/internals/style.md explains
// the rules with examples.

/**
 * Pages that people read. Text between `<!-- NAME: … -->` and `<!-- /… -->` or `<!-- end of … -->` is not checked. Between
 * `<!-- computed: … -->` and `<!-- /computed -->` a program writes the numbers, and everything else is checked.
 */
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
  ".github/**/*.md",
  "docs/**/*.md",
  "packages/*/README.md",
  "packages/cuda/npm/*/README.md",
  "packages/native/npm/*/README.md",
  "apps/*/README.md",
  "benchmarks/**/*.md",
  ".changeset/*.md",
];

/** Sources: the linter reads docstrings, other comments and the sentences in string literals. */
export const SOURCES = [
  "packages/*/src/**/*.{ts,cu,wgsl}",
  "packages/*/native/**/*.{c,cc,h,cuh,cu}",
  "apps/*/{src,server}/**/*.{ts,tsx}",
  "benchmarks/{src,papers}/**/*.ts",
  "benchmarks/papers/{statements,figures,page}/*.json",
  "docs/site/{build,.vitepress}/**/*.ts",
  "{.ci,packages/*/scripts,apps/*/docs,benchmarks/scripts}/**/*.mjs",
];

export const NEVER = [
  "**/node_modules/**",
  "**/dist/**",
  "**/generated/**",
  "**/build/**",
  "**/report-*/**",
  ".ci/prose.test.mjs",
];

/** A paragraph that starts with one of these in bold holds data or a reference, and needs no sentences. */
export const LABELS = /^(?:Counters|Depends on the data|Parameters|Source|Sums)\.$/;

/** Words in a sentence: more than `warn` are reported, more than `fail` fail. */
export const LENGTH = { warn: 30, fail: 40 };

/** Colons and semicolons in a sentence. */
export const MARKS = { ":": 1, ";": 1 };

const TO =
  "an? (?:second|call|segment|sample|value|bin|block|warp|thread|row|feature|document|word|lane|launch|pass|channel|cell|worker|counter|pixel|increment|source|entry|package|line|bank|file|backend|step|chunk)\\b";

/**
 * Phrases that polybin does not use, with suggestions. The linter masks inline code, so names of options never match.
 * A pattern with ^ matches only the start of a sentence.
 */
export const PHRASES = [
  // Inversion and conditionals
  [
    /^Of (?!course\b)[^.]*?,/,
    "start with the subject: “Only the first byte is read”, not “Of bytes, only …”",
  ],
  [/[:;] of [^,.;:]+,/, "start with the subject, not with “of …,”"],
  [/^Where\b[^?]*?,/, "write “If …,” or “On …,” for a condition"],
  [
    /^What\b(?=.*\.$)/,
    "start with a noun: “The engine caches the data it reads”, not “What is read is cached”",
    "text",
  ],
  [/^Who(?:ever)?\b(?=.*\.$)/, "write “If you …” or name the reader or the program", "text"],
  [
    /\b(?:by|for|from|of|spares|to) who\b(?! (?:he|it|she|they|we|you)\b)/,
    "name the reader or the program: “a program that …”",
  ],
  [/^Likewise\.$/, "say what is the same"],
  [/\bof which\b/, "split the sentence, or write “whose” or “including”"],
  [/\b(?:whoever|whosoever|whatsoever)\b/, "write “anyone who”, “if you” or “any”"],

  // Verbs
  [/\b(?:am|are|be|been|being|is|was|were) told\b/, "write “receives”, “gets” or “knows”"],
  [/\btold (?:apart|by|from|in)\b/, "write “distinguished” or “stated”"],
  [/\btells\b(?! (?:the reader|you)\b)/, "write “returns”, “reports” or “states”"],
  [/\b(?:had|has|have) words\b/, "write “explains” or “describes”"],
  [/\b(?:dealt|deals?) out\b/, "write “distributes”"],
  [/\bturn(?:ed|ing|s)? round\b/, "write “reverses” or “reversed”"],
  [/\bmend(?:ed|ing|s)?\b/, "write “fix”"],
  [/\bput(?:s|ting)? together\b/, "write “assemble”, “combine” or “concatenate”"],
  [/\basks? of\b/, "write “requires” or “requests from”"],
  [/\blet(?:s|ting)? go of\b/, "write “releases” or “frees”"],
  [/\bworked out\b/, "write “computed” or “derived”"],
  [/\bmake(?:s)? of\b/, "write “does with”"],
  [
    /\bstands? (?:above|at|before|behind|below|beside|for itself|in|what|with)\b(?! for\b)/,
    "write “is in”, “follows” or “precedes”",
  ],
  [
    /\bmakes? (?:about |only |up to )?[\d.,]+ ?[GMTk]?i?B(?:\/s| per second)/,
    "a kernel “reaches” or “reads” 3 GB/s",
  ],
  [/\b(?:are|is|was|were) there(?=[.,;:)]|$)/, "write “exists” or “is available”"],
  [
    /\b(?:hardware|memory|data|device|GPU|one|ones|that|what(?:ever)?|which|who) (?:are|is) there\b/,
    "write “exists” or “is available”",
  ],
  [/\b(?:has|have) not(?=[.,;:)]|$)/, "write “does not have”"],
  [
    /\b(?:came|come|comes|coming|go|goes|going|went|bring|brings|bringing|brought|sent|take|takes|taken) (?:[\w-]+ ){0,2}home\b/,
    "write “copies back to the host”",
  ],
  [/\bat home\b/, "write “on the host”"],

  // Words
  [
    /^polybin(?:'s)? (?!backends\b|bench\b|dashboard\b|hist\b|papers\b|weighted\b)(?=[a-z])/,
    "write “Polybin” at the start of a sentence",
    "text",
  ],
  [/\bin vain\b/, "write “unnecessarily” or “without effect”"],
  [/\bthus far\b/, "write “so far”"],
  [/\bso many\b/, "write “this number of” or the number"],
  [/\bas many each\b/, "write “the same number”"],
  [/(?<!\b[Aa]s )\bsuch(?=[.,;:)])/, "name the thing that “such” stands for"],
  [/\bin turns\b/, "write “alternately”"],
  [/\b(?:and|or) the like\b/, "list the things, or write “and similar …”"],
  [/\bby (?:itself|themselves)\b/, "write “automatically”, “on its own” or “separately”"],
  [/\bbeside\b/, "write “next to”, “in addition to” or “compared with”"],
  [/\bugly\b/, "say what is wrong with it"],
  [/(?<!\b[Aa]t )\bthe least\b(?! significant| squares)/, "write “the lowest” or “the minimum”"],
  [/\bat the (?:least|most)\b(?! significant)/, "write “at least” or “at most”"],
  [/\bthe same of\b/, "write “the same for”"],
  [/\b(?:none|nothing) off\b/i, "write a full sentence with a subject and a verb"],
  [/\bin the mean\b(?!time|while)/, "write “on average”"],
  [/\bin brackets stands?\b/, "write “the number in brackets is”"],
  [/\bbehind (?:one another|the other|each other)\b/, "write “contiguous” or “one after another”"],
  [/\bone likes\b/, "address the reader: “you like”"],
  [/\bslips? of the pen\b/, "write “typo”"],
  [
    /\b(?:hereby|herein|hereof|thereby|therein|thereof|thereupon|whereby|wherefore|wherein|whereof|whereupon)\b/i,
    "use modern words",
  ],

  // Rates: “per”, not “a”
  [
    new RegExp(
      `\\b(?:bits?|bytes|[GMTk]i?B|ns|µs|ms|s|seconds|nanoseconds|microseconds|milliseconds|rows?|words|samples|threads|counters|cells|histograms?|tables?|warps|documents|features|numbers?|lanes|replicas?|pixels|neighbours|workers) ${TO}`,
    ),
    "write “per” for a rate: “34 bytes per call”, “one histogram per segment”",
  ],
  [
    new RegExp(
      `(?:\\d|\\b(?:one|two|three|four|eight|sixteen|32|64)) (?:additions?|atomics?|bins?|blocks?|branch(?:es)?|byte|counts?|increments?|instructions?|launch(?:es)?|loads?|registers?|reads?|values?|word|sample) ${TO}`,
    ),
    "write “per” for a rate: “one load per thread”",
  ],
  [/\ban? [a-z-]+ each\b/, "write “one … for each” or “… each” with a number: “of one byte each”"],
];

const NUMBER = String.raw`(?<![\w.^:/-])(?<!\b(?:Figure|Table|[Ss]ection) )\d+(?:[.,]\d+)*`;
const OF_SPEED = String.raw`(?:(?:million|billion|trillion) )?(?:[\w ]{0,30}(?:\/s\b| per second\b)|[GMTk]i?B(?:\/s\b| per second\b))`;
const OF_TIME = String.raw`(?:ns|µs|us|ms|s|m?seconds?|milliseconds?|microseconds?|nanoseconds?|minutes?|hours?)\b(?!-)`;
const FACTOR = String.raw`times (?:as (?:fast|long|slow|much time)|faster|slower|longer)\b`;

/**
 * Pages only: a number with a unit of speed, time or percent, a factor of speed, or a count of tests. Measured numbers are
 * in generated figures, where they cannot contradict their file. A setting, such as a timeout, is in code: `30 s`.
 */
export const MEASURED = new RegExp(
  `${NUMBER}(?: (?:to|and|or) \\d+(?:[.,]\\d+)*)?(?: ?%| (?:percent|${OF_SPEED}|${OF_TIME}|${FACTOR}|tests?\\b))`,
);

/** The same for a column of a table, whose head has the unit. */
export const MEASURED_COLUMN =
  /(?<![\w/])(?:[GM]B\/s|µs|ms|ns|seconds|[\w ]+ per second|rows\/s|of the ceiling)(?![\w-])/;

/** Pages only: a number from 1,000 on has separators. Years, standards and ports do not. */
export const UNSEPARATED =
  /(?<![\w.,^#:/+-])(?<!\b(?:IEEE|ISO|RFC|UTF|port|sm_|since|in|of) )(?!(?:19|20)\d\d\b(?! (?:bins|bytes|GB|calls|samples|threads)))\d{4,}(?![\w-]|[.,]\d)/;
