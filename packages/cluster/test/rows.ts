import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A file that goes when the test ends. */
export function file(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "polybin-shards-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Reproducible numbers from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A row of the table of these tests. */
export interface Row {
  readonly price: number | null;
  readonly id: bigint | null;
  readonly country: string | null;
  readonly paid: boolean | null;
}

/** Rows with NaN, infinities, nulls, and integers past 2^53. */
export function rowsOf(count: number, seed = 1): Row[] {
  const next = random(seed);
  const countries = ["DE", "FR", 'a, "b"', "ÄÖ", ""];
  const prices = [Number.NaN, Infinity, -Infinity, -0, 0];
  return Array.from({ length: count }, () => {
    const kind = next();
    const price =
      kind < 0.1
        ? null
        : kind < 0.2
          ? prices[Math.floor(next() * prices.length)]!
          : Math.round(next() * 1e4) / 100 - 20;
    const country = countries[Math.floor(next() * countries.length)]!;
    return {
      price,
      id:
        next() < 0.1
          ? null
          : (1n << 62n) + BigInt(Math.floor(next() * 1000)) * (next() < 0.5 ? 1n : -(1n << 40n)),
      country: country === "" ? null : country,
      paid: next() < 0.2 ? null : next() < 0.5,
    };
  });
}

/** The rows as CSV. Empty fields are nulls. */
export function csvOf(rows: readonly Row[]): string {
  const quoted = (text: string | null) => (text === null ? "" : `"${text.replaceAll('"', '""')}"`);
  const number = (value: number | null) =>
    value === null ? "" : Object.is(value, -0) ? "-0" : String(value);
  const lines = rows.map(
    ({ price, id, country, paid }) => `${number(price)},${id ?? ""},${quoted(country)},${paid ?? ""}`,
  );
  return `price,id,country,paid\n${lines.map((line) => `${line}\n`).join("")}`;
}
