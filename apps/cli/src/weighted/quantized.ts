import { type FeatureTableInit, indices, quantiles } from "@polybin/core";
import { limits, rowBytes, type ValueType } from "@polybin/core/backend";
import type { Documents } from "./input/libsvm.ts";
import type { SparseFeature } from "./input/sparse.ts";

/** The most bytes of a table. More features come in several tables, so that memory stays bounded. */
const TABLE_BYTES = 2 ** 28;
/** The most features of a table. Each takes some kB while its sums are added up, whatever its number of documents. */
const TABLE_FEATURES = 2 ** 12;

/** A feature cut into bins. */
export interface CutFeature {
  /** The index in the file. */
  readonly index: number;
  /** bins + 1 ascending edges. The last bin also holds its right edge. */
  readonly edges: readonly number[];
}

/** Some features as a table: the number of each document's bin. */
export interface CutTable {
  readonly features: readonly CutFeature[];
  readonly init: FeatureTableInit;
}

/**
 * Cuts each feature into at most `bins` bins by its quantiles over all documents. Each table is made when the caller asks
 * for it.
 */
export function* tablesOf(
  { labels, features }: Documents,
  bins: number,
  tableBytes: number = TABLE_BYTES,
  tableFeatures: number = TABLE_FEATURES,
): Generator<CutTable> {
  const documents = labels.length;
  const type = typeFor(bins);
  const row = rowBytes(type, documents);
  const fitting = Math.min(tableBytes / row, tableFeatures, limits.MAX_SUMS_BINS / bins);
  const most = Math.max(1, Math.floor(fitting));
  for (let first = 0; first < features.length; first += most) {
    const some = Math.min(most, features.length - first);
    const bytes = new Uint8Array(some * row);
    const cut = Array.from({ length: some }, (_, i) =>
      cutInto(bytes.subarray(i * row, (i + 1) * row), type, features.at(first + i), documents, bins),
    );
    yield {
      features: cut,
      init: {
        values: type === "u16" ? new Uint16Array(bytes.buffer) : bytes,
        type,
        features: some,
        documents,
        // A table has features of two bins at least. If all values are equal, the second bin stays empty.
        bins: cut.map(({ edges }) => Math.max(limits.FEATURE_BINS_MIN, edges.length - 1)),
        // Each table is used once.
        keepCounts: false,
      },
    };
  }
}

/** The most bins that a feature can have: no more than it has different values. @param values those that the file names */
export function binsAtMost(values: number, documents: number, bins: number): number {
  return Math.min(bins, values < documents ? values + 1 : values);
}

function typeFor(bins: number): ValueType {
  return bins <= limits.NIBBLE_VALUES ? "u4" : bins <= limits.BYTE_VALUES ? "u8" : "u16";
}

/** Fills a feature's row of the table with the bin of 0, then sets the documents that have a value. */
function cutInto(
  row: Uint8Array,
  type: ValueType,
  { index, documents: which, values }: SparseFeature,
  documents: number,
  bins: number,
): CutFeature {
  const zeros = documents - which.length;
  const axis = quantiles(bins, values, zeros);
  const zero = zeros > 0 ? indices(axis, [0])[0]! : 0;
  const found = indices(axis, values);
  if (type === "u4") {
    row.fill(zero | (zero << 4));
    for (const [i, document] of which.entries()) {
      const [at, shift] = [document >>> 1, 4 * (document & 1)];
      row[at] = (row[at]! & ~(15 << shift)) | (found[i]! << shift);
    }
  } else {
    const out = type === "u8" ? row : new Uint16Array(row.buffer, row.byteOffset, documents);
    out.fill(zero);
    for (const [i, document] of which.entries()) out[document] = found[i]!;
  }
  return { index, edges: axis.edges };
}
