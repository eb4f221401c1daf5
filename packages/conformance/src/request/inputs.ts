import { type Countable, type Engine, fileSamples, type Resident, type SamplesInit } from "@polybin/core";
import { nodeFiles } from "../node.ts";
import { Skip } from "../skip.ts";
import { bytesOf, type Data, isStream, samplesOf, shapeOf } from "./samples.ts";

/** An input, and what only its reader knows of it. */
export interface GivenInput {
  readonly input: Countable;
  readonly type?: Data["type"];
  readonly interleaved?: number;
  readonly bytes?: number;
}

/** Memory that the engine allocates at once for all steps. */
const ROOM = 2 ** 21;
/** Bytes of a file before its samples. */
const OFFSET = 3;
/** Bytes in each of the pieces of a stream, by turns. */
const PIECES: Readonly<Record<string, readonly number[]>> = {
  "single bytes": [1],
  "uneven pieces": [7, 0, 1, 13, 4099],
};

/** Places samples where requests want them, and frees what it made. */
export class Inputs implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #residents = new Map<string, Promise<Resident>>();
  #folder: Promise<string> | null = null;
  #files = 0;
  #room: Uint8Array | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** @throws Skip for shared memory in a page without it, and for files in a page */
  async of(data: Data): Promise<GivenInput> {
    const { form, type, channels, picture } = data;
    const isPlain = channels === 1 && picture === null && type !== "f16";
    if (form === "array" && isPlain) return { input: samplesOf(data) as Uint8Array<ArrayBuffer> };
    if (form === "numbers") return { input: Array.from(samplesOf(data), Number) };
    const bytes = bytesOf(data);
    if (isStream(form)) return { input: streamOf(data, bytes), type, interleaved: channels };
    if (form === "file") return { input: await this.#file(data, bytes) };
    const of = (memory: unknown) => ({ ...shapeOf(data), data: memory }) as SamplesInit;
    if (form === "resident") return { input: await this.#resident(data, () => of(bytes)) };
    const memory = this.#placed(bytes, data);
    if (form === "buffer") return { input: of(memory.buffer) };
    if (form === "DataView") return { input: of(new DataView(memory.buffer)) };
    return { input: of(memory) };
  }

  #placed(bytes: Uint8Array, { form, seed }: Data): Uint8Array {
    if (form === "array") return bytes;
    if (form === "shared" && typeof SharedArrayBuffer === "undefined") {
      throw new Skip("this platform has no shared memory");
    }
    const { length } = bytes;
    const offset = 1 + (seed % 7);
    const out =
      form === "shared"
        ? new Uint8Array(new SharedArrayBuffer(length))
        : form === "unaligned"
          ? new Uint8Array(length + 8).subarray(offset, offset + length)
          : form === "allocated"
            ? this.#allocated(length)
            : new Uint8Array(length);
    out.set(bytes);
    return out;
  }

  /** The engine's own memory. Each request that wants it uses its beginning. */
  #allocated(bytes: number): Uint8Array {
    this.#room ??= this.#engine.allocate(ROOM);
    return bytes <= ROOM ? this.#room.subarray(0, bytes) : new Uint8Array(bytes);
  }

  #resident(data: Data, make: () => SamplesInit): Promise<Resident> {
    const key = JSON.stringify(data);
    let resident = this.#residents.get(key);
    if (resident === undefined) {
      resident = this.#engine.upload(make());
      this.#residents.set(key, resident);
      resident.catch(() => this.#residents.delete(key));
    }
    return resident;
  }

  async #file({ type, channels }: Data, bytes: Uint8Array): Promise<Countable> {
    const node = nodeFiles();
    if (node === null) throw new Skip("this platform has no files to write");
    const { fs, os, path } = node;
    this.#folder ??= fs.mkdtemp(path.join(os.tmpdir(), "polybin-conformance-"));
    const file = path.join(await this.#folder, `${this.#files++}`);
    const all = new Uint8Array(OFFSET + bytes.length + 1).fill(0xff);
    all.set(bytes, OFFSET);
    await fs.writeFile(file, all);
    return fileSamples({ path: file, bytes: bytes.length, offset: OFFSET, type, channels });
  }

  /** Frees a resident. */
  async free(data: Data): Promise<void> {
    const key = JSON.stringify(data);
    const resident = this.#residents.get(key);
    this.#residents.delete(key);
    await (await resident)?.free();
  }

  /** Frees the residents that were made first. */
  async keep(most: number): Promise<void> {
    for (const [key, resident] of [...this.#residents].slice(0, Math.max(0, this.#residents.size - most))) {
      this.#residents.delete(key);
      await (await resident).free();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.keep(0);
    const folder = await this.#folder;
    if (folder !== null) await nodeFiles()!.fs.rm(folder, { recursive: true, force: true });
  }
}

function streamOf(data: Data, bytes: Uint8Array): Countable {
  const { form, type } = data;
  if (form === "Blob") return new Blob([bytes as Uint8Array<ArrayBuffer>]);
  if (form === "arrays" && type !== "f16") return arraysOf(samplesOf(data) as unknown as Uint8Array);
  if (form === "ReadableStream") return new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return piecesOf(bytes, PIECES[form] ?? [701]);
}

async function* piecesOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

/** Samples in pieces of their own kind of typed array. */
async function* arraysOf(samples: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < samples.length; at += 700) yield samples.subarray(at, at + 700);
}
