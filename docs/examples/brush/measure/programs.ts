// The same page by other means, on the page's own thread: the first histograms of both columns, and the counts under a brush.
import crossfilter from "crossfilter2";
import { bin } from "d3-array";
import type { Brush, Method } from "../src/brushing.ts";
import type { Columns, Scale } from "../src/columns.ts";
import { openSource } from "../src/open.ts";

export interface Program {
  /** The first histograms, from columns in memory. */
  open(columns: Columns): Promise<void> | void;
  /** The counts of the second column under a brush. */
  brush(brush: Brush): Promise<ArrayLike<number>> | ArrayLike<number>;
}

const edgesOf = ({ lo, hi, bins }: Scale): number[] =>
  Array.from({ length: bins + 1 }, (_, i) => lo + (i * (hi - lo)) / bins);

function d3(): Program {
  let columns: Columns;
  const binOf = (scale: Scale) =>
    bin<number, number>().domain([scale.lo, scale.hi]).thresholds(edgesOf(scale).slice(1, -1));
  return {
    open(given) {
      columns = given;
      binOf(columns.brushed)(columns.brushed.values);
      binOf(columns.shown)(columns.shown.values);
    },
    brush({ lo, hi }) {
      const x = columns.brushed.values;
      const rows = columns.shown.values.filter((_, row) => x[row]! >= lo && x[row]! < hi);
      return binOf(columns.shown)(rows).map((bin) => bin.length);
    },
  };
}

function filter(): Program {
  let counts: (brush: Brush) => ArrayLike<number>;
  return {
    open({ brushed, shown }) {
      const [x, y] = [brushed.values, shown.values];
      const width = (shown.hi - shown.lo) / shown.bins;
      counts = ({ lo, hi }) => {
        const found = new Uint32Array(shown.bins);
        for (let row = 0; row < x.length; row++) {
          if (!(x[row]! >= lo && x[row]! < hi)) continue;
          const bin = Math.floor((y[row]! - shown.lo) / width);
          if (bin >= 0 && bin < shown.bins) found[bin]!++;
        }
        return found;
      };
      const first = new Uint32Array(brushed.bins);
      const bins = brushed.bins / (brushed.hi - brushed.lo);
      for (const value of x) {
        const bin = Math.floor((value - brushed.lo) * bins);
        if (bin >= 0 && bin < brushed.bins) first[bin]!++;
      }
      counts(brushed);
    },
    brush: (brush) => counts(brush),
  };
}

function crossfilter2(): Program {
  let counts: () => ArrayLike<number>;
  let select: (range: [number, number]) => void;
  return {
    open({ brushed, shown }) {
      const rows = crossfilter(Array.from(brushed.values.keys()));
      const x = rows.dimension((row) => brushed.values[row]!);
      const y = rows.dimension((row) => shown.values[row]!);
      const groupOf = ({ lo, hi, bins }: Scale) => {
        const width = (hi - lo) / bins;
        return (value: number) => Math.min(bins, Math.max(-1, Math.floor((value - lo) / width)));
      };
      x.group(groupOf(brushed)).all();
      const group = y.group(groupOf(shown));
      select = (range) => x.filterRange(range);
      counts = () => {
        const found = new Float64Array(shown.bins);
        for (const { key, value } of group.all())
          if ((key as number) in found) found[key as number] = value as number;
        return found;
      };
      counts();
    },
    brush({ lo, hi }) {
      select([lo, hi]);
      return counts();
    },
  };
}

function polybin(method: Method): Program {
  let source: Awaited<ReturnType<typeof openSource>>;
  return {
    async open(columns) {
      source = await openSource(columns, false);
    },
    async brush(brush) {
      return (await source.worker.select(brush, method)).counts;
    },
  };
}

export const PROGRAMS: Readonly<Record<string, () => Program>> = {
  "polybin, joint histogram": () => polybin("joint"),
  "polybin, every row": () => polybin("rows"),
  "a loop over typed arrays": filter,
  crossfilter2,
  "d3.bin and filter": d3,
};
