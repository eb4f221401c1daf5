import type { ServerResponse } from "node:http";
import { SAFE_HEADERS } from "./policy.ts";
import { answerOf } from "./refusal.ts";

/** What happens in a job, one JSON object a line. */
export type Tell = (event: Readonly<Record<string, unknown>> & { readonly event: string }) => void;

/** Answers with lines as the work goes on. An error after the first line is the last line. */
export async function answerInLines(
  response: ServerResponse,
  work: (tell: Tell) => Promise<void>,
): Promise<void> {
  response.writeHead(200, { ...SAFE_HEADERS, "content-type": "application/x-ndjson" });
  const tell: Tell = (event) => response.write(`${JSON.stringify(event)}\n`);
  try {
    await work(tell);
    tell({ event: "done" });
  } catch (error) {
    if (!response.destroyed) tell({ event: "error", ...answerOf(error).body.error });
  }
  response.end();
}
