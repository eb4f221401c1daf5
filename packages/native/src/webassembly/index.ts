import { failuresOf, loadedOnce } from "@polybin/core/backend";
import type { TextFound } from "../border/index.ts";
import {
  type CsvRequest,
  type JsonlRequest,
  packedColumns,
  packedCsv,
  packedFields,
  type TextColumn,
  type TextReader,
} from "../text/index.ts";
import { Exhausted, Instance } from "./instance.ts";
import { KEPT_BYTES } from "./limits.ts";

/** Readers of text. They read what those of the addon read, on the calling thread. */
export interface TextReaders {
  readonly csv: TextReader<CsvRequest>;
  readonly jsonl: TextReader<JsonlRequest>;
}

/** Returns the readers, or null if the build had no compiler for them, or this machine refuses their code. */
export const openedText: () => Promise<TextReaders | null> = loadedOnce(async () => {
  const { text } = await import("./generated/text.ts");
  if (text === null || typeof WebAssembly === "undefined") return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const module = await WebAssembly.compile(bytes).catch((error: unknown) => {
    // A page whose policy forbids it, or an engine without its instructions.
    if (error instanceof WebAssembly.CompileError) return null;
    throw error;
  });
  return module === null ? null : readersOf(module);
});

function readersOf(module: WebAssembly.Module): TextReaders {
  let instance: Instance | null = null;
  const read = (columns: readonly TextColumn[], call: Parameters<Instance["read"]>[1]): TextFound => {
    try {
      instance ??= new Instance(module);
      const found = instance.read(columns.length, call);
      if (instance.bytes > KEPT_BYTES) instance = null;
      return found;
    } catch (error) {
      instance = null;
      // JavaScript needs no memory at one place.
      if (error instanceof Exhausted) return null;
      throw failuresOf("native").failure("ERR_INTERNAL", "WebAssembly failed to read text", error);
    }
  };
  return {
    csv: {
      read: (bytes, request) =>
        read(request.columns, ({ readCsv }, put) => {
          const [numbers, columns, nulls, textNulls] = packedCsv(request);
          return readCsv(
            ...[put(bytes), bytes.length, put(numbers), put(joined(columns)), columns.length],
            ...[put(nulls), nulls.length, put(textNulls), textNulls.length],
          );
        }),
    },
    jsonl: {
      read: (bytes, { columns, fields }) =>
        read(columns, ({ readJsonl }, put) => {
          const [keys, parents] = packedFields(fields);
          const texts = keys.map((key) => new TextEncoder().encode(key));
          const sizes = Uint32Array.from(texts, ({ length }) => length);
          return readJsonl(
            ...[put(bytes), bytes.length, put(joined(packedColumns(columns))), columns.length],
            ...[put(joined(texts)), put(bytesOf(sizes)), put(bytesOf(parents)), fields.length],
          );
        }),
    },
  };
}

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
