import { edgesOf } from "@polybin/core/backend";
import type { Explained } from "../explain.ts";
import { titleOf } from "./title.ts";
import { printable } from "./words.ts";

/** Lines for a person: the input and its bins, then backend and device, the plan, and the device's own part. */
export function toExplanation({ input, channels, explanation }: Explained): string {
  const { axis, text } = explanation;
  const title = titleOf(input, axis, edgesOf(axis, input.type));
  const names = input.kind === "image" ? [`channels: ${channels.map(({ name }) => name).join(" ")}`] : [];
  return `${[title, ...names, ...text.split("\n").map(printable)].join("\n")}\n`;
}

/** One object on one line: of what `--json` prints of a result, what is known before counting, and the device's part. */
export function explanationJson({ input, explanation }: Explained): string {
  const { backend, device, algorithm, axis, plan, launch } = explanation;
  const json = JSON.stringify({
    input,
    backend,
    device,
    algorithm,
    axis: { type: axis.type, bins: axis.bins, edges: [...edgesOf(axis, input.type)] },
    plan: { ...plan, samples: input.samples },
    launch,
  });
  return `${printable(json)}\n`;
}
