import type { Case } from "./cases.ts";

/** Defects that are being mended elsewhere, and the cases that meet them. */
export const known = ({ columns, each, via }: Case): boolean =>
  columns.some(({ axis: choice, samples: { type } }) => {
    const { axis } = choice;
    const isLong = type === "i64" || type === "u64";
    if (axis === undefined) {
      const { range = "data" } = choice as { range?: unknown };
      return via === "resident" && isLong && range === "data";
    }
    if (axis.kind !== "circular") return false;
    const period = axis.hi - axis.lo;
    return (isLong && (period > 2 ** 53 || period < 2 ** -900)) || (each === true && type === "f16");
  });
