import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { SAFE_HEADERS } from "./policy.ts";
import { answerOf, Refusal } from "./refusal.ts";

/** Sends a refusal on a connection for which Node has no response object, because no request arrived, and ends it. */
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

/** Turns an error of Node's parser or timer into a refusal. */
export function refusalOf({ code, reason }: Error & { code?: string; reason?: string }): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new Refusal(408, "ERR_TIMEOUT", "expected the whole request in time but it did not arrive");
  if (code === "HPE_HEADER_OVERFLOW") {
    return new Refusal(431, "ERR_TOO_LARGE", "expected a shorter address and shorter headers");
  }
  return new Refusal(400, "ERR_HTTP", `expected HTTP/1.1: ${reason ?? code}`);
}
