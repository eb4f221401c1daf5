import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** Host names under which a browser may open the page. */
const NAMES: readonly string[] = ["127.0.0.1", "localhost"];

/**
 * Refuses an address that dots, escapes or a host of its own turn into another address.
 * @throws Refusal 404
 */
export function checkAddress(url = ""): void {
  const path = url.split("?", 1)[0]!;
  const isPlain = path.startsWith("/") && !path.includes("%");
  if (isPlain && URL.parse(`http://${NAMES[0]}${path}`)?.pathname === path) return;
  throw new Refusal(
    404,
    "ERR_NOT_FOUND",
    "expected the address of a file or of the interface but received another one",
  );
}

/**
 * Accepts requests of this server's own page only. Host reveals a foreign name that resolves to the loopback address
 * (DNS rebinding), and Origin reveals a page of another site. Requests that change nothing need no Origin, because a
 * browser sends none when somebody types the address.
 * @throws Refusal 421 for another host, 403 for another origin.
 */
export function checkCaller(
  { method, headers, headersDistinct }: Pick<IncomingMessage, "method" | "headers" | "headersDistinct">,
  port: number,
): void {
  // Browsers omit the default port of HTTP.
  const short = (address = "") => (port === 80 ? address.replace(/:80$/, "") : address);
  const hosts = NAMES.map((name) => short(`${name}:${port}`));
  const host = short(headersDistinct.host?.[0]);
  // Of several Host headers Node passes on the first.
  if (headersDistinct.host?.length !== 1 || !hosts.includes(host)) {
    throw new Refusal(421, "ERR_HOST", `expected ${hosts.join(" or ")} for Host`);
  }
  const { origin } = headers;
  if (origin === undefined && (method === "GET" || method === "HEAD")) return;
  if (short(origin) !== `http://${host}`) {
    throw new Refusal(403, "ERR_ORIGIN", "expected the page of this server for Origin");
  }
}
