import { limits, PolybinError } from "@polybin/core";
import { printable } from "../output/words.ts";
import type { Watch } from "../progress.ts";
import { finite, unlike, weight } from "./fields.ts";
import { Growing } from "./growing.ts";
import { eachLine } from "./lines.ts";
import type { Source } from "./source.ts";

/** Documents of a LIBSVM file, feature by feature, as sparse as the file has them. */
export interface Documents {
  readonly name: string;
  /** One a document, as 32-bit floats. */
  readonly labels: Float32Array;
  /** Those that a line names, ascending by index. */
  readonly features: readonly SparseFeature[];
}

/** The values of one feature that are written down; all other documents have 0. */
export interface SparseFeature {
  /** As in the file. */
  readonly index: number;
  /** Which documents have a value, ascending. */
  readonly documents: Uint32Array;
  /** As many values. */
  readonly values: Float64Array;
}

/** A feature while the file is read. */
interface Column {
  readonly documents: Growing<Uint32Array>;
  readonly values: Growing<Float64Array>;
}

const BLANKS = /[ \t]+/;
const WHOLE = /^\d+$/;
const QUERY = "qid";

/**
 * Reads LIBSVM text, a document a line: `label [qid:n] index:value …`, indices ascending, from 0 or from 1. What a line
 * does not name is 0. `#` begins a comment. Takes 12 bytes of memory a value, up to twice that while it grows.
 * @throws ERR_INPUT, with file and line, for anything else; for a file without documents or without values.
 */
export async function readLibsvm(source: Source, signal: AbortSignal, watch: Watch): Promise<Documents> {
  const labels = new Growing(Float32Array);
  const columns = new Map<number, Column>();
  await eachLine(source, signal, watch, (text, place) => {
    const fields = text.split(BLANKS);
    const document = labels.length;
    labels.push(weight(fields[0]!, "a label", place));
    let before = -1;
    for (let i = 1; i < fields.length; i++) {
      const field = fields[i]!;
      const colon = field.indexOf(":");
      const key = field.slice(0, colon);
      if (i === 1 && key === QUERY && WHOLE.test(field.slice(colon + 1))) continue;
      if (colon < 1 || !WHOLE.test(key)) throw unlike("index:value", place, field);
      const index = Number(key);
      if (index > limits.U32_MAX) throw unlike(`an index up to ${limits.U32_MAX}`, place, field);
      if (index <= before) throw unlike(`an index above ${before}, the one before it,`, place, field);
      before = index;
      const value = finite(field.slice(colon + 1), `feature ${index}`, place);
      let column = columns.get(index);
      if (column === undefined) {
        column = { documents: new Growing(Uint32Array), values: new Growing(Float64Array) };
        columns.set(index, column);
      }
      column.documents.push(document);
      column.values.push(value);
    }
  });
  const name = printable(source.name);
  if (labels.length === 0) throw new PolybinError("ERR_INPUT", `expected documents but ${name} has none`);
  if (columns.size === 0) {
    throw new PolybinError("ERR_INPUT", `expected features (index:value) but ${name} has labels alone`);
  }
  const features = [...columns].sort(([a], [b]) => a - b);
  return {
    name: source.name,
    labels: labels.values,
    features: features.map(([index, { documents, values }]) => ({
      index,
      documents: documents.values,
      values: values.values,
    })),
  };
}
