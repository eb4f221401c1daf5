import { PolybinError } from "@polybin/core";
import { printable } from "../../base/index.ts";
import type { Source } from "../../input/index.ts";
import type { Watch } from "../../terminal/index.ts";

/** Characters of the longest line. A file with more of them before a line break is not text. */
const LINE_CHARACTERS = 2 ** 28;
const COMMENT = "#";

/** Receives a line without its comment and surrounding white space, and its place, `file:line`. */
export type TakeLine = (text: string, place: string) => void;

/**
 * Passes the lines of a text file to `take`, in memory for one line and one read. Skips lines with nothing but white space
 * and a comment (`# …`).
 * @throws ERR_INPUT for a line that does not end. Any error of `take`.
 */
export async function eachLine(
  source: Source,
  signal: AbortSignal,
  watch: Watch,
  take: TakeLine,
): Promise<void> {
  const name = printable(source.name);
  const decoder = new TextDecoder();
  const total = source.file?.bytes ?? null;
  let [done, number, begunLength] = [0, 0, 0];
  let begun: string[] = [];
  const end = () => {
    number += 1;
    const line = begun.join("");
    const text = (line.includes(COMMENT) ? line.slice(0, line.indexOf(COMMENT)) : line).trim();
    begun = [];
    begunLength = 0;
    if (text !== "") take(text, `${name}:${number}`);
  };
  const add = (text: string) => {
    const parts = text.split("\n");
    for (const [i, part] of parts.entries()) {
      if (i > 0) end();
      begun.push(part);
      begunLength += part.length;
      if (begunLength > LINE_CHARACTERS) {
        throw new PolybinError("ERR_INPUT", `expected lines of text but ${name}:${number + 1} does not end`);
      }
    }
  };
  for await (const chunk of source.stream()) {
    signal.throwIfAborted();
    add(decoder.decode(chunk, { stream: true }));
    done += chunk.length;
    watch({ done, total });
  }
  add(decoder.decode());
  end();
}
