// Tests that each rule of the prose linter finds a bad sentence, and that plain English passes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { proseProblems } from "./prose.mjs";

const found = (text, path = "page.md") =>
  proseProblems(path, text).map(
    ({ line, message, warning }) => `${line}: ${warning ? "warning: " : ""}${message}`,
  );

const BAD = {
  "Of bytes, only the first is read.": /start with the subject/,
  "Sums are exact; of counts, only the total is.": /start with the subject/,
  "Where nvcc is missing, the build skips the addon.": /“If …,”/,
  "What is read is cached.": /start with a noun/,
  "Who counts many frames prepares a counter.": /“If you …”/,
  "It holds a table, the cells of which are bytes.": /split the sentence/,
  "The device is told the axis.": /“receives”/,
  "The error tells the code.": /“reports”/,
  "The page has words on that.": /“explains”/,
  "The file is read in vain.": /unnecessarily/,
  "The edges are turned round.": /reverse/,
  "The kernel adds so many samples.": /this number/,
  "It rounds to such.": /stands for/,
  "The counts come home at once.": /copies back to the host/,
  "Blocks are dealt out to threads.": /distributes/,
  "The copy takes 34 bytes a call.": /“per” for a rate/,
  "The result has a histogram a segment.": /“per” for a rate/,
  "The kernel makes 3 GB/s.": /“reaches”/,
  "The kernel reaches 4,581 GB/s.": /“4,581 GB\/s”: a measured number/,
  "Its worst data reach 97.1% of the ceiling.": /“97.1%”: a measured number/,
  "A call takes 0.08 to 0.18 ms.": /“0.08 to 0.18 ms”/,
  "The set-up takes 10 minutes.": /“10 minutes”/,
  "It decodes 87.7 million rows/s.": /“87.7 million rows\/s”/,
  "The server answers 78 requests per second.": /“78 requests per second”/,
  "It is 2.05 times as fast as CUB.": /“2.05 times as fast”/,
  "The suite has 415 tests.": /“415 tests”/,
  "Polybin counts on whatever hardware is there.": /“exists”/,
  "The engine frees it by itself.": /automatically/,
  "The row is beside the table.": /“next to”/,
  "It takes the least value.": /“the lowest”/,
  "The table has 65536 bins in all.": /with separators/,
  "No atomics and no collisions on any data.": /no verb/,
  "The counts: exact: the same everywhere.": /2 of “:”/,
  "It counts. polybin is exact.": /“Polybin”/,
  "The the counts are exact.": /repeated `the`/,
  [`A sentence goes on${" and on".repeat(20)}.`]: /at most 40/,
};

for (const [text, message] of Object.entries(BAD)) {
  test(`it finds: ${text.slice(0, 60)}`, () => {
    const problems = found(text);
    assert.ok(problems.length > 0, "nothing found");
    assert.match(problems.join("\n"), message);
  });
}

test("it reads tables, list items and headings, and says which line", () => {
  assert.match(found("# A title\n\n| a | b |\n|---|---|\n| x | one of which |\n").join(), /^5: “of which”/);
  assert.match(found("- an item\n- bytes in vain\n").join(), /^2: “in vain”/);
  assert.match(found("## Bytes in vain\n").join(), /^1: /);
});

test("a sentence of more than 30 words is a warning", () => {
  assert.match(
    found(`A sentence goes on${" and on".repeat(14)}.`).join(),
    /^1: warning: a sentence of 32 words/,
  );
});

const GOOD = `
# What you need

Polybin counts samples into bins. Only the first byte of a row is read, and the rest is skipped.
The backend returns 65,536 counts: one per bin. Copying takes 34 bytes per call.
In 2026 the kernel was changed, as RFC 8259 and Node 26 allow. What do you need?
A worker waits \`30 s\`, and covers \`98%\` of 2^20 rows in 4 bytes each. It took three seconds for 16 MiB.
Run \`polybin hist --bins 4096 so many of which\` once a day. At least two threads take turns.
Of course, a device may refuse. As such, it is an error. Turn it off, or tell the two apart.
A u32 is an integer, and an f64 is not.

**Bounds on each counter.** \`cells\` is a number.

**Source.** The papers, sections 4 and 5. **Counters.** 32 bits, two per word.

Choose typical ones from the list.

**Bounds on counters.** Counters have 32 bits.

<!-- figure: a table -->
| so many | of which |
|---|---|
| 3 GB/s | 97% |
<!-- /figure -->

<!-- computed: a program writes the numbers -->

The memory became 24.9 times as fast, and reaches 4,800 GB/s.

<!-- /computed -->

> Of bytes, only the first is read.

\`\`\`
in vain
\`\`\`
`;

test("a sentence that begins with code or with polybin is one of its own", () => {
  const half = `A sentence goes on${" and on".repeat(12)}.`;
  assert.deepEqual(found(`${half} \`code\` is here. Polybin counts. ${half}`), []);
  assert.match(found("It counts. `code` makes 3 GB/s.\nThe end.").join(), /^1: “(?:makes )?3 GB/);
});

test("numbers that a program writes pass, and the other rules hold for the sentence", () => {
  const page = (text) =>
    `<!-- computed: by a program -->\n\n${text}\n\n<!-- /computed -->\n\nIt takes 3 ms.\n`;
  assert.match(found(page("It reaches 3 GB/s.")).join(), /^7: “3 ms”/);
  assert.match(found(page("It reads 3 GB/s in vain.")).join(), /^3: “in vain”.*7: “3 ms”/);
});

test("a number in a cell or a heading is found", () => {
  assert.match(found("| who | ms per frame |\n|---|---|\n| polybin | 3 |\n").join(), /^1: “ms”/);
  assert.deepEqual(found("| unit | meaning |\n|---|---|\n| ms | thousandths of a second |\n"), []);
  assert.match(found("# A call of 3 ms\n\n| a |\n|---|\n| 97% |\n").join(), /^1: “3 ms”.*,5: “97%”/);
});

test("plain English passes; code, quotations and generated parts are not read", () => {
  assert.deepEqual(found(GOOD), []);
});

const SOURCE = `// a line comment
// in vain
/**
 * Counts samples in vain.
 *
 *   drawn   in vain   [ ]
 *
 *   drawn in vain
 *
 * @param a a number of more or less use
 *   in vain
 * @throws ERR_INPUT if samples are beside it
 */
export const a = "expected a number in vain but received none";
export const b = \`expected \${a} of which but received none\`;
/** Do they hold zeros already? */
export const c = "ugly";
`;

test("it reads docstrings, other comments and the sentences in string literals", () => {
  const start = (problem) => /^\d+: “?[\w ]+/.exec(problem)[0];
  assert.deepEqual(found(SOURCE, "a.ts").map(start), [
    "2: “in vain",
    "4: “in vain",
    "11: “in vain",
    "12: “beside",
    "14: “in vain",
    "15: “of which",
    "16: a question",
  ]);
  assert.deepEqual(found('a = "in vain to say so"; // it is\n// read in vain\n', "a.wgsl").map(start), [
    "2: “in vain",
  ]);
});

test("it reads the sentences in data files", () => {
  const data =
    '[\n  { "says": "in vain to say so", "in vain or not": 1 },\n  { "at": ["a.ts#in vain"] }\n]\n';
  assert.deepEqual(
    found(data, "a.json").map((problem) => problem.slice(0, 10)),
    ["2: “in vai", "2: “in vai"],
  );
});
