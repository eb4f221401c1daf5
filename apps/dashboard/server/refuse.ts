import type { IncomingMessage, ServerResponse } from "node:http";
import { answerOf } from "./refusal.ts";

/** Sends an error. The connection ends without waiting for the rest of a body. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, body } = answerOf(error);
  if (!request.complete) {
    response.setHeader("connection", "close");
    response.on("finish", () => request.destroy());
    // Discards the body until then. Node does not notice that a client has left while data stay unread.
    request.resume();
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
