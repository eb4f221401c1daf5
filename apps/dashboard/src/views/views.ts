import type { View } from "../show/index.ts";
import { calls } from "./calls.ts";
import { ceiling } from "./ceiling.ts";
import { cell } from "./cell.ts";
import { distributions } from "./distributions.ts";
import { files } from "./files.ts";
import { bench, picture } from "./live.ts";
import { overview } from "./overview.ts";
import { papers } from "./papers.ts";
import { peers } from "./peers.ts";
import { roofline } from "./roofline.ts";
import { sweep } from "./sweep.ts";
import { throughput } from "./throughput.ts";
import { weighted } from "./weighted.ts";

/** Views behind one link of the page. */
export interface Group {
  readonly title: string;
  /** The first one opens. */
  readonly views: readonly View[];
}

/** The links of the page, in order. The live views contain the library and are loaded on demand. */
export const GROUPS: readonly Group[] = [
  { title: "Overview", views: [overview] },
  {
    title: "Explore",
    views: [throughput, distributions, ceiling, roofline, peers, calls, sweep, weighted, cell, files],
  },
  { title: "Papers", views: [papers] },
  { title: "Try it", views: [picture, bench] },
];

export const VIEWS: readonly View[] = GROUPS.flatMap(({ views }) => views);
