import type { IncomingMessage, ServerResponse } from "node:http";
import { answerOf } from "./refusal.ts";

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
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
