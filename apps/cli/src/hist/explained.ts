import { edgesOf } from "@polybin/core/backend";
import { wrapAnsi } from "fast-wrap-ansi";
import { printable } from "../base/index.ts";
import { axisJson, titleOf } from "../output/index.ts";
import { stdoutPage } from "../terminal/index.ts";
import type { Explained } from "./explain.ts";

/** Lines for a person: the input and its bins, the backend and device, the plan, and the device's own part. */
export function toExplanation({ input, channels, explanation }: Explained): string {
  const { axes, text } = explanation;
  const axis = axes[0]!;
  const title = titleOf(input, axis, edgesOf(axis, input.type));
  const names = input.kind === "image" ? [`channels: ${channels.map(({ name }) => name).join(" ")}`] : [];
  const lines = [title, ...names, ...text.split("\n").map(printable)];
  const { width } = stdoutPage();
  return `${lines.map((line) => wrapAnsi(line, width)).join("\n")}\n`;
}

/** One object on one line: the part of a result's `--json` that is known before counting, and the device's part. */
export function explanationJson({ input, explanation }: Explained): string {
  const { backend, device, algorithm, axes, plan, launch } = explanation;
  const axis = axes[0]!;
  const json = JSON.stringify({
    input,
    backend,
    device,
    algorithm,
    axis: axisJson(axis, edgesOf(axis, input.type)),
    plan: { ...plan, samples: input.samples },
    launch,
  });
  return `${printable(json)}\n`;
}
