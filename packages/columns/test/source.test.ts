import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type ByteSource, openSource, openTable } from "../src/index.ts";
import { cells } from "./tables.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-source-"));
const data = Uint8Array.from({ length: 5000 }, (_, i) => (i * 31) % 251);
writeFileSync(join(folder, "data.bin"), data);

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The range that a request asks for. */
function rangeOf({ headers }: IncomingMessage): [number, number] {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  return [Number(from), Number(to) + 1];
}

/** Answers a range as a good server does. */
function range(request: IncomingMessage, response: ServerResponse, bytes = data, etag = '"1"'): void {
  const [from, to] = rangeOf(request);
  if (request.headers["if-range"] !== undefined && request.headers["if-range"] !== etag) {
    response.writeHead(200, { etag }).end(bytes);
    return;
  }
  const part = bytes.subarray(from, to);
  response
    .writeHead(206, { "content-range": `bytes ${from}-${from + part.length - 1}/${bytes.length}`, etag })
    .end(part);
}

async function all(source: ByteSource): Promise<number[]> {
  const pieces: number[] = [];
  for await (const piece of source.stream()) pieces.push(...piece);
  return pieces;
}

describe("sources of all kinds", () => {
  async function* stream() {
    yield data.subarray(0, 10);
    yield data.subarray(10);
  }

  it("of a file are of one state: a file that is written to meanwhile is refused", async () => {
    const path = join(folder, "written.csv");
    writeFileSync(path, "a\n1\n2\n");
    for (const text of ["a\n3\n2\n", "a\n1\n2\n3\n"]) {
      await using source = await openSource(path);
      await source.read(0, 2);
      // Two writes within a tick of the clock have one time of change.
      writeFileSync(path, text);
      utimesSync(path, 1, text.length);
      await expect(source.read(2, 2)).rejects.toMatchObject({
        code: "ERR_INPUT",
        message: expect.stringMatching(
          /same content in every read but it (was written to|had 6 bytes and has 8 now)/,
        ),
      });
    }
  });

  it("have the same bytes", async () => {
    const url = await serve(range);
    const path = join(folder, "data.bin");
    const places = [
      path,
      pathToFileURL(path),
      pathToFileURL(path).href,
      data,
      data.slice().buffer,
      new Blob([data]),
      `${url}/data.bin`,
    ];
    for (const place of places) {
      await using source = await openSource(place);
      expect(source.size).toBe(data.length);
      expect(source.seekable).toBe(true);
      expect([...(await source.read(4000, 1000))]).toEqual([...data.subarray(4000)]);
      expect(await source.read(5000, 0)).toHaveLength(0);
      expect(await source.peek(9000)).toHaveLength(5000);
      expect(await all(source)).toEqual([...data]);
      await expect(source.read(4000, 1001)).rejects.toMatchObject({ code: "ERR_INPUT" });
      await expect(source.read(-1, 1)).rejects.toMatchObject({ code: "ERR_INPUT" });
      const reading = source.read(0, 1).then(
        () => "read",
        ({ message }) => message,
      );
      await source.close();
      expect(await reading).toMatch(/^read$|closed/);
      await expect(source.read(0, 1)).rejects.toThrow("closed");
    }
  });

  it("are streams that can be peeked at, and read once", async () => {
    await using source = await openSource(stream());
    expect(source.size).toBeNull();
    expect([...(await source.peek(12))]).toEqual([...data.subarray(0, 12)]);
    expect(await source.peek(3)).toHaveLength(3);
    expect(await all(source)).toEqual([...data]);
    await expect(all(source)).rejects.toThrow("save it");
    await expect(source.read(0, 1)).rejects.toThrow("save it");
  });

  it("include standard input", () => {
    const script = `import { openTable } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      let rows = 0;
      await using table = await openTable("-", { format: "csv" });
      for await (const batch of table.read()) rows += batch.rows;
      console.log(table.name, rows);`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      input: "a\n1\n2\n",
      encoding: "utf8",
    });
    expect(out).toBe("standard input 2\n");
  });

  it.skipIf(process.platform === "win32")(
    "include a pipe, which closing without reading leaves whole",
    () => {
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      // Opening a pipe waits for its other end, so another process writes to it.
      const writer = spawn(process.execPath, [
        "-e",
        `require("node:fs").writeFileSync(${JSON.stringify(pipe)}, "a\\n1\\n2\\n")`,
      ]);
      const script = `import { openSource, openTable } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      await (await openSource(${JSON.stringify(pipe)})).close();
      globalThis.gc();
      let rows = 0;
      await using table = await openTable(${JSON.stringify(pipe)}, { format: "csv" });
      for await (const batch of table.read()) rows += batch.rows;
      globalThis.gc();
      console.log(rows);`;
      try {
        const args = ["--expose-gc", "--input-type=module", "-e", script];
        const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 });
        expect([stdout, stderr]).toEqual(["2\n", ""]);
      } finally {
        writer.kill();
      }
    },
  );

  it("refuse what does not exist, or is no place", async () => {
    await expect(openSource(join(folder, "none.csv"))).rejects.toThrow(
      /none.csv: expected a readable file but there is none/,
    );
    await expect(openSource(folder)).rejects.toThrow("folder");
    await expect(openSource("ftp://example.org/a.csv")).rejects.toMatchObject({ code: "ERR_UNSUPPORTED" });
    for (const place of [
      "file://other/a.csv",
      "http://",
      "http://[",
      "s3://bucket/%zz",
      "s3://",
      "a\0b",
      "file:///a%00b",
    ]) {
      await expect(openSource(place), place).rejects.toMatchObject({ code: "ERR_INPUT" });
    }
    await expect(openSource(folder, { allow: ["http://["] })).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(openSource(5 as never)).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(openSource(data, { nam: "x" } as never)).rejects.toThrow("did you mean name");
    await expect(openSource(data, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );
  });
});

