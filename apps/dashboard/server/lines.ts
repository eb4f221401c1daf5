import type { Context } from "hono";
import { answerOf } from "./refusal.ts";

/** Reports an event of a job, one JSON object per line. */
export type Tell = (event: Readonly<Record<string, unknown>> & { readonly event: string }) => void;

/**
 * Answers with lines while the work goes on. The work decides when the answer begins. An error before that rejects, and
 * can still set the status. A later error is the last line.
 */
export function inLines(c: Context, work: (begin: () => Tell) => Promise<void>): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const encoder = new TextEncoder();
  let out: ReadableStreamDefaultController<Uint8Array> | null = null;
  // A client that has left receives no more lines. The request's signal stops its work.
  let gone = false;
  const tell: Tell = (event) => {
    if (!gone) out?.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
  };
  const begin = () => {
    const lines = new ReadableStream<Uint8Array>({
      start: (controller) => {
        out = controller;
      },
      cancel: () => {
        gone = true;
      },
    });
    resolve(c.body(lines, 200, { "content-type": "application/x-ndjson" }));
    return tell;
  };
  const done = async () => {
    try {
      await work(begin);
      tell({ event: "done" });
    } catch (error) {
      if (out === null) return reject(error);
      tell({ event: "error", ...answerOf(error).body.error });
    }
    if (!gone) out?.close();
  };
  void done();
  return promise;
}
