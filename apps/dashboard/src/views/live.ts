import { html } from "lit-html";
import type { View } from "../show/index.ts";
import { LIVE } from "../try/index.ts";

/** Loads the live views ahead, while their server runs. A failure here occurs and shows again when a reader opens the view. */
export function loadAhead(): void {
  LIVE.compare().catch(() => {});
  LIVE.playground().then(
    (playground) => playground.loadAhead(),
    () => {},
  );
}

/** A browser remembers that a module could not be loaded, so a second attempt cannot succeed. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((cause: Error) => {
    throw new Error(`${cause.message}. Reload the whole page when the server is back.`, { cause });
  });
}

/** The playground stays when the reader visits another view, with its picture. */
let playground: HTMLElement | null = null;

/** The reader's own picture, column or camera. Loaded on demand, because it contains the library. */
export const picture: View = {
  id: "try/picture",
  title: "Your picture",
  about: "Exact histograms of your own picture, table, numbers or camera.",
  reads: "nothing",
  basis: null,
  render: async () => {
    const { mountPlayground } = await loaded(LIVE.playground);
    if (playground === null) {
      playground = document.createElement("div");
      await mountPlayground(playground);
    }
    return html`${playground}`;
  },
};

/** Two benchmarks that run now. */
export const bench: View = {
  id: "try/compare",
  title: "Compare",
  question: "Which of two jobs is faster on this machine, and by how much?",
  about:
    "The local server measures one job after the other on this machine, and checks every round against exact counts. Two more rounds come first and do not count. A job is a whole call, from bytes to counts.",
  reads: "nothing",
  basis: null,
  render: async (context) => (await loaded(LIVE.compare)).compare(context),
};
