import type { Bench } from "../bench.ts";
import { algorithms } from "./algorithms.ts";
import { cub } from "./cub.ts";
import { devices } from "./devices.ts";
import { figure6 } from "./figure6.ts";
import { headline } from "./headline.ts";
import { table1 } from "./table1.ts";
import { transfer } from "./transfer.ts";
import { trish } from "./trish.ts";
import { types } from "./types.ts";

/** What `run bench` can measure, by name. */
export const SUITES: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  headline,
  types,
  cub,
  trish,
  figure6,
  algorithms,
  transfer,
  devices,
  table1,
};
