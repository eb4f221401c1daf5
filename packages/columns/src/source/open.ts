import { resolve } from "node:path";
import { stdin } from "node:process";
import { PolybinError } from "@polybin/core";
import { checkNames, checkObject, expected, loadedOnce, type Where } from "@polybin/core/backend";
import { type Allow, allowedPath, checkAllow, checkUrl, SCHEME } from "./allow.ts";
import { memorySource } from "./bytes.ts";
import { fileSource } from "./file.ts";
import { type Listed, listFiles, type Matcher } from "./list.ts";
import { localPath, pathOf } from "./many.ts";
import { checkedRetries } from "./retry.ts";
import type { ByteSource } from "./source.ts";
import { streamSource } from "./stream.ts";

/**
 * A place that bytes come from: a path, a URL (`file:`, `http:`, `https:`, `s3:`) as text or as an object, "-" for
 * standard input, bytes in memory, a Blob, or a stream of bytes.
 */
export type Location =
  | string
  | Where<"URL", URL>
  | Uint8Array
  | ArrayBuffer
  | SharedArrayBuffer
  | Where<"Blob", Blob>
  | AsyncIterable<Uint8Array>;

/** Options of `openSource`. */
export interface SourceOptions {
  /** The places that may be opened. Default: all. */
  readonly allow?: Allow | undefined;
  /** Name of bytes and streams in messages. Default: "bytes" or "stream". */
  readonly name?: string | undefined;
  /** Headers of requests over HTTP, such as authorization. Redirections to another origin do not receive them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Times that a read over a network is repeated after a failure that may pass. Default: 3. */
  readonly retries?: number | undefined;
  /** Configuration of the official S3 client: `endpoint`, `region`, `credentials` … Default: that of the environment. */
  readonly s3?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const http = loadedOnce(() => import("./http.ts"));
const s3Sources = loadedOnce(() => import("./s3.ts"));

/** One object, by which the settings of the environment are found once. */
const NO_S3: Readonly<Record<string, unknown>> = {};

/** Names of the options of a source. */
export const SOURCE_OPTIONS: readonly (keyof SourceOptions)[] = [
  "allow",
  "name",
  "headers",
  "retries",
  "s3",
  "signal",
];

/**
 * Opens a place that bytes come from.
 * @throws ERR_INPUT if it does not exist, cannot be read, or lies outside `allow`.
 * @throws ERR_UNSUPPORTED for an unknown scheme.
 */
export async function openSource(location: Location, options: SourceOptions = {}): Promise<ByteSource> {
  checkNames(options, SOURCE_OPTIONS);
  const { allow, headers = {}, s3 = NO_S3, signal } = options;
  checkAllow(allow);
  checkObject(headers, { of: "headers" });
  checkObject(s3, { of: "s3" });
  const retries = checkedRetries(options.retries);
  signal?.throwIfAborted();
  if (typeof location !== "string" && !(location instanceof URL)) return openValue(location, options);
  const text = String(location);
  if (text === "-") {
    if (allow !== undefined && !allow.includes("-"))
      throw expected("ERR_INPUT", "a place", 'one that allow names ("-" is standard input)', text);
    return streamSource(stdin, options.name ?? "standard input");
  }
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  const name = options.name ?? (scheme === undefined ? text : withoutPassword(text));
  if (scheme === undefined) return fileSource(await allowedPath(resolve(text), allow, name), name);
  const url = URL.parse(text);
  if (scheme === "file") {
    const path = url === null ? null : pathOf(url);
    if (path === null)
      throw new PolybinError("ERR_INPUT", `${name}: expected a file: URL of a file on this machine`);
    return fileSource(await allowedPath(path, allow, name), name);
  }
  if (url === null) throw new PolybinError("ERR_INPUT", `${name}: expected a URL but it has no valid form`);
  if (scheme === "http" || scheme === "https") {
    const { httpSource } = await http();
    return httpSource(url, name, { allow, headers, retries, signal });
  }
  if (scheme === "s3") {
    checkUrl(url, allow, name);
    const { s3Source } = await s3Sources();
    return s3Source(url, name, { config: s3, retries, signal });
  }
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${name}: expected a path or a URL of file:, http:, https: or s3: but received ${scheme}:`,
  );
}

/** Lists the files of a folder, a prefix or a pattern. @throws ERR_INPUT if the place lies outside `allow` */
export async function listPlaces(
  place: string,
  options: Pick<SourceOptions, "allow" | "s3" | "signal">,
  matcher: Matcher,
): Promise<Listed> {
  const { allow, s3 = NO_S3, signal } = options;
  checkAllow(allow);
  checkObject(s3, { of: "s3" });
  const local = localPath(place);
  if (local !== null) return listFiles(local, allow, matcher);
  const { listObjects } = await s3Sources();
  return listObjects(place, matcher, { config: s3, signal, allow });
}

function openValue(value: Exclude<Location, string | URL>, { allow, name }: SourceOptions): ByteSource {
  if (allow !== undefined)
    throw expected("ERR_INPUT", "a place", "a path or URL, because allow is given,", value);
  if (
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer ||
    value instanceof SharedArrayBuffer ||
    value instanceof Blob
  ) {
    return memorySource(value, name ?? nameOf(value));
  }
  if (typeof value === "object" && value !== null && Symbol.asyncIterator in value)
    return streamSource(value, name ?? "stream");
  throw expected("ERR_INPUT", "a place", "a path, a URL, bytes, a Blob or a stream of bytes", value);
}

/** The name of a File, which is a Blob, else "bytes". */
const nameOf = (value: object): string =>
  "name" in value && typeof value.name === "string" ? value.name : "bytes";

/** A URL without its password and query, which may hold signatures, for messages. */
function withoutPassword(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  return url.protocol === "file:" ? (pathOf(url) ?? text) : `${url.protocol}//${url.host}${url.pathname}`;
}
