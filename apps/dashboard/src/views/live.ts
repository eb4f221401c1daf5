import type { View } from "./view.ts";

const modules = {
  picture: () => import("../live/picture.ts"),
  bench: () => import("../live/bench.ts"),
};

/** Loads the live views ahead, while their server is there. What fails here fails again, and is said, when it is asked for. */
export function loadAhead(): void {
  for (const load of Object.values(modules)) load().catch(() => {});
}

/** A browser remembers that a module could not be loaded, so asking again is of no use. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((cause: Error) => {
    throw new Error(`${cause.message}. Load the whole page again when it can be reached.`, { cause });
  });
}

/** A picture of the reader's own on every backend. Loaded when it is asked for: it brings the library along. */
export const picture: View = {
  id: "picture",
  title: "Your picture",
  about:
    "Histograms of a picture of yours from every backend that works: in this page, and through the local server.",
  reads: "nothing",
  basis: null,
  render: async (context) => (await loaded(modules.picture)).picture(context),
};

/** One benchmark, run now. */
export const bench: View = {
  id: "bench",
  title: "Run one",
  about:
    "One cell, measured now on this machine by the local server. Every round is compared with the exact counts.",
  reads: "nothing",
  basis: null,
  render: async (context) => (await loaded(modules.bench)).bench(context),
};
