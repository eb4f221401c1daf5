import { type Lowering, type Plan, SAMPLE_TYPES } from "@polybin/core";

const KINDS = ["raw", "direct", "table", "keys"] as const;
const NONE = new Uint32Array(0);

/** A lowering in the form that native/addon.cc reads. */
export function nativeLowering(lowering: Lowering, { raw, cells }: Plan): Readonly<Record<string, unknown>> {
  const base = { type: SAMPLE_TYPES.indexOf(lowering.type), bins: lowering.bins, flow: lowering.flow };
  if (raw) return { ...base, kind: KINDS.indexOf("raw"), bins: cells, flow: false };
  switch (lowering.kind) {
    case "direct":
      return { ...base, kind: KINDS.indexOf("direct"), start: lowering.start };
    case "table":
      return { ...base, kind: KINDS.indexOf("table"), table: lowering.table };
    case "keys": {
      const { thresholds, thresholdsHigh, last, nanBelow, nanAbove, guess } = lowering;
      return {
        ...base,
        kind: KINDS.indexOf("keys"),
        low: thresholds,
        high: thresholdsHigh ?? NONE,
        last,
        nanBelow,
        nanAbove,
        ...(guess.kind === "linear"
          ? { linear: true, lo: guess.lo, scale: guess.scale, starts: NONE }
          : { linear: false, base: guess.base, shift: guess.shift, starts: guess.starts }),
      };
    }
    case "constant":
      throw new Error("samples of one constant code are not sent to a device");
  }
}
