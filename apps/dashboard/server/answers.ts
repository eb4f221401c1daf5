import type { IncomingMessage, ServerResponse } from "node:http";
import { SAFE_HEADERS } from "./policy.ts";
import { answerOf } from "./refusal.ts";

/** Answers with one JSON object. */
export function json(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...SAFE_HEADERS,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** Says what is wrong. A body that is still on its way is not waited for: the connection ends. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, body } = answerOf(error);
  if (!request.complete) {
    response.setHeader("connection", "close");
    response.on("finish", () => request.destroy());
    // Until then it is thrown away: behind what is not read, Node would not notice that the client has gone.
    request.resume();
  }
  json(response, status, body);
}
