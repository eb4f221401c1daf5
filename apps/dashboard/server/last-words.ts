import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { SAFE_HEADERS } from "./policy.ts";
import { answerOf, Refusal } from "./refusal.ts";

/** Refuses where Node has no response to write to, because what came is no request, and ends the connection. */
export function sayAndEnd(socket: Socket, refusal: Refusal): void {
  if (socket.writable) {
    const { status, body } = answerOf(refusal);
    const text = JSON.stringify(body);
    const headers = {
      ...SAFE_HEADERS,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      connection: "close",
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${text}`);
  }
  socket.destroySoon();
}

/** What Node's parser or its clock has against a request. */
export function refusalOf({ code, reason }: Error & { code?: string; reason?: string }): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal(408, "ERR_TIMEOUT", "the request did not come");
  if (code === "HPE_HEADER_OVERFLOW") {
    return new Refusal(431, "ERR_TOO_LARGE", "expected a shorter address and shorter headers");
  }
  return new Refusal(400, "ERR_HTTP", `expected HTTP/1.1: ${reason ?? code}`);
}
