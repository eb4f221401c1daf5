import { PolybinError, type SegmentsInit } from "@polybin/core";
import { parseWhole } from "../base/index.ts";
import { both, refuse } from "../options/index.ts";

/** The options of `polybin hist` that cut samples into segments, and those that do not go with them. */
export interface CuttingOptions {
  readonly every?: string;
  readonly tiles?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly explain?: boolean;
  readonly svg?: string;
  readonly png?: string;
}

/** Reads --every or --tiles. Null if neither is given. @throws ERR_INPUT, also for outputs that show no matrix of counts */
export function parseSegments(options: CuttingOptions): SegmentsInit | null {
  const { every, tiles, json, csv, explain } = options;
  if (every === undefined && tiles === undefined) return null;
  const name = every === undefined ? "--tiles" : "--every";
  if (every !== undefined && tiles !== undefined) throw both("--every", "--tiles");
  refuse(options, name, ["svg", "png"]);
  if (!json && !csv && !explain) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --json or --csv with ${name}, since a chart shows one histogram`,
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