describe("allow", () => {
  mkdirSync(join(folder, "inside/deep"), { recursive: true });
  mkdirSync(join(folder, "insider"));
  writeFileSync(join(folder, "inside/deep/a.csv"), "a\n1\n");
  writeFileSync(join(folder, "insider/a.csv"), "a\n1\n");
  symlinkSync(join(folder, "data.bin"), join(folder, "inside/link"));
  symlinkSync(join(folder, "insider"), join(folder, "inside/folder"));
  const allow = [join(folder, "inside")];

  it("opens files in its folders", async () => {
    for (const path of ["inside/deep/a.csv", "inside/deep/../deep/a.csv", "insider/../inside/deep/a.csv"]) {
      await using source = await openSource(`${folder}/${path}`, { allow });
      expect(source.size).toBe(4);
    }
    await using source = await openSource(pathToFileURL(join(folder, "inside/deep/a.csv")), { allow });
    expect(source.size).toBe(4);
  });

  it.each([
    "inside/link",
    "inside/folder/a.csv",
    "inside/../insider/a.csv",
    "inside/deep/../../data.bin",
    "insider/a.csv",
    "data.bin",
    "inside/none",
    "none",
  ])("refuses %s", async (path) => {
    await expect(openSource(`${folder}/${path}`, { allow })).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(
      openSource(`file://${folder}/${path.replaceAll("..", "%2e%2e")}`, { allow }),
    ).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("refuses schemes, hosts, paths and redirections that it does not name", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/public/away") response.writeHead(302, { location: "/private/a" }).end();
      else if (request.url === "/public/near") response.writeHead(302, { location: "/public/a" }).end();
      else range(request, response);
    });
    const open = (place: string, ...allowed: string[]) =>
      openSource(place, { allow: allowed }).then((source) => source.size);
    expect(await open(`${url}/public/a`, "http:")).toBe(5000);
    expect(await open(`${url}/public/a`, `${url}/public`)).toBe(5000);
    expect(await open(`${url}/public/near`, `${url}/public/`)).toBe(5000);
    const refused: [string, ...string[]][] = [
      [`${url}/public/away`, `${url}/public`],
      [`${url}/publicity`, `${url}/public`],
      [`${url}/public/../private/a`, `${url}/public`],
      [`${url}/public/%2e%2e/private/a`, `${url}/public`],
      [`${url}/public/%2E%2E%2fprivate`, `${url}/public`],
      [`${url}/a`, "https:"],
      [`${url}/a`, folder],
      [`${url}/a`],
      ["s3://bucket/key", "http:"],
      ["s3://bucket/key", "s3://bucket/other/"],
      ["-", "http:"],
    ];
    for (const [place, ...allowed] of refused) {
      await expect(open(place, ...allowed), place).rejects.toMatchObject({ code: "ERR_INPUT" });
    }
    await expect(openSource(data, { allow })).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(openSource("a", { allow: "a" as never })).rejects.toMatchObject({ code: "ERR_INPUT" });
  });
});

