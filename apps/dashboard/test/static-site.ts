import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { TYPES } from "../server/assets.ts";

/** The built site. */
export const DIST: URL = new URL("../dist/page/", import.meta.url);

export interface StaticSite extends AsyncDisposable {
  readonly origin: string;
}

/** The built playground. */
export const PLAYGROUND: URL = new URL("../dist/playground/", import.meta.url);

/** Serves a built site as any host of files would: below a folder, without headers, and without a server of ours. */
export async function staticSite(folder: URL = DIST): Promise<StaticSite> {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => extname(path) in TYPES)
      .map((path) => [`/polybin/${path}`, readFileSync(new URL(path, folder))]),
  );
  const server = createServer(({ url = "" }, response) => {
    const path = url === "/polybin/" ? "/polybin/index.html" : url;
    const body = files.get(path);
    if (body === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": TYPES[extname(path)]! }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/polybin/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
