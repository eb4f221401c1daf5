import { PolybinError } from "@polybin/core";
import { type Allow, checkUrl } from "./allow.ts";
import { seekableSource } from "./bytes.ts";
import { PassingFailure, retried } from "./retry.ts";
import type { ByteSource } from "./source.ts";
import { streamSource } from "./stream.ts";

/** How a URL is read. */
export interface HttpSettings {
  readonly allow: Allow | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

/** The server and the file that requests are sent to. */
interface Target {
  /** Without a user and a password. */
  readonly url: URL;
  /** The name in messages. */
  readonly name: string;
  readonly settings: HttpSettings;
}

/** Bytes per request of a stream. A request takes a round trip, so pieces are larger than those of a file. */
const PIECE_BYTES = 8_388_608;
const MAX_REDIRECTS = 5;
/** Answers that may be better the next time. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** The headers that identify the content of a URL: it must stay the same from the first request to the last one. */
interface Content {
  readonly size: number;
  /** A strong ETag, or null. */
  readonly etag: string | null;
  readonly modified: string | null;
}

/**
 * Opens a URL. If the server answers ranges, any bytes can be read, and every answer is checked against the first one. If
 * not, the content can be streamed once. The user and the password of a URL are sent as basic authorization, unless
 * `headers` have an authorization. Redirections to another origin do not receive them.
 * @throws ERR_INPUT if the server refuses, or fails more often than `retries`.
 */
export async function httpSource(given: URL, name: string, options: HttpSettings): Promise<ByteSource> {
  const target = withCredentials(given, name, options);
  const { retries, signal } = options;
  // It frees the connection of a body that nobody reads, which would keep the process alive.
  const unread = new AbortController();
  const either = signal === undefined ? unread.signal : AbortSignal.any([signal, unread.signal]);
  const response = await retried(name, retries, signal, () =>
    request(target, { range: "bytes=0-0" }, either),
  );
  if (response.status === 416) {
    await response.body?.cancel();
    if (totalOf(response) !== 0) throw unexpected(name, response);
    return seekableSource({ name, size: 0, read: async () => new Uint8Array(0), close: async () => {} });
  }
  if (response.status === 200) {
    return streamSource(checkedBody(name, response), name, () => unread.abort());
  }
  if (response.status !== 206) {
    await response.body?.cancel();
    throw unexpected(name, response);
  }
  const size = totalOf(response);
  await response.body?.cancel();
  if (size === null)
    throw new PolybinError(
      "ERR_INPUT",
      `${name}: expected the size of the content in Content-Range but received ${response.headers.get("content-range")}`,
    );
  const content: Content = { size, ...identityOf(response) };
  return seekableSource({
    name,
    size,
    version: content.etag ?? content.modified,
    pieceBytes: PIECE_BYTES,
    read: (offset, length, readSignal) =>
      retried(name, retries, readSignal, () => readRange(target, content, offset, length, readSignal)),
    close: async () => {},
  });
}

async function readRange(
  target: Target,
  content: Content,
  offset: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { name } = target;
  const range = {
    range: `bytes=${offset}-${offset + length - 1}`,
    ...(content.etag === null ? {} : { "if-range": content.etag }),
  };
  const response = await request(target, range, signal);
  try {
    checkSame(name, response, content);
    const answered = response.headers.get("content-range");
    if (answered !== `bytes ${offset}-${offset + length - 1}/${content.size}`) {
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected bytes ${offset} to ${offset + length} but the server answered ${answered}`,
      );
    }
    return await bodyOf(name, response, length);
  } finally {
    await response.body?.cancel().catch(() => {});
  }
}

/** @throws ERR_INPUT if an answer is not of the same content as the first one. */
function checkSame(name: string, response: Response, content: Content): void {
  const { etag, modified } = identityOf(response);
  const isSame =
    etag === content.etag &&
    modified === content.modified &&
    (totalOf(response) ?? content.size) === content.size;
  // A server answers a range of other content with all of it (200).
  if (response.status === 200 || response.status === 412 || response.status === 416 || !isSame) {
    throw new PolybinError(
      "ERR_INPUT",
      `${name}: expected the same content in every request but it changed while it was read; open it again`,
    );
  }
  if (response.status !== 206) throw unexpected(name, response);
}

/** Reads a body of exactly this number of bytes. */
async function bodyOf(name: string, response: Response, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  try {
    for await (const piece of response.body ?? []) {
      if (filled + piece.length > length)
        throw new PolybinError("ERR_INPUT", `${name}: expected ${length} bytes but the server sent more`);
      bytes.set(piece, filled);
      filled += piece.length;
    }
  } catch (error) {
    if (error instanceof PolybinError) throw error;
    throw new PassingFailure(`expected ${length} bytes but the connection ended after ${filled}`, {
      cause: error,
    });
  }
  if (filled < length) throw new PassingFailure(`expected ${length} bytes but the server sent ${filled}`);
  return bytes;
}

/** Yields the whole content, and checks its length. */
async function* checkedBody(name: string, response: Response): AsyncGenerator<Uint8Array> {
  const stated = response.headers.get("content-length");
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      yield piece;
    }
  } catch (cause) {
    throw new PolybinError(
      "ERR_INPUT",
      `${name}: expected ${stated ?? "more"} bytes but the connection ended after ${bytes}`,
      { cause },
    );
  }
  if (stated !== null && Number(stated) !== bytes) {
    throw new PolybinError("ERR_INPUT", `${name}: expected ${stated} bytes but the server sent ${bytes}`);
  }
}

/**
 * Sends a request and follows redirections. `allow` must allow each of them. Headers go to the first origin only.
 * @throws PassingFailure for a network that fails or a server that is busy.
 */
async function request(
  { url: first, name, settings: { allow, headers: given } }: Target,
  range: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    checkUrl(url, allow, name);
    const headers = {
      ...(url.origin === first.origin ? given : {}),
      "accept-encoding": "identity",
      ...range,
    };
    const response = await fetch(url, {
      headers,
      redirect: "manual",
      ...(signal === undefined ? {} : { signal }),
    }).catch((cause: unknown) => {
      signal?.throwIfAborted();
      // A failure of the network has a cause. A request that cannot be sent has none, and its message repeats secrets.
      if (!(cause instanceof Error) || cause.cause === undefined) throw unsendable(name);
      throw new PassingFailure(`expected an answer from ${url.host} but ${reasonOf(cause)}`, { cause });
    });
    const { status } = response;
    if (PASSING.has(status)) {
      await response.body?.cancel();
      throw new PassingFailure(`expected content but ${url.host} answered ${status} ${response.statusText}`);
    }
    const encoding = response.headers.get("content-encoding");
    if (encoding !== null && encoding !== "identity") {
      await response.body?.cancel();
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `${name}: expected the content as it is but the server compressed it with ${encoding}`,
      );
    }
    const target = response.headers.get("location");
    if (status < 300 || status > 399 || target === null) return response;
    await response.body?.cancel();
    const next = URL.parse(target, url);
    if (next === null || !/^https?:$/.test(next.protocol))
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected a redirection to http: or https: but received ${target}`,
      );
    next.username = "";
    next.password = "";
    url = next;
  }
  throw new PolybinError("ERR_INPUT", `${name}: expected at most ${MAX_REDIRECTS} redirections`);
}

/** Moves the user and the password of a URL into a header, because fetch refuses such a URL with a message that repeats it. */
function withCredentials(given: URL, name: string, settings: HttpSettings): Target {
  const { username, password } = given;
  if (username === "" && password === "") return { url: given, name, settings };
  const url = new URL(given);
  url.username = "";
  url.password = "";
  let pair: string;
  try {
    pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    throw new PolybinError(
      "ERR_INPUT",
      `${name}: expected a user and a password with % followed by two hexadecimal digits; write % as %25`,
    );
  }
  const isGiven = Object.keys(settings.headers).some((header) => header.toLowerCase() === "authorization");
  if (isGiven) return { url, name, settings };
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  return { url, name, settings: { ...settings, headers: { ...settings.headers, authorization } } };
}

const unsendable = (name: string): PolybinError =>
  new PolybinError(
    "ERR_INPUT",
    `${name}: expected a URL and headers that HTTP can send but they have other characters, or a name of a header is wrong`,
  );

function identityOf({ headers }: Response): Omit<Content, "size"> {
  const etag = headers.get("etag");
  // A weak ETag says only that the content means the same.
  return { etag: etag?.startsWith('"') ? etag : null, modified: headers.get("last-modified") };
}

/** Returns the size in a Content-Range, or null without one. */
function totalOf({ headers }: Response): number | null {
  const total = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  return total === undefined ? null : Number(total);
}

const unexpected = (name: string, { status, statusText }: Response): PolybinError =>
  new PolybinError("ERR_INPUT", `${name}: expected content but the server answered ${status} ${statusText}`);

/** The reason why fetch failed, which lies in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
