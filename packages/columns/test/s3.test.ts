import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findTables, openTable } from "../src/index.ts";
import { cells } from "./tables.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-s3-"));
afterAll(() => rmSync(folder, { recursive: true }));

const KEYS: Readonly<Record<string, string>> = { own: "secret", web: "of the web" };
const OBJECTS: Readonly<Record<string, string>> = {
  "year=2023/a.csv": "x\n1\n",
  "year=2024/a.csv": "x\n2\n",
  "year=2024/b c+d.csv": "x\n3\n",
  "year=2024/note.txt": "text",
  "year=2024/_SUCCESS": "",
  "year=2024/": "",
};

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whether a request has the signature of version 4 by one of the keys. */
function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d+)\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=(\w+)$/;
  const found = form.exec(headers.authorization ?? "");
  if (found === null) return false;
  const [, key, day, region, signed, signature] = found as unknown as string[];
  const { pathname, search } = new URL(url!, "http://x");
  const query = search.slice(1).split("&").filter(Boolean);
  const canonical = [
    method,
    pathname,
    query
      .map((part) => (part.includes("=") ? part : `${part}=`))
      .sort()
      .join("&"),
    ...signed!.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signed,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash(canonical)].join("\n");
  const sign = (secret: string | Buffer, text: string): Buffer =>
    createHmac("sha256", secret).update(text).digest();
  const secret = [day!, region!, "s3", "aws4_request"].reduce<string | Buffer>(sign, `AWS4${KEYS[key!]}`);
  return sign(secret, toSign).toString("hex") === signature;
}

/** A server of the bucket "data", which must be signed for, and "open", which must not. */
function s3(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, "http://x");
  const [, bucket, ...path] = pathname.split("/");
  const isRight = bucket === "open" ? request.headers.authorization === undefined : isSigned(request);
  if (!isRight) {
    response
      .writeHead(403, { "content-type": "application/xml" })
      .end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
    return;
  }
  if (searchParams.get("list-type") === "2") {
    const prefix = searchParams.get("prefix") ?? "";
    const keys = Object.keys(OBJECTS)
      .filter((key) => key.startsWith(prefix))
      .sort();
    // One object a page.
    const at = Number(searchParams.get("continuation-token") ?? 0);
    const more = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : "";
    const contents = keys[at] === undefined ? "" : `<Contents><Key>${keys[at]}</Key></Contents>`;
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(`<?xml version="1.0"?><ListBucketResult>${contents}${more}</ListBucketResult>`);
    return;
  }
  const text = OBJECTS[decodeURIComponent(path.join("/"))];
  if (text === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [from, to] = /(\d+)-(\d+)/
    .exec(request.headers.range ?? "")
    ?.slice(1)
    .map(Number) ?? [0, text.length - 1];
  const part = text.slice(from, to! + 1);
  response
    .writeHead(request.headers.range === undefined ? 200 : 206, {
      "content-length": part.length,
      etag: '"1"',
      "content-range": `bytes ${from}-${to}/${text.length}`,
    })
    .end(request.method === "HEAD" ? undefined : part);
}

let server: Server;
beforeEach(async () => {
  server = createServer(s3);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) vi.stubEnv(name, undefined);
  // A name of a host, below which no bucket has one.
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("AWS_ENDPOINT_URL_S3", `http://localhost:${port}`);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "none"));
  vi.stubEnv("AWS_CONFIG_FILE", join(folder, "none"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function isRead(place: string): Promise<void> {
  await using table = await openTable(place, { retries: 0 });
  expect((await cells(table)).x).toEqual([2]);
}

describe("objects", () => {
  it("are read with the keys of the environment", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "own");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    await isRead("s3://data/year=2024/a.csv");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wrong");
    await expect(isRead("s3://data/year=2024/a.csv")).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("are read with a profile in files", async () => {
    writeFileSync(
      join(folder, "credentials"),
      "[work]\naws_access_key_id = own\naws_secret_access_key = secret\n",
    );
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "credentials"));
    vi.stubEnv("AWS_PROFILE", "work");
    await isRead("s3://data/year=2024/a.csv");
    // Without its keys, a request would not be signed, and the server's refusal would not say why.
    vi.stubEnv("AWS_PROFILE", "none");
    for (const place of ["s3://open/year=2024/a.csv", "s3://open/"]) {
      await expect(findTables(place).then(([first]) => isRead(first!))).rejects.toMatchObject({
        code: "ERR_INPUT",
        message: expect.stringContaining("CredentialsProviderError"),
      });
    }
    vi.stubEnv("AWS_PROFILE", "work");
    await isRead("s3://data/year=2024/a.csv");
  });

  it("are read with the keys of a container", async () => {
    const metadata = createServer((request, response) => {
      const { authorization } = request.headers;
      const keys = {
        AccessKeyId: "web",
        SecretAccessKey: "of the web",
        Token: "t",
        Expiration: "2099-01-01T00:00:00Z",
      };
      response.writeHead(authorization === "pod" ? 200 : 403).end(JSON.stringify(keys));
    });
    await new Promise<void>((resolve) => metadata.listen(0, "127.0.0.1", resolve));
    const { port } = metadata.address() as AddressInfo;
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `http://127.0.0.1:${port}/keys`);
    vi.stubEnv("AWS_CONTAINER_AUTHORIZATION_TOKEN", "pod");
    await isRead("s3://data/year=2024/a.csv");
    metadata.closeAllConnections();
    await new Promise((resolve) => metadata.close(resolve));
  });

  it("of a public bucket are read without keys", async () => {
    await isRead("s3://open/year=2024/a.csv");
    expect(await findTables("s3://open/year=2023/")).toEqual(["s3://open/year=2023/a.csv"]);
    await expect(isRead("s3://data/year=2024/a.csv")).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("are listed by prefixes and patterns, page by page", async () => {
    const all = ["year=2023/a.csv", "year=2024/a.csv", "year=2024/b%20c%2Bd.csv"].map(
      (key) => `s3://open/${key}`,
    );
    expect(await findTables("s3://open/")).toEqual(all);
    expect(await findTables("s3://open/year=*/*.csv")).toEqual(all);
    expect(await findTables("s3://open/**/a.csv")).toEqual(all.slice(0, 2));
    expect(await findTables(all[2]!)).toEqual([all[2]]);
    await using table = await openTable(all[2]!);
    expect((await cells(table)).x).toEqual([3]);
    await expect(findTables("s3://open/none/")).rejects.toThrow(
      /expected a folder with files that end in .* but found none/,
    );
    await expect(findTables("s3://open/*.parquet")).rejects.toThrow(/files of this pattern but found none/);
    await expect(findTables("s3://open/", { allow: ["s3://data/"] })).rejects.toThrow(/lies outside/);
  });
});
