import { PolybinError } from "../base/index.ts";
import { type AnyHistogram, Histogram as Counted } from "./histogram.ts";
import type { AnyJointHistogram } from "./joint/joint-histogram.ts";
import { jointOf } from "./joint/reading.ts";
import { meansOf } from "./mean-histogram.ts";
import { isCount, isRecord, record } from "./uhi/json.ts";
import { type Reading, readJointUhi, readUhi } from "./uhi/read.ts";
import { weightedOf } from "./weighted-reading.ts";

/**
 * The class with its reader. Bundlers drop the reader from a program that only counts. This name differs from that of the
 * class, which a bundler would otherwise rename.
 */
export const ReadableHistogram: typeof Counted = /* @__PURE__ */ readable();
export type ReadableHistogram = Counted;

function readable(): typeof Counted {
  Counted.fromJSON = (json) => histogramOf(readUhi(json)) as ReturnType<typeof Counted.fromJSON<typeof json>>;
  return Counted;
}

/**
 * Reads an object of named histograms, the top level of a file in UHI's schema. They may have any number of axes.
 * @throws as `Histogram.fromJSON` and `JointHistogram.fromJSON` do.
 */
export function histogramsFromJSON(json: unknown): Record<string, AnyHistogram | AnyJointHistogram> {
  const named = record(json, "histograms");
  if (typeof named.uhi_schema === "number") {
    throw new PolybinError(
      "ERR_INPUT",
      "expected an object of named histograms but received a single histogram: use Histogram.fromJSON",
    );
  }
  return Object.fromEntries(
    Object.entries(named).map(([name, one]) => [
      name,
      hasOtherAxes(one) ? jointOf(readJointUhi(one, `${name}.`)) : histogramOf(readUhi(one, `${name}.`)),
    ]),
  );
}

function hasOtherAxes(json: unknown): boolean {
  return isRecord(json) && Array.isArray(json.axes) && json.axes.length !== 1;
}

function histogramOf(reading: Reading): AnyHistogram {
  const { type, rows, axis, samples, nan, own, carried } = reading;
  if (type === "mean" || type === "weighted_mean") return meansOf(reading);
  const values = rows.values!;
  if (type === "weighted" || (type === "double" && !areCounts(reading, values))) {
    return weightedOf(reading);
  }
  const { bins } = axis;
  const counts = {
    counts: values.slice(1, bins + 1),
    underflow: isCount(own.underflow) ? own.underflow : values[0]!,
    overflow: values[bins + 1]!,
    nan,
    masked: isCount(own.masked) ? own.masked : 0,
  };
  return new Counted(axis, samples, counts, null, carried);
}

/**
 * The default storage of boost-histogram and hist holds counts as doubles. They record whether weights were used, and
 * polybin records whether the numbers are sums.
 */
function areCounts({ own, carried }: Reading, values: Float64Array): boolean {
  const weighted = own.weighted === true || carried.histogram.metadata._variance_known === false;
  return !weighted && values.every(isCount);
}
