import type { Progress } from "@polybin/core";
import { printable } from "./output/words.ts";

/** Told now and then how far the work is. */
export type Watch = (progress: Progress) => void;

const EVERY_MS = 100;
/** Work that ends sooner shows nothing. */
const FIRST_MS = 500;

/** A line on stderr while work goes on, where stderr is a terminal; else nothing at all. */
export function progressLine(name: string): { readonly watch: Watch; readonly clear: () => void } {
  if (!process.stderr.isTTY) return { watch: () => {}, clear: () => {} };
  let next = performance.now() + FIRST_MS;
  let shown = false;
  return {
    watch: ({ done, total }) => {
      const now = performance.now();
      if (now < next) return;
      next = now + EVERY_MS;
      shown = true;
      const part = total
        ? `${Math.floor((100 * done) / total)}%`
        : `${(done / 1e6).toFixed(0)} million samples`;
      process.stderr.write(`\r\u001b[K${printable(name)}: ${part}`);
    },
    clear: () => {
      if (shown) process.stderr.write("\r\u001b[K");
      shown = false;
    },
  };
}
