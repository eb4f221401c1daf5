import { PolybinError } from "@polybin/core";
import { seekableSource } from "./bytes.ts";
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
  const { GetObjectCommand, HeadObjectCommand, S3Client } = await import("@aws-sdk/client-s3").catch(
    (cause: unknown) => {
      throw new PolybinError(
        "ERR_UNAVAILABLE",
        `${name}: expected the official client; install it with npm install @aws-sdk/client-s3`,
        { cause },
      );
    },
  );
  const client = new S3Client(config);
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
