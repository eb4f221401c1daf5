// Tables in a page: a URL is read by ranges, and only the bytes that a column needs.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, expect, test } from "vitest";
import { openTableInPage } from "../src/page.ts";

const ROWS = 80_000;
const FILE = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      {
        name: "a",
        data: Float64Array.from({ length: ROWS }, (_, i) => Math.sin(i)) as never,
        type: "DOUBLE",
      },
      {
        name: "b",
        data: Float64Array.from({ length: ROWS }, (_, i) => Math.cos(i)) as never,
        type: "DOUBLE",
      },
    ],
  }),
);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function served(answer: Answer): Promise<URL> {
  server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a.parquet`);
}

/** Answers a range of the file, and counts the bytes. */
function ranges(sent: { bytes: number }, etag: () => string = () => '"1"'): Answer {
  return ({ headers }, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range!)!;
    const part = FILE.subarray(Number(from), Number(to) + 1);
    sent.bytes += part.length;
    response
      .writeHead(206, { "content-range": `bytes ${from}-${to}/${FILE.length}`, etag: etag() })
      .end(part);
  };
}

const read = async (url: URL): Promise<number[]> => {
  await using table = await openTableInPage(url, "a.parquet");
  const found: number[] = [];
  for await (const { columns } of table.read({ columns: ["b"] })) {
    const [chunk] = columns;
    if (chunk !== undefined && "values" in chunk) for (const value of chunk.values) found.push(Number(value));
  }
  return found;
};

test("a column at a URL takes its own bytes only", async () => {
  const sent = { bytes: 0 };
  const url = await served(ranges(sent));
  expect(await read(url)).toEqual(Array.from({ length: ROWS }, (_, i) => Math.cos(i)));
  expect(sent.bytes).toBeLessThan(0.6 * FILE.length);
});

test("a server without ranges, without the file or without an answer is named, and so is a file that changes", async () => {
  const failure = (url: URL): Promise<string> => read(url).then(String, (error: Error) => error.message);
  expect(await failure(await served((_, response) => response.writeHead(200).end(FILE)))).toMatch(
    /^a\.parquet: expected a server that answers ranges of bytes but it answered 200 .*; download the file/,
  );
  server!.close();
  expect(await failure(await served((_, response) => response.writeHead(404).end()))).toMatch(
    /^a\.parquet: expected a file that can be fetched but the server answered 404/,
  );
  server!.close();
  expect(await failure(new URL("http://127.0.0.1:1/a.parquet"))).toMatch(
    /^a\.parquet: expected a file that can be fetched but /,
  );
  let version = 0;
  const changing = await served(ranges({ bytes: 0 }, () => `"${version++}"`));
  expect(await failure(changing)).toMatch(/it changed while it was read; open it again$/);
});
