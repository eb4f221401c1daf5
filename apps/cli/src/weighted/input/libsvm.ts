import { PolybinError } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { printable } from "../../base/index.ts";
import type { Source } from "../../input/index.ts";
import type { Watch } from "../../terminal/index.ts";
import { Chunks } from "./chunks.ts";
import { countEntries } from "./count-entries.ts";
import { finite, unlike, weight } from "./fields.ts";
import { eachLine } from "./lines.ts";
import { gibibytes, memoryForValues } from "./memory.ts";
import { type SparseFeatures, SparseRows } from "./sparse.ts";

/** The documents of a LIBSVM file, feature by feature, as sparse as in the file. */
export interface Documents {
  readonly name: string;
  /** One 32-bit float per document. */
  readonly labels: Float32Array;
  /** The features that a line names. */
  readonly features: SparseFeatures;
}

/** Options of `readLibsvm`. */
export interface LibsvmOptions {
  /** The bytes that values may fill. */
  readonly memory?: number | undefined;
  /** The features to keep: those whose index leaves the remainder `index` when it is divided by `of`. Default: all. */
  readonly shard?: { readonly index: number; readonly of: number };
}

const ALL = { index: 0, of: 1 };

/**
 * The most bytes of memory that an entry (a value or a document) takes. A value takes them while rows become features: 12
 * in its row, 12 in its feature, and 12 for the feature if it has no other value.
 */
const ENTRY_BYTES = 36;
/** Characters of the shortest entry: a label and a line break. */
const ENTRY_CHARACTERS = 2;

const WHOLE = /^\d+$/;
const QUERY = "qid";

/**
 * Reads LIBSVM text with one document per line: `label [qid:n] index:value …`, indices ascending from 0 or 1. Values that
 * a line does not name are 0. `#` begins a comment. Takes 12 bytes of memory per value. For a moment at the end it takes
 * 24, and 12 per feature.
 * @throws ERR_INPUT, with file and line, for any other text, and for a file without documents or values. ERR_LIMIT for
 * more values and documents than fit. A file is checked before it is read into memory.
 */
export async function readLibsvm(
  source: Source,
  signal: AbortSignal,
  watch: Watch,
  { memory = memoryForValues(), shard = ALL }: LibsvmOptions = {},
): Promise<Documents> {
  const most = Math.min(Math.floor(memory / ENTRY_BYTES), limits.U32_MAX);
  const name = printable(source.name);
  const tooMany = () =>
    new PolybinError(
      "ERR_LIMIT",
      `expected at most ${most} values and documents, ${ENTRY_BYTES} bytes each in ${gibibytes(memory)} of memory, but ` +
        `${name} has more; pass fewer features at a time, which do not depend on each other, or use a machine with more memory`,
    );
  // Only a file that may be too large is worth reading twice. The features of a shard are counted as they come.
  if (shard.of === 1 && source.file !== null && source.file.bytes / ENTRY_CHARACTERS > most) {
    if ((await countEntries(source.stream(), most, signal)) > most) throw tooMany();
  }
  const labels = new Chunks(Float32Array);
  const rows = new SparseRows();
  let hasValues = false;
  const checkRoom = () => {
    if (rows.values + rows.documents >= most) throw tooMany();
  };
  await eachLine(source, signal, watch, (text, place) => {
    checkRoom();
    rows.begin();
    let [number, before] = [0, -1];
    for (const field of fieldsOf(text)) {
      if (number++ === 0) {
        labels.push(weight(field, "a label", place));
        continue;
      }
      const colon = field.indexOf(":");
      const key = field.slice(0, colon);
      if (number === 2 && key === QUERY && WHOLE.test(field.slice(colon + 1))) continue;
      if (colon < 1 || !WHOLE.test(key)) throw unlike("index:value", place, field);
      const index = Number(key);
      if (index > limits.U32_MAX) throw unlike(`an index up to ${limits.U32_MAX}`, place, field);
      if (index <= before) throw unlike(`an index above ${before}, the one before it,`, place, field);
      before = index;
      const value = finite(field.slice(colon + 1), `feature ${index}`, place);
      hasValues = true;
      if (index % shard.of !== shard.index) continue;
      checkRoom();
      rows.push(index, value);
    }
  });
  if (rows.documents === 0) {
    const has = source.head.length === 0 ? "is empty" : "has none";
    throw new PolybinError("ERR_INPUT", `expected documents, one per line, but ${name} ${has}`);
  }
  if (!hasValues) {
    throw new PolybinError("ERR_INPUT", `expected features (index:value) but ${name} has labels alone`);
  }
  return { name: source.name, labels: labels.gathered(), features: rows.features() };
}

const BLANKS = /[ \t]+/g;

/** Yields the fields between blanks one by one, since a line may have millions. */
function* fieldsOf(text: string): Generator<string> {
  BLANKS.lastIndex = 0;
  let from = 0;
  for (const { index, 0: blanks } of text.matchAll(BLANKS)) {
    yield text.slice(from, index);
    from = index + blanks.length;
  }
  yield text.slice(from);
}
