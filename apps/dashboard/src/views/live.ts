import type { View } from "./view.ts";

/** A picture of the reader's own on every backend. Loaded when it is asked for: it brings the library along. */
export const picture: View = {
  id: "picture",
  title: "Your picture",
  about:
    "Histograms of a picture of yours from every backend that works: in this page, and through the local server.",
  reads: false,
  render: async (context) => (await import("../live/picture.ts")).picture(context),
};

/** One benchmark, run now. */
export const bench: View = {
  id: "bench",
  title: "Run one",
  about:
    "One cell, measured now on this machine by the local server. Every round is compared with the exact counts.",
  reads: false,
  render: async (context) => (await import("../live/bench.ts")).bench(context),
};
