import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type Server, serve } from "@polybin/testbed/server";
import { DIST, ROOT } from "../build/paths.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves the built site as a host of files does. */
export function serveSite(): Promise<Server> {
  const dist = join(ROOT, DIST);
  const files = globSync("**/*.*", { cwd: dist }).flatMap((path) => {
    const type = TYPES[extname(path)];
    if (type === undefined) return [];
    const file = { type, body: readFileSync(join(dist, path)) };
    const address = `/${path}`;
    return [
      [address, file],
      ...(address.endsWith("/index.html") ? [[address.slice(0, -"index.html".length), file]] : []),
    ] as [string, typeof file][];
  });
  return serve(Object.fromEntries(files));
}
