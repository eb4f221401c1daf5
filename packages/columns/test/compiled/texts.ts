import type { OpenTableOptions } from "../../src/index.ts";
import { damaged, randomOf } from "./random.ts";

/** A file of text, and how it is read. */
export interface Sample {
  readonly bytes: Uint8Array;
  readonly options: OpenTableOptions;
  readonly columns: readonly string[] | undefined;
  /** Indices of parts, as a share of all. Null: all parts. */
  readonly share: readonly [number, number] | null;
}

const NUMBERS = [
  [
    "0",
    "-0",
    "+0",
    "00",
    "007",
    "-00.5",
    "1.",
    ".5",
    "-.5",
    "+.5e1",
    ".",
    "-",
    "+",
    "",
    "e5",
    "1e",
    "1e+",
    "5e-1",
  ],
  [
    "1e400",
    "-1e400",
    "1e-400",
    "-1e-400",
    "1e22",
    "1e23",
    "9e22",
    "123456789e-22",
    "1e0005",
    "1e99999",
    "4.9e-324",
  ],
  [
    "9007199254740993",
    "9007199254740992",
    "9007199254740991.5",
    "18446744073709551615",
    "18446744073709551616",
  ],
  [
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "12345678901234567890",
  ],
  [
    "0.1",
    "0.30000000000000004",
    "84.44218515250482",
    "0.8444218515250482",
    "1.7976931348623157e308",
    "2.2250738585072014e-308",
  ],
  [
    "0000000000000000000000000001",
    "0.00000000000000000000000123",
    "1234567890.123456789",
    "12345678.12345678",
    "99999999",
  ],
  [
    "nan",
    "NaN",
    "-nan",
    "inf",
    "-INF",
    "+Infinity",
    "infinity",
    "1_000",
    "0x10",
    "0b1",
    "1b",
    "1,5",
    "1 2",
    " 1",
    "2 ",
    "\t3",
  ],
  [
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "255",
    "256",
    "-1",
    "128",
    "65536",
    "4294967296",
    "-129",
  ],
  [
    "NA",
    "N/A",
    "null",
    "NULL",
    "\\N",
    "na",
    "Null",
    "-999",
    "\u00a05",
    "\u2009",
    "é",
    "\ufeff7",
    "1\r",
    "NA\r",
    "\r",
    "\0",
  ],
];
const TIMES = [
  [
    "2026-01-02",
    "2024-02-29",
    "2023-02-29",
    "0000-01-01",
    "9999-12-31",
    "1969-12-31",
    "2026-1-2",
    "2026-01-02 ",
  ],
  [
    "2026-01-02 03:04",
    "2026-01-02T03:04:05",
    "2026-01-02 03:04:60",
    "2026-01-02 24:00",
    "2026-01-02 03:04:05.5",
  ],
  [
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.123Z",
    "2026-01-02T03:04:05.123456789",
    "2026-01-02 03:04:05,25",
  ],
  [
    "1677-09-21 00:12:43.145224193",
    "2262-04-11 23:47:16.854775807",
    "2300-01-01 00:00:00",
    "1600-01-01 00:00",
  ],
  [
    "2026-01-02 03:04:05+02:00",
    "2026-01-02 03:04:05 Z",
    "2026-01-02 03:04:05z",
    "2026-01-02 03:04Z",
    "2026-01-02 03:04:05.",
  ],
  ["true", "false", "TRUE", "1", "0", " true", "yes"],
];
const TEXTS = [
  "",
  "a",
  "b c",
  "été",
  'x"y',
  "x,y",
  "line\nbreak",
  "crlf\r\nin",
  '"',
  '""',
  "a;b",
  "ß".repeat(40),
  "\\",
  "'",
];

const TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "i64", "u64", "f32", "f64"] as const;
const OTHERS = [
  "boolean",
  "date",
  "timestamp",
  "timestamp[s]",
  "timestamp[ms]",
  "timestamp[us]",
  "timestamp[ns]",
] as const;