describe("HTTP", () => {
  it("sends the user and the password of a URL as basic authorization, to its origin only", async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere = await serve((request, response) => {
      seen.push(request.headers.authorization);
      range(request, response);
    });
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === "/away")
        response.writeHead(302, { location: elsewhere.replace("//", "//u:other@") }).end();
      else range(request, response);
    });
    const basic = `Basic ${Buffer.from("us er:s@cret").toString("base64")}`;
    const secret = url.replace("//", "//us%20er:s%40cret@");
    for (const place of [`${secret}/a?sig=abc`, `${secret}/away`]) {
      await using source = await openSource(place);
      expect(source.name).not.toMatch(/cret|abc/);
      expect(source.size).toBe(5000);
    }
    await using own = await openSource(secret, { headers: { Authorization: "Bearer x" } });
    expect(own.size).toBe(5000);
    expect(seen).toEqual([basic, basic, undefined, "Bearer x"]);
  });

  it("repeats no secret in an error, and repeats no request that cannot be sent", async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests++;
      response.writeHead(503).end();
    });
    const secret = `${url.replace("//", "//user:hidden@")}/x?sig=hidden`;
    const messages: string[] = [];
    for (const [place, headers] of [
      [secret, {}],
      [secret.replace("user", "%zz"), {}],
      [secret, { authorization: "hidden\nx" }],
      [secret, { authorization: "hidden\u2026" }],
    ] as const) {
      const error = await openSource(place, { retries: 0, headers }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "ERR_INPUT" });
      messages.push(inspect(error, { depth: 9 }));
    }
    expect(messages.filter((message) => message.includes("hidden"))).toEqual([]);
    expect(messages.map((message) => /after 1 attempts/.test(message))).toEqual([true, false, false, false]);
    expect(requests).toBe(1);
  });

  it("without ranges is a stream", async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-length": data.length }).end(data),
    );
    await using source = await openSource(url);
    expect([source.seekable, source.size]).toEqual([false, null]);
    expect(await all(source)).toEqual([...data]);
  });

  it("without ranges ends its connection when it is closed without being read", async () => {
    let ended = () => {};
    const gone = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const url = await serve((_, response) => {
      response.on("close", ended);
      response.writeHead(200).write(data);
    });
    const source = await openSource(url);
    await source.close();
    await gone;
    await expect(all(source)).rejects.toThrow("closed");
  });

  it("without ranges that ends early is an error", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-length": data.length }).write(data.subarray(0, 100));
      setTimeout(() => response.destroy(), 20);
    });
    await using source = await openSource(url);
    await expect(all(source)).rejects.toThrow(/expected 5000 bytes but the connection ended after 100/);
  });

  it("of an empty file is empty", async () => {
    const url = await serve((_, response) => response.writeHead(416, { "content-range": "bytes */0" }).end());
    await using source = await openSource(url);
    expect([source.size, await all(source)]).toEqual([0, []]);
  });

  it("that changes is an error: another ETag, size, or all of it", async () => {
    const answers: ((request: IncomingMessage, response: ServerResponse) => void)[] = [
      (request, response) => range(request, response, data, '"2"'),
      (request, response) => {
        delete request.headers["if-range"];
        range(request, response, data, '"2"');
      },
      (request, response) => range(request, response, data.subarray(0, 4990)),
      (_, response) => response.writeHead(412).end(),
      (_, response) => response.writeHead(416, { "content-range": "bytes */10" }).end(),
    ];
    for (const changed of answers) {
      let requests = 0;
      const url = await serve((request, response) => (++requests < 3 ? range : changed)(request, response));
      await using source = await openSource(url);
      await source.read(0, 100);
      await expect(source.read(100, 100)).rejects.toThrow(/changed while it was read/);
      expect(requests).toBe(3);
    }
  });

  it("with wrong lengths and ranges is an error", async () => {
    const answers: [(from: number, response: ServerResponse) => void, RegExp][] = [
      [
        (from, response) =>
          response
            .writeHead(206, { "content-range": `bytes ${from + 1}-${from + 100}/5000`, etag: '"1"' })
            .end(data.subarray(0, 100)),
        /the server answered bytes 101-200/,
      ],
      [
        (from, response) =>
          response
            .writeHead(206, { "content-range": `bytes ${from}-${from + 99}/5000`, etag: '"1"' })
            .end(data.subarray(0, 50)),
        /server sent 50, after 2 attempts/,
      ],
      [
        (from, response) =>
          response
            .writeHead(206, { "content-range": `bytes ${from}-${from + 99}/5000`, etag: '"1"' })
            .end(data),
        /server sent more/,
      ],
      [
        (from, response) =>
          response
            .writeHead(206, {
              "content-range": `bytes ${from}-${from + 99}/5000`,
              etag: '"1"',
              "content-encoding": "gzip",
            })
            .end(data),
        /compressed/,
      ],
      [(_, response) => response.writeHead(403).end("no"), /403|changed/],
    ];
    for (const [wrong, message] of answers) {
      const url = await serve((request, response) => {
        const [from] = rangeOf(request);
        if (from === 0) range(request, response);
        else wrong(from, response);
      });
      await using source = await openSource(url, { retries: 1 });
      await expect(source.read(100, 100)).rejects.toThrow(message);
    }
  });

  it("that drops connections or is busy is asked again, a stated number of times", async () => {
    for (const [failures, retries, works] of [
      [2, 2, true],
      [3, 2, false],
      [1, 0, false],
    ] as const) {
      let left = 0;
      let requests = 0;
      const url = await serve((request, response) => {
        requests++;
        if (left-- > 0) {
          if (left % 2) response.writeHead(503).end();
          else {
            response
              .writeHead(206, { "content-range": "bytes 100-199/5000", etag: '"1"', "content-length": 100 })
              .write(data.subarray(100, 150));
            setTimeout(() => response.destroy(), 10);
          }
        } else range(request, response);
      });
      await using source = await openSource(url, { retries });
      [left, requests] = [failures, 0];
      const reading = source.read(100, 100);
      if (works) expect([...(await reading)]).toEqual([...data.subarray(100, 200)]);
      else await expect(reading).rejects.toThrow(new RegExp(`after ${retries + 1} attempts`));
      expect(requests).toBe(works ? failures + 1 : retries + 1);
    }
    await expect(openSource("http://127.0.0.1:1/a", { retries: 0 })).rejects.toMatchObject({
      code: "ERR_INPUT",
    });
    await expect(openSource("http://127.0.0.1:1/a", { retries: -1 })).rejects.toThrow("retries");
  });

  it("ends at an abort, also while the server is silent", async () => {
    const url = await serve((request, response) => {
      if (rangeOf(request)[0] === 0) range(request, response);
    });
    await using source = await openSource(url);
    const abort = new AbortController();
    const reading = source.read(100, 100, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 20);
    await expect(reading).rejects.toThrow("enough");
  });

  it("refuses loops of redirections, other protocols and missing files", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/none") response.writeHead(404).end();
      else
        response.writeHead(302, { location: request.url === "/file" ? "file:///etc/passwd" : "/loop" }).end();
    });
    await expect(openSource(`${url}/loop`)).rejects.toThrow("at most 5 redirections");
    await expect(openSource(`${url}/file`)).rejects.toThrow("http: or https:");
    await expect(openSource(`${url}/none`)).rejects.toThrow("404");
  });

  it("receives headers on its own origin only, and messages hide passwords and queries", async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      range(request, response);
    });
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: `${other}/a` }).end();
    });
    await using source = await openSource(`${url}/a?signature=secret`, {
      headers: { authorization: "Bearer x" },
    });
    expect(seen).toEqual(["Bearer x", undefined]);
    expect(source.name).toBe(`${url}/a`);
  });

  it("is the place of tables, read by parts", async () => {
    const text = Buffer.from(`a,b\n${Array.from({ length: 400 }, (_, i) => `${i},${i / 8}\n`).join("")}`);
    let requests = 0;
    const url = await serve((request, response) => {
      requests++;
      range(request, response, new Uint8Array(text));
    });
    await using table = await openTable(`${url}/rows.csv`, { partBytes: 1024, threads: 0 });
    expect((await cells(table)).b).toEqual(Array.from({ length: 400 }, (_, i) => i / 8));
    const before = requests;
    expect((await cells(table, { parts: [1] })).a!.length).toBeGreaterThan(50);
    expect(requests - before).toBeLessThanOrEqual(2);
  });
});

