import { PolybinError, type SegmentsInit } from "@polybin/core";
import { parseWhole } from "./numbers.ts";
import type { HistOptions } from "./request.ts";

/** --every or --tiles; null where neither is given. @throws ERR_INPUT, also for what a matrix of counts is not printed as */
export function parseSegments({
  every,
  tiles,
  json,
  csv,
  explain,
  svg,
  png,
}: HistOptions): SegmentsInit | null {
  if (every === undefined && tiles === undefined) return null;
  const name = every === undefined ? "--tiles" : "--every";
  if (every !== undefined && tiles !== undefined) throw both("--every", "--tiles");
  if (svg !== undefined) throw both(name, "--svg");
  if (png !== undefined) throw both(name, "--png");
  if (!json && !csv && !explain) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --json or --csv beside ${name}: many histograms make no chart`,
    );
  }
  if (every !== undefined) return { every: parseWhole(every, "--every", 1, Number.MAX_SAFE_INTEGER) };
  const [width, height, ...more] = tiles!.split("x");
  if (height === undefined || more.length > 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected WxH, such as 64x64, for --tiles but received ${JSON.stringify(tiles)}`,
    );
  }
  const side = (text: string): number => parseWhole(text, "--tiles", 1, Number.MAX_SAFE_INTEGER);
  return { tiles: { width: side(width!), height: side(height) } };
}

function both(one: string, other: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected either ${one} or ${other} but received both`);
}
