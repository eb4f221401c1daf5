import { env } from "node:process";
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { PolybinError } from "@polybin/core";
import { type Allow, checkUrl } from "./allow.ts";
import { seekableSource } from "./bytes.ts";
import type { Listed, Matcher } from "./list.ts";
import { PassingFailure, retried } from "./retry.ts";
import type { ByteSource } from "./source.ts";

const PIECE_BYTES = 8_388_608;

/** How an object in S3 is read. */
export interface S3Settings {
  /** The configuration of the official client: `endpoint`, `region`, `credentials` … Default: that of the environment. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Opens `s3://bucket/key` with the official client, which must be installed.
 * @throws ERR_UNAVAILABLE if the client is not installed.
 * @throws ERR_INPUT if there is no such object, or it cannot be read.
 */
export async function s3Source(
  url: URL,
  name: string,
  { config, retries, signal }: S3Settings,
): Promise<ByteSource> {
  const bucket = url.host;
  const key = keyOf(url);
  if (bucket === "" || key === "") throw new PolybinError("ERR_INPUT", `${name}: expected s3://bucket/key`);
  const { GetObjectCommand, HeadObjectCommand } = await official(name);
  const client = await clientOf(name, config).catch(refuse(name, signal));
  const place = { Bucket: bucket, Key: key };
  const send = (abortSignal: AbortSignal | undefined) => (abortSignal === undefined ? {} : { abortSignal });
  try {
    const { ContentLength: size, ETag: etag } = await client.send(new HeadObjectCommand(place), send(signal));
    if (size === undefined)
      throw new PolybinError("ERR_INPUT", `${name}: expected the size of the object but received none`);
    const read = async (offset: number, length: number, readSignal: AbortSignal | undefined) => {
      const range = {
        Range: `bytes=${offset}-${offset + length - 1}`,
        ...(etag === undefined ? {} : { IfMatch: etag }),
      };
      const { Body, ContentRange } = await client
        .send(new GetObjectCommand({ ...place, ...range }), send(readSignal))
        .catch(refuse(name, readSignal));
      if (ContentRange !== `bytes ${offset}-${offset + length - 1}/${size}` || Body === undefined) {
        throw new PolybinError(
          "ERR_INPUT",
          `${name}: expected bytes ${offset} to ${offset + length} but received ${ContentRange}`,
        );
      }
      const bytes = await Body.transformToByteArray().catch((cause: unknown) => {
        throw new PassingFailure(`expected ${length} bytes but the connection ended`, { cause });
      });
      if (bytes.length < length)
        throw new PassingFailure(`expected ${length} bytes but received ${bytes.length}`);
      // The client's memory may be a part of a pool.
      return new Uint8Array(bytes);
    };
    return seekableSource({
      name,
      size,
      version: etag ?? null,
      pieceBytes: PIECE_BYTES,
      read: (offset, length, readSignal) =>
        retried(name, retries, readSignal, () => read(offset, length, readSignal)),
      close: async () => client.destroy(),
    });
  } catch (error) {
    client.destroy();
    return refuse(name, signal)(error);
  }
}

/**
 * Lists the objects of a prefix that ends in a slash, or of a pattern.
 * @throws as `s3Source`
 */
export async function listObjects(
  place: string,
  matcher: Matcher,
  { config, allow, signal }: Omit<S3Settings, "retries"> & { readonly allow: Allow | undefined },
): Promise<Listed> {
  const [, bucket = "", path = ""] = /^s3:\/\/([^/]*)\/?(.*)$/is.exec(place) ?? [];
  const { base, isGlob } = matcher.scan(path);
  const isPrefix = path === "" || path.endsWith("/");
  if (!isGlob && !isPrefix) return { places: [place], kind: "file" };
  const prefix = isGlob ? (base === "" ? "" : `${base}/`) : path;
  const root = urlOf(bucket, prefix);
  const url = URL.parse(root);
  if (url === null) throw new PolybinError("ERR_INPUT", `${place}: expected s3://bucket/prefix/`);
  checkUrl(url, allow, place);
  const { ListObjectsV2Command } = await official(place);
  const client = await clientOf(place, config).catch(refuse(place, signal));
  const keys: string[] = [];
  const isMatch = isGlob ? matcher.match(path) : () => true;
  try {
    for (let token: string | undefined; ; ) {
      const next = token === undefined ? {} : { ContinuationToken: token };
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...next }),
        signal === undefined ? {} : { abortSignal: signal },
      );
      for (const { Key: key } of page.Contents ?? []) {
        const isFile = key !== undefined && !key.endsWith("/");
        const isHidden = !isGlob && /(?:^|\/)[._]/.test(key?.slice(prefix.length) ?? "");
        if (isFile && !isHidden && isMatch(key)) keys.push(key);
      }
      token = page.NextContinuationToken;
      if (token === undefined) break;
    }
  } catch (error) {
    refuse(place, signal)(error);
  } finally {
    client.destroy();
  }
  const places = keys.sort().map((key) => urlOf(bucket, key));
  return { places, kind: isGlob ? "pattern" : "folder" };
}