const BYTES = '""",\n\r\n;\'0-e. ';

/** A sample of a seed. Most samples are right, and the others are wrong in one place or two. */
export function sampleOf(seed: number): Sample {
  const random = randomOf(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const chance = (p: number) => random() < p;
  const separator = chance(0.7) ? "," : one([";", "\t", "|", " ", "."]);
  const quote = chance(0.8) ? '"' : one([null, "'"]);
  const newline = chance(0.6) ? "\n" : one(["\r\n", "\n", "\r"]);
  const width = chance(0.15) ? 1 : 1 + below(6);
  const names = Array.from({ length: width }, (_, i) => `c${i}`);
  const types = names.map(() =>
    chance(0.75) ? one(TYPES) : chance(0.6) ? one(OTHERS) : ("string" as const),
  );
  const odd = chance(0.5) ? 0 : one([0.001, 0.02, 0.3]);
  const own = (type: (typeof types)[number]): string => {
    if (chance(odd)) return one(one([...NUMBERS, ...TIMES, TEXTS]));
    if (chance(0.05)) return "";
    if (type === "string") return chance(0.01) ? long : one(TEXTS);
    if (type === "boolean") return one(["true", "false"]);
    const date = `20${10 + below(20)}-0${1 + below(9)}-${10 + below(19)}`;
    if (type === "date") return date;
    if (type.startsWith("timestamp")) return `${date} 1${below(10)}:2${below(10)}:3${below(10)}`;
    if (type === "f32" || type === "f64") {
      const value = (random() - 0.5) * 10 ** below(12);
      return one([String(value), value.toFixed(below(9)), value.toExponential(below(18))]);
    }
    return String(below(chance(0.5) ? 128 : 10));
  };
  const quoted = (text: string): string => {
    const needs = text.includes(separator) || /[\r\n]/.test(text) || (quote !== null && text.includes(quote));
    if (quote === null || (!needs && !chance(0.1))) return text;
    return chance(0.02) ? text : `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
  };
  // Some files are longer than what is looked at in one step.
  const rows = chance(0.1) ? below(3) : chance(0.02) ? 3000 + below(3000) : below(120);
  const long = "long ".repeat(chance(0.02) ? 30_000 : 40);
  const lines = Array.from({ length: rows }, () => {
    if (chance(0.02)) return chance(0.7) ? "" : "\r";
    const fields = types.map((type) => quoted(own(type)));
    if (chance(0.002)) fields.push("1");
    if (chance(0.002)) fields.pop();
    return fields.join(separator);
  });
  const header = chance(0.8);
  if (header) lines.unshift(names.join(separator));
  const text = `${chance(0.1) ? "\ufeff" : ""}${lines.join(newline)}${chance(0.8) ? newline : ""}`;
  const encoding = chance(0.85) ? ("utf-8" as const) : ("latin1" as const);
  const options: OpenTableOptions = {
    ...{ format: "csv", header: header ? true : names, separator, quote, encoding },
    ...(chance(0.8) ? { types: Object.fromEntries(names.map((name, i) => [name, types[i]!])) } : {}),
    ...(chance(0.2) ? { nulls: one([[""], ["-999", ""], ["NA", "é"], ["0"], []]) } : {}),
    ...(chance(0.2) ? { quotedNewlines: true } : {}),
    partBytes: chance(0.5) ? 64 + below(300) : 1_000_000,
    threads: chance(0.98) ? 0 : 1,
  };
  const columns = chance(0.3) ? undefined : names.filter((_, i) => types[i] !== "string" && chance(0.6));
  const share = chance(0.8) ? null : ([random(), random()] as const);
  return {
    bytes: damaged(Buffer.from(text, encoding === "latin1" ? "latin1" : "utf8"), BYTES, random),
    options,
    columns,
    share,
  };
}
