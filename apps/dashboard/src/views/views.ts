import { calls } from "./calls.ts";
import { ceiling } from "./ceiling.ts";
import { cell } from "./cell.ts";
import { distributions } from "./distributions.ts";
import { files } from "./files.ts";
import { bench, picture } from "./live.ts";
import { papers } from "./papers.ts";
import { peers } from "./peers.ts";
import { sweep } from "./sweep.ts";
import { throughput } from "./throughput.ts";
import type { View } from "./view.ts";
import { weighted } from "./weighted.ts";

/** All views, in the order of their links. The live ones contain the library and are loaded on demand. */
export const VIEWS: readonly View[] = [
  throughput,
  distributions,
  ceiling,
  peers,
  calls,
  sweep,
  weighted,
  papers,
  cell,
  files,
  picture,
  bench,
];
