import type { Data } from "./samples.ts";
import type { Over, Step } from "./step.ts";

/** Returns simpler forms of a step, the simplest first. Each of them leaves out or shortens one part. */
export function* simplerOf(step: Step): Generator<Step> {
  if (step.kind === "together") {
    if (step.steps.length === 1) yield step.steps[0]!;
    for (const i of step.steps.keys()) yield { ...step, steps: step.steps.toSpliced(i, 1) };
    return;
  }
  for (const name of ["how", "select", "weights"] as const) {
    if (name in step && (step as Record<string, unknown>)[name] !== null)
      yield { ...step, [name]: null } as Step;
  }
  if ("select" in step && step.select !== null) {
    for (const name of ["mask", "where", "by"] as const) {
      if (step.select[name] !== null) yield { ...step, select: { ...step.select, [name]: null } } as Step;
    }
  }
  if ("prepared" in step && step.prepared) yield { ...step, prepared: false };
  if ("aborted" in step && step.aborted) yield { ...step, aborted: false };
  if (step.kind === "counter") {
    const { inputs } = step;
    if (inputs.length > 1) for (const i of inputs.keys()) yield { ...step, inputs: inputs.toSpliced(i, 1) };
    for (const [i, data] of inputs.entries()) {
      for (const simpler of simplerData(data)) {
        if (simpler.channels === data.channels) yield { ...step, inputs: inputs.with(i, simpler) };
      }
    }
  }
  if ("columns" in step) {
    if (step.columns.length > 2) {
      for (const i of step.columns.keys()) yield { ...step, columns: step.columns.toSpliced(i, 1) };
    }
    const sizes = [0, 1, 8, 64].filter((n) => n < step.columns[0]!.data.pixels);
    for (const pixels of sizes) {
      yield { ...step, columns: step.columns.map((one) => ({ ...one, data: { ...one.data, pixels } })) };
    }
    if (step.columns.some(({ data }) => data.picture !== null)) {
      yield {
        ...step,
        columns: step.columns.map((one) => ({ ...one, data: { ...one.data, picture: null } })),
      };
    }
  }
  if ("data" in step) {
    for (const data of simplerData(step.data)) {
      const channel = "channel" in step ? { channel: Math.min(step.channel, data.channels - 1) } : {};
      if (step.kind === "histograms" && data.channels !== step.data.channels) continue;
      yield { ...step, ...channel, data } as Step;
    }
  }
  if ("over" in step && !Array.isArray(step.over)) {
    const over = step.over as Over;
    if ("axis" in over && over.anew) yield { ...step, over: { ...over, anew: false } } as Step;
  }
}

function* simplerData(data: Data): Generator<Data> {
  for (const pixels of [0, 1, 8, 64]) if (pixels < data.pixels) yield { ...data, pixels };
  if (data.picture !== null) yield { ...data, picture: null };
  if (data.form !== "array") yield { ...data, form: "array" };
  if (data.channels > 1) yield { ...data, channels: 1 };
}
