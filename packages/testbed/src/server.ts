import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The content of a path of a site. */
export interface SiteFile {
  /** Its media type, such as "text/html". */
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** A site by its paths, such as "/". */
export type SiteFiles = Readonly<Record<string, SiteFile>>;

export interface Server extends AsyncDisposable {
  /** "http://127.0.0.1:…". Browsers trust it like https, so WebGPU is available. */
  readonly origin: string;
}

/** Serves files on the loopback interface, cross-origin isolated so that pages have shared memory. */
export async function serve(files: SiteFiles, port = 0): Promise<Server> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? "/", "http://site").pathname];
    if (file === undefined) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": file.type.startsWith("text/") ? `${file.type}; charset=utf-8` : file.type,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "cache-control": "no-store",
    });
    return response.end(file.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
