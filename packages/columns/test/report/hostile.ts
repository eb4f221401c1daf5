import type { ProfileJson } from "../../src/profile/json.ts";
import { columnOf, profileOf } from "./sample.ts";

/** Names and values that end elements and attributes, turn text around, are empty, or are far too long. */
export const HOSTILE: readonly string[] = [
  "</script><script>document.title='taken'</script>",
  "</style><style>*{display:none}</style>",
  `"><img src=x onerror="document.title='taken'">`,
  "' onmouseover='alert(1)",
  "<!--",
  "&lt;b&gt; &amp;amp; &#x3c;",
  "\u202egnp.exe\u202c \u2066\u2067 מזהה العمود",
  "x".repeat(10_000),
  "",
  " ",
  "\u0000\u0007\u001b[31m\r\n\t",
  "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇺🇳",
  "\ud800",
  "__proto__",
  "constructor",
  "javascript:alert(1)",
  `$${"{document.title='taken'}"}`,
  "|,\\u0000 %s {{x}} datum.value",
];

/** A profile in which every text is hostile. */
export function hostile(): ProfileJson {
  const columns = HOSTILE.flatMap((name, i) => [
    columnOf(name, "string", { kind: "string" }, [...HOSTILE, ...HOSTILE.slice(i), null]),
    columnOf(`${name}${name}`, name, { kind: "number", type: "f64" }, [i, 2 * i, null, Number.NaN, Infinity]),
    {
      ...columnOf(name, "list", { kind: "refused", reason: name }, [null]),
      quantiles: [],
    },
  ]);
  const joint = {
    columns: [HOSTILE[0]!, HOSTILE[6]!] as const,
    axes: [0, 1].map(() => ({ type: "regular", edges: [0, 1, 2] })) as never,
    shape: [2, 2] as const,
    counts: [1, 0, 5, 2],
    outside: 0,
    nulls: 1,
  };
  const profile = profileOf(columns, [joint], HOSTILE[0]);
  const files = HOSTILE.map((name) => ({ name, format: name, rows: 1, bytes: null }));
  return { ...profile, files, backend: HOSTILE[2]!, device: HOSTILE[0]! };
}
