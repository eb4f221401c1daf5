import type { Measured } from "../measured.ts";
import type { Compared } from "../sides.ts";
import { hardware } from "./hardware.ts";
import { large, printed } from "./methods.ts";
import type { Page } from "./page.ts";
import { story } from "./story.ts";
import { today } from "./today.ts";

/** Writes the story of a report. Every number and every verdict is computed from the papers' numbers and ours. */
export function pageOf(figures: readonly Compared[], backends: readonly [Measured, ...Measured[]]): Page {
  return {
    title: "The papers, then and now",
    lead: [
      "polybin implements every method of five papers and texts on histograms, from 2009 to 2012 and later. This page says what today's hardware made of their numbers and statements.",
      "`npm start -- papers` generates the page from result files. No number and no verdict is written by hand.",
    ],
    sections: [
      hardware(backends),
      printed(figures, backends),
      large(backends),
      ...story(figures),
      today(figures, backends),
    ],
  };
}
