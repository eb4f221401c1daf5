import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { PolybinError } from "@polybin/core";

/** One file of the page. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
}

/** The page's files by address. A request's path is looked up here and never opened. */
export type Assets = ReadonlyMap<string, Asset>;

/** Content types of the page's files by extension. */
export const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** The built page, next to the built server. */
const PAGE: URL = new URL("../page/", import.meta.url);

/**
 * Reads the whole page, a few megabytes, into memory. Marks its root element, so that the page knows it has a server.
 * @throws ERR_UNAVAILABLE if the page was not built.
 */
export function pageAssets(folder: URL = PAGE): Assets {
  const assets = new Map<string, Asset>();
  let entries: string[];
  try {
    entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch (error) {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      "the page of the dashboard was not built; `npm run build` builds it",
      {
        cause: error,
      },
    );
  }
  for (const entry of entries) {
    const type = TYPES[extname(entry)];
    if (type === undefined) continue;
    const body = readFileSync(new URL(entry.replaceAll("\\", "/"), folder));
    assets.set(`/${entry.replaceAll("\\", "/")}`, { type, body });
  }
  const home = assets.get("/index.html");
  if (home === undefined) {
    throw new PolybinError("ERR_UNAVAILABLE", "the page of the dashboard has no index.html");
  }
  const text = home.body.toString("utf8").replace('data-server="none"', 'data-server="here"');
  const served = { ...home, body: Buffer.from(text) };
  return assets.set("/", served).set("/index.html", served);
}
