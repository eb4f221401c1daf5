import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { PolybinError } from "@polybin/core";

/** Where plots go. */
export interface Targets {
  readonly svg?: string | undefined;
  readonly png?: string | undefined;
}

/** @throws ERR_INPUT when a plot would overwrite the input or the other plot. */
export async function checkTargets(input: string, { svg, png }: Targets): Promise<void> {
  if (svg !== undefined && png !== undefined && resolve(svg) === resolve(png)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected different files for --svg and --png but received ${svg} twice`,
    );
  }
  for (const [name, target] of [
    ["--svg", svg],
    ["--png", png],
  ] as const) {
    if (target === undefined) continue;
    if (target === "") throw new PolybinError("ERR_INPUT", `expected a file for ${name} but received ""`);
    if (input !== "-" && (await sameFile(input, target))) {
      throw new PolybinError("ERR_INPUT", `expected another file for ${name}: ${target} is the input itself`);
    }
  }
}

/** By inode, so that links and other spellings of a path are seen through. */
async function sameFile(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all(
    [a, b].map((path) => stat(path, { bigint: true }).catch(() => null)),
  );
  return left != null && right != null && left.ino === right.ino && left.dev === right.dev;
}
