import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** Names of this machine that a page of this server may be opened under. */
const NAMES: readonly string[] = ["127.0.0.1", "localhost"];

/**
 * Sees to it that an address stands for itself: none that dots, escapes or a host of its own make another one.
 * @throws Refusal 404
 */
export function checkAddress(url = ""): void {
  const path = url.split("?", 1)[0]!;
  const isPlain = path.startsWith("/") && !path.includes("%");
  if (isPlain && URL.parse(`http://${NAMES[0]}${path}`)?.pathname === path) return;
  throw new Refusal(404, "ERR_NOT_FOUND", "there is nothing at this address");
}

/**
 * Lets only pages of this server through. A foreign name that was made to lead to the loopback address (DNS rebinding)
 * shows in Host, and a page of another site in Origin. What changes nothing may come without an Origin, as a browser
 * sends it when somebody types the address.
 * @throws Refusal 421 for another host, 403 for another origin.
 */
export function checkCaller(
  { method, headers, headersDistinct }: Pick<IncomingMessage, "method" | "headers" | "headersDistinct">,
  port: number,
): void {
  // Browsers leave out the port that http has of itself.
  const short = (address = "") => (port === 80 ? address.replace(/:80$/, "") : address);
  const hosts = NAMES.map((name) => short(`${name}:${port}`));
  const host = short(headersDistinct.host?.[0]);
  // Node hands on the first of several.
  if (headersDistinct.host?.length !== 1 || !hosts.includes(host)) {
    throw new Refusal(421, "ERR_HOST", `expected ${hosts.join(" or ")} for Host`);
  }
  const { origin } = headers;
  if (origin === undefined && (method === "GET" || method === "HEAD")) return;
  if (short(origin) !== `http://${host}`) {
    throw new Refusal(403, "ERR_ORIGIN", "expected the page of this server for Origin");
  }
}
