import { PolybinError } from "@polybin/core";
import { seekableSource } from "./bytes.ts";
import type { ByteSource } from "./source.ts";

/**
 * Opens a URL in a page, and reads only the bytes that are asked for. A server of another origin must allow the page to read
 * it (CORS) with the headers Range and Content-Range.
 * @throws ERR_INPUT if the server refuses, cannot be reached or answers no ranges.
 */
export async function urlInPage(url: URL, name: string): Promise<ByteSource> {
  const first = await ranged(url, name, "bytes=0-0", undefined);
  await first.body?.cancel();
  const size = Number(first.headers.get("content-range")?.split("/")[1] ?? Number.NaN);
  if (first.status !== 206 || !Number.isSafeInteger(size)) {
    throw new PolybinError(
      "ERR_INPUT",
      `${name}: expected a server that answers ranges of bytes but it answered ${first.status} without the size of the file; download the file and open it`,
    );
  }
  const etag = first.headers.get("etag");
  return seekableSource({
    name,
    size,
    read: async (offset, length, signal) => {
      const range = `bytes=${offset}-${offset + length - 1}`;
      const response = await ranged(url, name, range, signal);
      if (response.status !== 206 || response.headers.get("etag") !== etag) {
        await response.body?.cancel();
        throw new PolybinError(
          "ERR_INPUT",
          `${name}: expected the same content in every request but it changed while it was read; open it again`,
        );
      }
      return new Uint8Array(await response.arrayBuffer());
    },
    close: async () => {},
  });
}

async function ranged(
  url: URL,
  name: string,
  range: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await fetch(url, { headers: { range }, ...(signal && { signal }) }).catch(
    (cause: Error) => {
      signal?.throwIfAborted();
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected a file that can be fetched but ${cause.message}`,
        {
          cause,
        },
      );
    },
  );
  if (response.ok) return response;
  await response.body?.cancel();
  throw new PolybinError(
    "ERR_INPUT",
    `${name}: expected a file that can be fetched but the server answered ${response.status} ${response.statusText}`.trimEnd(),
  );
}
