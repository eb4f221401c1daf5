// Damages pictures in many ways and compares polybin's verdicts with those of other decoders.
//   node test/mutated/main.ts [CASES [FORMAT ...]]     default: 6000 cases, a sixth for each format
// Exits with 1 if polybin counts a picture that another decoder calls damaged, without a known cause.
import { argv } from "node:process";
import type { Picture } from "../../src/picture.ts";
import { causeOf, samePixels } from "./causes.ts";
import { FORMATS, type Format } from "./corpus.ts";
import { absent } from "./judges.ts";
import { cases, Judges, ours } from "./trial.ts";

/** One line of the table. */
interface Line {
  cases: number;
  unchanged: number;
  refused: number;
  "refused by us alone": number;
  counted: number;
  "pixels changed, nobody sees it": number;
  "called damaged, cause known": number;
  "called damaged, no cause": number;
}

const CASES = 6000;
const count = Number(argv[2] ?? CASES);
const formats = argv.length > 3 ? (argv.slice(3) as Format[]) : FORMATS;
const judges = new Judges(true);
const whole = new Map<object, Picture>();
const table: Record<string, Line> = {};
const notes = new Map<string, string[]>();

function lineOf(format: Format): Line {
  table[format] ??= {
    cases: 0,
    unchanged: 0,
    refused: 0,
    "refused by us alone": 0,
    counted: 0,
    "pixels changed, nobody sees it": 0,
    "called damaged, cause known": 0,
    "called damaged, no cause": 0,
  };
  return table[format];
}

const note = (text: string, example: string) => notes.set(text, [...(notes.get(text) ?? []), example]);

for await (const { sample, damage, seed, bytes, differs, ours: found } of cases(
  Math.ceil(count / formats.length),
  formats,
)) {
  const line = lineOf(sample.format);
  const example = `${sample.variant}, ${damage}, seed ${seed}`;
  line.cases += 1;
  if (!differs) {
    line.unchanged += 1;
    if (typeof found === "string") throw new Error(`an undamaged picture is refused: ${example}: ${found}`);
    continue;
  }
  const complaints = await judges.complaints(bytes, sample);
  if (typeof found === "string") {
    line.refused += 1;
    if (complaints.size > 0) continue;
    line["refused by us alone"] += 1;
    note(`${sample.format} refused by us alone: ${found.replace(/\d+/g, "N")}`, example);
    continue;
  }
  line.counted += 1;
  let reference = whole.get(sample);
  if (reference === undefined) {
    reference = (await ours(sample.bytes)) as Picture;
    whole.set(sample, reference);
  }
  if (complaints.size === 0) {
    if (!samePixels(reference, found)) line["pixels changed, nobody sees it"] += 1;
    continue;
  }
  const cause = await causeOf(bytes, sample, reference, found, judges);
  line[cause === null ? "called damaged, no cause" : "called damaged, cause known"] += 1;
  const said = [...complaints].map(
    ([name, complaint]) => `${name}: ${complaint.replace(/0x[\da-f]+|\d+/gi, "N")}`,
  );
  note(`${sample.format} counted, ${cause ?? "NO CAUSE"} (${said.join("; ")})`, example);
}

console.table(table);
for (const [text, examples] of [...notes].sort())
  console.log(`${examples.length} x ${text}\n    ${examples[0]}`);
for (const format of formats) {
  for (const program of absent(format)) console.log(`${format}: ${program} is not here and was not asked`);
}
if (Object.values(table).some((line) => line["called damaged, no cause"] > 0)) process.exitCode = 1;
