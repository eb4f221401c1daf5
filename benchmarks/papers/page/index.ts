import type { Measured, Source } from "../measured.ts";
import type { Compared } from "../sides.ts";
import { elsewhere } from "./elsewhere.ts";
import { future } from "./future.ts";
import { hardware } from "./hardware.ts";
import { large } from "./large.ts";
import type { Page } from "./page.ts";
import { printed } from "./printed.ts";
import { question } from "./question.ts";
import { short } from "./short.ts";
import { story } from "./story.ts";
import { tally } from "./tally.ts";
import { today } from "./today.ts";

/**
 * Writes the story of a report. Every number and every verdict is computed from the papers' numbers and ours.
 * @param second files of a second kind of GPU
 */
export function pageOf(
  figures: readonly Compared[],
  backends: readonly [Measured, ...Measured[]],
  second: readonly Source[] = [],
): Page {
  const first = [
    short(figures, backends),
    tally(figures),
    printed(figures, backends),
    story(figures),
    today(backends),
  ];
  const others = second.length === 0 ? null : elsewhere(backends[0].sources, second);
  const below = [
    large(backends),
    ...(others === null ? [] : [others]),
    future(backends[0]),
    question(figures),
  ];
  // The hardware is that of the files which everything else has read.
  const sections = [...first, ...below, hardware(backends)];
  return {
    title: "The papers, then and now",
    lead: [
      "Polybin implements the histogram methods of five publications. Their numbers are mostly from a GPU of 2010. This page puts them and their statements next to the same methods on today's hardware.",
      "`npm start -- papers` generates the page from result files. Every number and every verdict is computed.",
    ],
    story: first.length,
    sections,
  };
}
