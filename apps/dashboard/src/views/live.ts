import type { View } from "./view.ts";

const modules = {
  picture: () => import("../live/picture.ts"),
  bench: () => import("../live/bench.ts"),
};

/** Loads the live views ahead, while their server runs. A failure here occurs and shows again when a reader opens the view. */
export function loadAhead(): void {
  for (const load of Object.values(modules)) load().catch(() => {});
}

/** A browser remembers that a module could not be loaded, so a second attempt cannot succeed. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((cause: Error) => {
    throw new Error(`${cause.message}. Reload the whole page when the server is back.`, { cause });
  });
}

/** The reader's own picture on every backend. Loaded on demand, because it contains the library. */
export const picture: View = {
  id: "try/picture",
  title: "Your picture",
  about:
    "Histograms of your own picture from every backend that works, in this page and on the local server.",
  reads: "nothing",
  basis: null,
  render: async (context) => (await loaded(modules.picture)).picture(context),
};

/** One benchmark that runs now. */
export const bench: View = {
  id: "try/compare",
  title: "Compare",
  about:
    "The local server measures one cell on this machine now. It compares every round with the exact counts.",
  reads: "nothing",
  basis: null,
  render: async (context) => (await loaded(modules.bench)).bench(context),
};
