import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { type Server, type SiteFile, serve } from "@polybin/testbed/server";
import { buildSite } from "../build/site.ts";

/** Media types of the site's files. */
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".jpg": "image/jpeg",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** A built site, in a folder of its own and on a server. */
export interface ServedSite extends Server {
  readonly folder: string;
}

/** Builds the site and serves it as a host of files does. */
export async function servedSite({ reference }: { readonly reference: boolean }): Promise<ServedSite> {
  const folder = await mkdtemp(join(tmpdir(), "polybin-site-"));
  await buildSite({ reference, to: folder });
  const files = globSync("**/*.*", { cwd: folder }).map((path): [string, SiteFile] => {
    const type = TYPES[extname(path)];
    if (type === undefined) throw new Error(`expected a known media type for ${path}`);
    return [`/${path.replace(/(^|\/)index\.html$/, "$1")}`, { type, body: readFileSync(join(folder, path)) }];
  });
  const server = await serve(Object.fromEntries(files));
  return {
    folder,
    origin: server.origin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
