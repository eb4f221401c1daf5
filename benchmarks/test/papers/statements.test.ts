import { existsSync, readFileSync } from "node:fs";
import { cpu, integer, openEngine } from "@polybin/core";
import { expect, it } from "vitest";
import { PAPERS } from "../../papers/data.ts";
import type { PaperId } from "../../papers/model.ts";
import { ACCOUNTS } from "../../papers/statements/index.ts";
import type { Account, Statement } from "../../papers/statements/statement.ts";
import { faultsIn } from "./statement-faults.ts";

const TEXTS = new URL("../../../../shared/papers/", import.meta.url);

it("every statement of the papers has a place in the code and in the report, or a reason", () => {
  expect(ACCOUNTS).toHaveLength(5);
  expect(ACCOUNTS.flatMap(({ statements }) => statements).length).toBeGreaterThan(200);
  expect(faultsIn(ACCOUNTS)).toEqual([]);
});

/** The accounts with one statement changed. */
function withChanged(says: string, change: (of: Statement) => object | null): Account[] {
  let changed = 0;
  const accounts = ACCOUNTS.map((account) => ({
    ...account,
    statements: account.statements.flatMap((one) => {
      if (!one.says.startsWith(says)) return [one];
      changed++;
      const with_ = change(one);
      return with_ === null ? [] : [{ ...one, ...with_ } as Statement];
    }),
  }));
  expect(changed, says).toBe(1);
  return accounts;
}

const DROPPED = null;
const RECOMMENDED = "The authors recommend k = 31";
const CHANGES: readonly [
  what: string,
  says: string,
  change: (of: Statement) => object | null,
  fault: RegExp,
][] = [
  ["an unknown slug", RECOMMENDED, () => ({ code: { slug: "trash" } }), /no algorithm has the slug trash/],
  ["an unknown parameter", RECOMMENDED, () => ({ code: { slug: "trish", set: { q: 1 } } }), /no q for trish/],
  [
    "a forbidden value",
    RECOMMENDED,
    () => ({ code: { slug: "trish", set: { k: 64 } } }),
    /from 1 to 63.* 64/,
  ],
  [
    "another number",
    RECOMMENDED,
    () => ({ code: { constants: { TRISH_K: 32 } } }),
    /TRISH_K is 31 and not 32/,
  ],
  ["a missing file", RECOMMENDED, () => ({ code: { at: ["packages/none.ts"] } }), /none\.ts does not exist/],
  [
    "a missing name",
    RECOMMENDED,
    () => ({ code: { at: ["README.md#nothing here"] } }),
    /has no nothing here/,
  ],
  ["no place", RECOMMENDED, () => ({ code: {} }), /points to nothing/],
  ["no reason", RECOMMENDED, () => ({ code: { reason: "paper", because: "Missing." } }), /no reason/],
  [
    "our reason",
    RECOMMENDED,
    () => ({ report: { reason: "us", because: "We have not had the time." } }),
    /no reason/,
  ],
  ["a missing figure", RECOMMENDED, () => ({ report: { figure: "xu-figure-99" } }), /has no xu-figure-99/],
  ["a missing panel", RECOMMENDED, () => ({ report: { figure: "xu-table-7", panels: ["x"] } }), /no panel x/],
  [
    "a missing claim",
    RECOMMENDED,
    () => ({ report: { figure: "xu-table-7", claims: ["x"] } }),
    /no claim "x"/,
  ],
  ["no sentence", RECOMMENDED, () => ({ says: "k = 31" }), /is no sentence/],
  ["a second time", RECOMMENDED, () => ({ says: ACCOUNTS[0]!.statements[0]!.says }), /: twice "/],
  [
    "a method without a row",
    "All threads read a tile",
    () => DROPPED,
    /Hardavellas: no method is bank-owned/,
  ],
  ["a value without a row", "One histogram per row", () => DROPPED, /privatized's layout=row/],
  [
    "a parameter without a row",
    "N_buffer is the length",
    () => DROPPED,
    /weighted-collision-reduced's buffer$/,
  ],
  [
    "a claim of the report without a row",
    "At k = 32 throughput",
    () => DROPPED,
    /figure-4's claim "trish-row-sum-cost"/,
  ],
];

it.each(CHANGES)("notices %s", (_, says, change, fault) => {
  const faults = faultsIn(withChanged(says, change));
  expect(faults.filter((one) => fault.test(one))).not.toEqual([]);
});

const textOf = (id: PaperId): string => readFileSync(new URL(PAPERS[id].text, TEXTS), "utf8");

/** Numbers of a statement, as the paper's text prints them: without the separators of thousands. */
function numbersIn(says: string): string[] {
  const plain = says.replaceAll(/(?<=\d),(?=\d{3})/g, "");
  return plain.match(/(?<![\w.])\d+(?:\.\d+)?/g) ?? [];
}

/** Numbers of the statements that the paper's text does not print. */
function absentNumbers(text: string, statements: readonly Pick<Statement, "says">[]): string[] {
  const plain = text.replaceAll(/(?<=\d),(?=\d{3})/g, "");
  const prints = (number: string) =>
    new RegExp(`(?<![\\d.])${number.replace(".", "\\.")}(?!\\d|\\.\\d)`).test(plain);
  return statements.flatMap(({ says }) =>
    numbersIn(says)
      .filter((number) => !prints(number))
      .map((number) => `${number}: ${says}`),
  );
}

it.for(ACCOUNTS)("the text of $paper has the numbers of its statements", ({ id, statements }, { skip }) => {
  if (!existsSync(TEXTS)) return skip("the papers' texts are not in ../shared/papers");
  expect(absentNumbers(textOf(id), statements)).toEqual([]);
});

/** The sections of the statements that the paper's text does not have. */
function absentSections(text: string, statements: readonly Pick<Statement, "where">[]): string[] {
  const plain = text.replaceAll("`", "").toLowerCase();
  const isNamed = (part: string) => plain.includes(part.toLowerCase());
  return statements
    .flatMap(({ where }) => where.split(", "))
    .filter((part) => /^[\dA-Z]/.test(part) && !isNamed(part));
}

it.for(ACCOUNTS)("the text of $paper has the sections of its statements", ({ id, statements }, { skip }) => {
  if (!existsSync(TEXTS)) return skip("the papers' texts are not in ../shared/papers");
  expect(absentSections(textOf(id), statements)).toEqual([]);
});

it("notices a section that a text does not have", () => {
  expect(absentSections("5.1 ABSTRACT", [{ where: "Abstract, 5.1, the start" }])).toEqual([]);
  expect(absentSections("5.1 ABSTRACT", [{ where: "5.2, Table 1" }])).toEqual(["5.2", "Table 1"]);
});

it("notices a number that a text does not print", () => {
  const text = "TRISH bins 41.87 billion bytes for n = 67,108,864.";
  expect(absentNumbers(text, [{ says: "It bins 41.87 of 67,108,864." }])).toEqual([]);
  const wrong = ["It bins 41.8.", "It bins 1.87.", "It bins 67,108,865.", "It bins 87."];
  expect(
    absentNumbers(
      text,
      wrong.map((says) => ({ says })),
    ),
  ).toHaveLength(wrong.length);
});

it("counts the letters of Hardavellas' example", async () => {
  const letters = new TextEncoder().encode("Programming Massively Parallel Processors".toUpperCase());
  await using engine = await openEngine({ backend: cpu() });
  const { counts } = await engine.histogram(letters, { axis: integer(65, 91) });
  const of = (letter: string) => counts[letter.charCodeAt(0) - 65];
  expect(["A", "C", "E", "G"].map(of)).toEqual([4, 1, 3, 2]);
});
