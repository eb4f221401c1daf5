import { PolybinError } from "@polybin/core";
import { loadedOnce } from "@polybin/core/backend";
import type { ByteSource } from "./source.ts";
import { streamSource } from "./stream.ts";
import type { Packing, unpacked } from "./unpack.ts";

// Few files are packed, and pages have nothing that unpacks.
const unpacking = loadedOnce(() => import("./unpack.ts"));

interface Packer {
  readonly name: string;
  /** The first bytes of its files. */
  readonly magic: readonly (number | null)[];
  /** Null: its files are not read. */
  readonly packing: Packing | null;
  /** The line that unpacks a file. */
  readonly unpack: string;
}

/** Programs that pack a file as a whole. */
const PACKERS: readonly Packer[] = [
  { name: "gzip", magic: [0x1f, 0x8b], packing: "gzip", unpack: "gunzip -c FILE" },
  { name: "Zstandard", magic: [0x28, 0xb5, 0x2f, 0xfd], packing: "Zstandard", unpack: "zstd -dc FILE" },
  { name: "XZ", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], packing: null, unpack: "xz -dc FILE" },
  // The fourth byte is the size of its blocks. A text may begin with the first three.
  {
    name: "bzip2",
    magic: [0x42, 0x5a, 0x68, null, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
    packing: null,
    unpack: "bzip2 -dc FILE",
  },
];

const packingOf = (head: Uint8Array): Packing | null => packerOf(head)?.packing ?? null;

const packerOf = (head: Uint8Array): Packer | undefined =>
  PACKERS.find(({ magic }) => magic.every((byte, i) => byte === null || head[i] === byte));

/** Returns a name without the ending of what packed the file: trips.csv for trips.csv.gz. */
export const unpackedName = (name: string): string => name.replace(/\.(?:gz|zst)$/i, "");

/**
 * Checks that a file was not packed as a whole.
 * @throws ERR_UNSUPPORTED with the line that unpacks it
 */
export function checkUnpacked(name: string, head: Uint8Array): void {
  const packer = packerOf(head);
  if (packer === undefined) return;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${name}: expected a table but it is compressed with ${packer.name}; pass its content as a stream: ${packer.unpack}`,
  );
}

/** Bytes at the start of a file that show how it is packed. */
const HEAD_BYTES = 16;

/**
 * Returns the source itself, or one of the content of a packed file, which is unpacked anew for each stream, as far as
 * the stream is read.
 */
export async function unpackedSource(
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<ByteSource> {
  const packing = packingOf(await source.peek(HEAD_BYTES, { signal }));
  return packing === null ? source : contentOf(source, packing, (await unpacking()).unpacked);
}

/**
 * Returns the first bytes of the content of a file, as far as its own first bytes show it, and whether they are the whole
 * content. Null if the file is not packed.
 */
export async function unpackedHead(
  head: Uint8Array,
  most: number,
): Promise<{ readonly head: Uint8Array; readonly isWhole: boolean } | null> {
  const packing = packingOf(head);
  if (packing === null) return null;
  const pieces: Uint8Array[] = [];
  let isWhole = false;
  try {
    const { unpacked } = await unpacking();
    for await (const piece of unpacked([head], { name: "", packing })) {
      pieces.push(piece);
      if (pieces.reduce((sum, { length }) => sum + length, 0) >= most) break;
    }
    isWhole = true;
  } catch {
    // The head is cut. Damage is an error when the file is read.
  }
  const content = Buffer.concat(pieces);
  return { head: new Uint8Array(content.subarray(0, most)), isWhole: isWhole && content.length < most };
}

function contentOf(source: ByteSource, packing: Packing, unpack: typeof unpacked): ByteSource {
  const { name, size } = source;
  let taken = 0;
  const open = new Set<ByteSource>();
  const begin = (): ByteSource => {
    // The stream has no signal when it is opened, and what it waits for must end when it is closed.
    const closing = new AbortController();
    const content = unpack(source.stream({ signal: closing.signal }), { name, packing }, (bytes) => {
      taken = bytes;
    });
    const begun = streamSource(content, name, () => closing.abort());
    open.add(begun);
    return begun;
  };
  /** The content that `peek` looks into, and the next stream starts with. */
  let next = begin();
  return {
    ...{ name, size: null, version: source.version, file: null, seekable: false },
    rereadable: source.rereadable,
    packed: { size, taken: () => taken },
    async read() {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `${name}: expected a place that can be read anywhere but it is compressed with ${packing}; unpack it first`,
      );
    },
    peek: (length, options) => next.peek(length, options),
    async *stream(options) {
      const content = next;
      if (source.rereadable) next = begin();
      try {
        yield* content.stream(options);
      } finally {
        await content.close();
        open.delete(content);
      }
    },
    async close() {
      await Promise.all([...open].map((content) => content.close()));
      await source.close();
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}
