import { type Axis, edgesOf, isClosed, isSameAxis, kindOf, type OrderedAxis } from "../axis/index.ts";
import { clip, PolybinError } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { Grid } from "./grid.ts";

/** The properties that decide where edges lie. */
interface Edged {
  readonly axis: Axis;
  readonly type: SampleType;
}

/** @throws ERR_AXIS unless both have as many axes, of the same kinds with the same edges. */
export function checkSameAxes(a: Grid, b: Grid): void {
  const [first, second] = [edged(a), edged(b)];
  const fits = first.length === second.length && first.every((one, k) => hasSameBins(one, second[k]!));
  if (fits) return;
  const apart = first.length === second.length ? first.map((one, k) => toldApart(one, second[k]!)) : null;
  const texts = [first, second].map((axes, i) =>
    axes.map((axis, k) => apart?.[k]?.[i] ?? describe(axis)).join(" x "),
  );
  const what = first.length === 1 && second.length === 1 ? "axis" : "axes";
  throw new PolybinError(
    "ERR_AXIS",
    `expected the same ${what} for both histograms but received ${texts.join(" and ")}`,
  );
}

function edged({ axes, types }: Grid): Edged[] {
  return axes.map((axis, k) => ({ axis, type: types[k]! }));
}

/** Returns true for axes of the same kind with the same bins. */
function hasSameBins(a: Edged, b: Edged): boolean {
  if (a.axis === b.axis && a.type === b.type) return true;
  if (a.axis.type !== b.axis.type) return false;
  if (kindOf(a.axis) !== undefined) return isSameAxis(a.axis, b.axis);
  if (isClosed(a.axis as OrderedAxis) !== isClosed(b.axis as OrderedAxis)) return false;
  return sameNumbers(edgesOf(a.axis, a.type), edgesOf(b.axis, b.type));
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Describes an axis, for messages. */
function describe({ axis, type }: Edged): string {
  const bins = `${axis.type} with ${axis.bins} bins`;
  if (axis.type === "category") return `${bins} (${clip(axis.values.join(", "))})`;
  const edges = edgesOf(axis, type);
  const isOpen = axis.type === "integer" || (axis as { readonly closed?: boolean }).closed === false;
  return `${bins} over [${edges[0]}, ${edges[axis.bins]}${isOpen ? ")" : "]"}`;
}

/** Describes two axes that differ. If one text fits both, it has the first value or edge that differs. */
function toldApart(a: Edged, b: Edged): [string, string] {
  const [first, second] = [describe(a), describe(b)];
  if (first !== second || hasSameBins(a, b)) return [first, second];
  const [x, y] = [a, b].map(({ axis, type }): readonly unknown[] =>
    axis.type === "category" ? axis.values : [...edgesOf(axis, type)],
  );
  const at = x!.findIndex((value, i) => value !== y![i]);
  if (at < 0)
    return [`${first} with code ${firstCodeOf(a)} first`, `${second} with code ${firstCodeOf(b)} first`];
  const what = a.axis.type === "category" ? "value" : "edge";
  return [`${first} with ${what} ${at} ${x![at]}`, `${second} with ${what} ${at} ${y![at]}`];
}

/** The code of the first string of a category axis, which differs if the axes were sliced differently. */
function firstCodeOf({ axis }: Edged): number {
  return (axis.type === "category" && axis.firstCode) || 0;
}
