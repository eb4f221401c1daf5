import { damaged, randomOf } from "./random.ts";
import type { Sample } from "./texts.ts";

/** Values as they stand in a line, right ones of all types and wrong ones. */
const VALUES = [
  [
    "0",
    "-0",
    "1",
    "-1",
    "127",
    "128",
    "255",
    "256",
    "-129",
    "65536",
    "2147483648",
    "-2147483649",
    "4294967296",
  ],
  [
    "1.0",
    "1e2",
    "1E+2",
    "0.1",
    "-0.0",
    "0.30000000000000004",
    "1e400",
    "-1e400",
    "4.9e-324",
    "1e22",
    "9e-23",
  ],
  [
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "12345678901234567890123",
  ],
  [
    "123456789012345.678",
    "84.44218515250482",
    "1.7976931348623157e308",
    "123456789012345",
    "1234567890123456",
  ],
  [
    "01",
    "-",
    "+1",
    ".5",
    "5.",
    "1e",
    "1e+",
    "NaN",
    "Infinity",
    "0x10",
    "1_0",
    "--1",
    "tru",
    "nul",
    "True",
    "undefined",
  ],
  [
    "true",
    "false",
    "null",
    "{}",
    "[]",
    '{"a":1}',
    "[1,2,[3]]",
    '[{"x":[]},"]"]',
    "[1,]",
    "{,}",
    "[1 2]",
    '{"a" 1}',
    '{"a":}',
  ],
  [
    '""',
    '"a"',
    '"5"',
    '"true"',
    '"x y"',
    '"été"',
    '"日本"',
    '"a\\"b"',
    '"\\\\"',
    '"\\u00e9\\n"',
    '"\\ud83d\\ude00"',
  ],
  [
    '"\\ud83d"',
    '"\\ude00x"',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"tab\there"',
    '"open',
    "'a'",
    '"\\/\\b\\f\\r\\t"',
    '"\\u0000"',
  ],
  [
    '"2026-01-02"',
    '"2024-02-30"',
    '"2026-01-02 "',
    '"2026-01-02\\u0020"',
    '"2026\\u002d01-02"',
    '"0000-01-01"',
  ],
  ['"2026-01-02T03:04:05Z"', '"2026-01-02 03:04:05.123"', '"2026-01-02T03:04"', '"2300-01-01T00:00:00"'],
];
const LONG = '"long \\"text\\" 0123456789abcdef0123456789abcdef"';

const TYPES = [
  ...["u8", "i8", "u16", "i16", "u32", "i32", "i64", "u64", "f32", "f64", "f64"],
  ...["boolean", "date", "timestamp", "timestamp[ns]", "string", "string"],
] as const;
const NAMES = [
  "a",
  "b",
  "",
  "name",
  "été",
  "a b",
  'q"q',
  "back\\slash",
  "toString",
  "__proto__",
  "a name of more than 16 bytes",
];
const SPACES = ["", "", "", " ", "  ", "\t", "\r", "\u00a0"];
const BYTES = '""\\{}[],:\n\r 0-e.tn\t';

/** A sample of lines of a seed. Most samples are right, and the others are wrong in one place or two. */
export function linesOf(seed: number): Sample {
  const random = randomOf(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const chance = (p: number) => random() < p;
  const names = NAMES.filter(() => chance(0.4));
  const types = names.map(() => one(TYPES));
  const inner = chance(0.5) ? [] : ["a", "b", "été", "toString", 'q"q'].filter(() => chance(0.5));
  const innerTypes = inner.map(() => one(TYPES));
  const odd = chance(0.6) ? 0 : one([0.001, 0.02, 0.3]);
  const escaped = chance(0.05);
  const space = (): string => (chance(0.1) ? one(chance(0.97) ? SPACES.slice(0, -1) : SPACES) : "");
  const own = (type: (typeof TYPES)[number]): string => {
    if (chance(odd)) return one(one(VALUES));
    if (chance(0.05)) return "null";
    if (type === "string")
      return chance(0.1) ? LONG : one(['"x"', '""', '"été"', '"a\\tb"', '"\\u00e9"', '"one two three"']);
    if (type === "boolean") return one(["true", "false"]);
    const date = `20${10 + below(20)}-0${1 + below(9)}-${10 + below(19)}`;
    if (type === "date") return `"${date}"`;
    if (type.startsWith("timestamp")) return `"${date}T1${below(10)}:2${below(10)}:3${below(10)}"`;
    if (type === "f32" || type === "f64") return String((random() - 0.5) * 10 ** below(12));
    return String(below(chance(0.5) ? 128 : 10));
  };
  const key = (name: string): string =>
    escaped && chance(0.1)
      ? `"${[...name].map((of) => `\\u${of.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`
      : JSON.stringify(name);
  const member = ([name, value]: readonly [string, string]): string =>
    `${space()}${key(name)}${space()}:${space()}${value}${space()}`;
  const objectIn = (depth: number): string => {
    if (chance(odd)) return one(one(VALUES));
    if (chance(0.05)) return one(["null", "{}", "{ }"]);
    const fields = inner.map((name, i) => [name, own(innerTypes[i]!)] as const).filter(() => !chance(0.1));
    if (chance(0.05)) fields.reverse();
    if (chance(0.02)) fields.push([one([...inner, "new", "i"]), one(one(VALUES).slice(0, 3))]);
    if (depth < 2) fields.push(["i", objectIn(depth + 1)]);
    return `{${fields.map(member).join(",")}}`;
  };
  const lines = Array.from({ length: chance(0.1) ? below(3) : below(chance(0.05) ? 4000 : 120) }, () => {
    if (chance(0.02))
      return one(["", " ", "\r", "{}", "{ }", "\u00a0", "[1]", "5", '"x"'].slice(0, chance(0.9) ? 5 : 9));
    const fields: (readonly [string, string])[] = names
      .map((name, i) => [name, own(types[i]!)] as const)
      .filter(() => !chance(0.05));
    if (inner.length > 0 && !chance(0.05)) fields.push(["o", objectIn(0)]);
    if (chance(0.05)) fields.reverse();
    if (chance(0.005)) fields.push([one(NAMES), "1"]);
    const text = fields.map(member).join(",");
    return `${space()}{${text}}${space()}`;
  });
  const newline = chance(0.8) ? "\n" : one(["\r\n", "\r"]);
  const text = `${chance(0.1) ? "\ufeff" : ""}${lines.join(newline)}${chance(0.8) ? newline : ""}`;
  const all = [
    ...names.map((name, i) => [name, types[i]!] as const),
    ...["o", "o.i", "o.i.i"].flatMap((of) =>
      inner.map((name, i) => [`${of}.${name}`, innerTypes[i]!] as const),
    ),
  ];
  const stated = chance(0.85) ? Object.fromEntries(all) : {};
  return {
    bytes: damaged(Buffer.from(text), BYTES, random),
    options: {
      ...{ format: "jsonl", types: stated, threads: chance(0.98) ? 0 : 1 },
      partBytes: chance(0.5) ? 64 + below(300) : 1_000_000,
    },
    columns: chance(0.3) ? undefined : all.map(([name]) => name).filter(() => chance(0.6)),
    share: chance(0.8) ? null : ([random(), random()] as const),
  };
}