describe("S3", () => {
  const config = (endpoint: string) => ({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  });

  it("is read by ranges through the official client", async () => {
    const paths = new Set<string>();
    const url = await serve((request, response) => {
      paths.add(`${request.method} ${request.url!.split("?")[0]}`);
      expect(request.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=key/);
      if (request.method === "HEAD")
        response.writeHead(200, { "content-length": data.length, etag: '"1"' }).end();
      else {
        expect(request.headers["if-match"]).toBe('"1"');
        range(request, response);
      }
    });
    await using source = await openSource("s3://bucket/folder/a%20b.bin", {
      s3: config(url),
      allow: ["s3://bucket/folder/"],
    });
    expect(source.size).toBe(5000);
    expect([...(await source.read(100, 50))]).toEqual([...data.subarray(100, 150)]);
    expect(await all(source)).toEqual([...data]);
    expect([...paths].sort()).toEqual(["GET /bucket/folder/a%20b.bin", "HEAD /bucket/folder/a%20b.bin"]);
  });

  it("refuses objects that are missing or change, and tries dropped connections again", async () => {
    let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
      response.writeHead(404).end();
    const url = await serve((request, response) => {
      if (request.method === "HEAD" && !request.url!.includes("none"))
        response.writeHead(200, { "content-length": data.length, etag: '"1"' }).end();
      else answer(request, response);
    });
    const open = (place: string) => openSource(place, { s3: config(url), retries: 1 });
    await expect(open("s3://bucket/none")).rejects.toThrow(/but there is none/);
    await expect(open("s3://bucket")).rejects.toThrow("s3://bucket/key");
    await using source = await open("s3://bucket/a");
    answer = (_, response) => response.writeHead(412).end();
    await expect(source.read(0, 10)).rejects.toThrow(/changed while it was read/);
    let drops = 1;
    answer = (request, response) => {
      if (drops-- <= 0) range(request, response);
      else {
        response
          .writeHead(206, { "content-range": "bytes 0-99/5000", etag: '"1"', "content-length": 100 })
          .write(data.subarray(0, 50));
        setTimeout(() => response.destroy(), 10);
      }
    };
    expect([...(await source.read(0, 100))]).toEqual([...data.subarray(0, 100)]);
    drops = 9;
    await expect(source.read(0, 100)).rejects.toThrow(/after 2 attempts/);
  });
});