/** A key may have characters with a meaning in a URL. */
const urlOf = (bucket: string, key: string): string =>
  `s3://${bucket}/${key.split("/").map(encodeURIComponent).join("/").replaceAll("%3D", "=")}`;

async function official(name: string): Promise<typeof import("@aws-sdk/client-s3")> {
  return import("@aws-sdk/client-s3").catch((cause: unknown) => {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      `${name}: expected the official client; install it with npm install @aws-sdk/client-s3`,
      { cause },
    );
  });
}

/** Creates the client by the configuration and the environment. */
async function clientOf(name: string, config: S3Settings["config"]): Promise<S3Client> {
  const { S3Client } = await official(name);
  return new S3Client(await settingsOf(config, S3Client));
}

interface Settled {
  readonly config: S3Settings["config"];
  readonly environment: string;
  readonly settings: Promise<S3ClientConfig>;
}

/** The last settings. Finding credentials asks the machine's metadata, which takes a while where there are none. */
let last: Settled | null = null;

function settingsOf(config: S3Settings["config"], Client: typeof S3Client): Promise<S3ClientConfig> {
  const names = Object.keys(env).filter((name) => name.startsWith("AWS_"));
  const environment = JSON.stringify(names.sort().map((name) => [name, env[name]]));
  if (last?.config === config && last.environment === environment) return last.settings;
  const settings = settled(config, Client);
  const own = { config, environment, settings };
  last = own;
  settings.catch(() => {
    if (last === own) last = null;
  });
  return settings;
}

/** Requests that are not signed, for public buckets. */
const UNSIGNED: Pick<S3ClientConfig, "credentials" | "signer"> = {
  credentials: { accessKeyId: "", secretAccessKey: "" },
  signer: { sign: async (request) => request },
};

/** Variables that say where the keys are. Without one, there may be none. */
const NAMED = [
  "AWS_ACCESS_KEY_ID",
  "AWS_PROFILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
];

/** Adds what the official client does not find on its own to its configuration. */
async function settled(config: S3ClientConfig, Client: typeof S3Client): Promise<S3ClientConfig> {
  const endpoint = config.endpoint ?? env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  // Names of buckets are no hosts of another server.
  const own = {
    forcePathStyle: endpoint !== undefined,
    followRegionRedirects: endpoint === undefined,
    ...config,
  };
  const probe = new Client(own);
  try {
    const region = await probe.config.region().catch(() => env.AWS_DEFAULT_REGION ?? "us-east-1");
    if (own.credentials !== undefined || own.signer !== undefined) return { ...own, region };
    const { credentials } = probe.config;
    const found = await credentials().catch((error: unknown) => {
      if (NAMED.some((name) => env[name] !== undefined)) throw error;
      return null;
    });
    return { ...own, region, ...(found === null ? UNSIGNED : { credentials }) };
  } finally {
    probe.destroy();
  }
}

/** Returns the key of an object, or an empty text if the URL has none. */
function keyOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return "";
  }
}

/** Turns an error of the client, which repeats what may pass, into one of polybin's. */
function refuse(name: string, signal: AbortSignal | undefined) {
  return (error: unknown): never => {
    signal?.throwIfAborted();
    if (error instanceof PolybinError) throw error;
    const { name: kind, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    if (status === 412) {
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected the same object in every request but it changed while it was read; open it again`,
        { cause: error },
      );
    }
    const why =
      status === 404
        ? "there is none"
        : `S3 refused: ${kind ?? "error"}, ${error instanceof Error ? error.message : String(error)}`;
    throw new PolybinError("ERR_INPUT", `${name}: expected an object that can be read but ${why}`, {
      cause: error,
    });
  };
}
