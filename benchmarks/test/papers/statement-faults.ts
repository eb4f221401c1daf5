// Compares the statements of the papers with the code and the report that they point to.
import { existsSync, readFileSync } from "node:fs";
import {
  algorithms,
  checkedParameters,
  composedAlgorithms,
  limits,
  type ParameterRule,
  weightedAlgorithms,
} from "@polybin/core/backend";
import { FIGURES } from "../../papers/figures.ts";
import {
  type Absent,
  type Account,
  type InCode,
  type InReport,
  isAbsent,
  KINDS,
  type Statement,
  slugsOf,
} from "../../papers/statements/statement.ts";

const ROOT = new URL("../../../", import.meta.url);
/** A reason is a sentence. */
const REASON_WORDS = 5;

const METHODS = [algorithms, weightedAlgorithms, composedAlgorithms].flatMap((of) => Object.values(of));
const figureNames = FIGURES.map(({ paper, id }) => `${paper}-${id}`);

/** Everything that is wrong with the accounts: single statements, and what no statement covers. */
export function faultsIn(accounts: readonly Account[]): string[] {
  const own = accounts.flatMap(({ paper, statements }) => [
    ...statements.flatMap((one) => faultsOf(one).map((fault) => `${paper}, ${one.where}: ${fault}`)),
    ...repeated(statements).map((says) => `${paper}: twice "${says}"`),
  ]);
  return [
    ...own,
    ...uncoveredMethods(accounts),
    ...uncoveredParameters(accounts),
    ...uncoveredReport(accounts),
  ];
}

function faultsOf({ where, kind, says, code, report }: Statement): string[] {
  return [
    ...(where === "" ? ["it has no section"] : []),
    ...(KINDS.includes(kind) ? [] : [`${kind} is no kind`]),
    ...(/^\S.+[.!]$/.test(says) ? [] : [`"${says}" is no sentence`]),
    ...(isAbsent(code) ? faultsOfReason(code) : faultsOfCode(code)),
    ...(isAbsent(report) ? faultsOfReason(report) : faultsOfReport(report)),
  ];
}

function faultsOfReason({ reason, because }: Absent): string[] {
  const isReason =
    ["paper", "hardware"].includes(reason) &&
    because.endsWith(".") &&
    because.split(" ").length >= REASON_WORDS;
  return isReason ? [] : [`"${because}" is no reason that the paper or the hardware gives`];
}

function faultsOfCode(code: InCode): string[] {
  const { set = {}, constants = {}, at = [] } = code;
  const slugs = slugsOf(code);
  const isNowhere = slugs.length + at.length + Object.keys(constants).length === 0;
  const setsNothing = slugs.length === 0 && Object.keys(set).length > 0;
  return [
    ...(isNowhere ? ["it points to nothing in the code"] : []),
    ...(setsNothing ? ["it sets parameters without a slug"] : []),
    ...slugs.flatMap((slug) => faultsOfSlug(slug, set)),
    ...Object.entries(constants).flatMap(([name, value]) => {
      const found = (limits as Readonly<Record<string, unknown>>)[name];
      return found === value ? [] : [`${name} is ${found} and not ${value}`];
    }),
    ...at.flatMap(faultsOfFile),
  ];
}

function faultsOfSlug(slug: string, set: NonNullable<InCode["set"]>): string[] {
  const method = METHODS.find((one) => one.slug === slug);
  if (method === undefined) return [`no algorithm has the slug ${slug}`];
  try {
    checkedParameters(method, { ...set }, METHODS);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function faultsOfFile(place: string): string[] {
  const [path = "", name] = place.split(/#(.*)/s);
  const file = new URL(path, ROOT);
  if (path === "" || !existsSync(file)) return [`${path} does not exist`];
  return name === undefined || readFileSync(file, "utf8").includes(name) ? [] : [`${path} has no ${name}`];
}

function faultsOfReport({ figure: wanted, claims = [], panels = [] }: InReport): string[] {
  const figure = FIGURES[figureNames.indexOf(wanted)];
  if (figure === undefined) return [`the report has no ${wanted}`];
  return [
    ...(claims.length + panels.length === 0 ? [`it names no claim and no panel of ${wanted}`] : []),
    ...claims
      .filter((claim) => !figure.rules.some((rule) => rule.id === claim))
      .map((claim) => `${wanted} has no claim "${claim}"`),
    ...panels
      .filter((panel) => !figure.panels.some(({ id }) => id === panel))
      .map((panel) => `${wanted} has no panel ${panel}`),
  ];
}

function repeated(statements: readonly Statement[]): string[] {
  const says = statements.map((one) => one.says);
  return says.filter((text, i) => says.indexOf(text) !== i);
}

const inCode = (accounts: readonly Account[]): (InCode & Pick<Statement, "kind">)[] =>
  accounts.flatMap(({ statements }) =>
    statements.flatMap(({ kind, code }) => (isAbsent(code) ? [] : [{ kind, ...code }])),
  );

/** Every paper that is the source of an algorithm must have the algorithm as a method. */
function uncoveredMethods(accounts: readonly Account[]): string[] {
  return accounts.flatMap((account) => {
    const { paper } = account;
    const methods = METHODS.filter(({ source }) => source.includes(paper));
    if (methods.length === 0) return [`${paper} is no algorithm's source`];
    const found = inCode([account]).filter(({ kind }) => kind === "method");
    return methods
      .filter(({ slug }) => !found.some((code) => slugsOf(code).includes(slug)))
      .map(({ slug }) => `${paper}: no method is ${slug}`);
  });
}

/**
 * Every parameter of a published algorithm needs a method, variant or parameter of a paper. So does every value of a
 * parameter that lists its values.
 */
function uncoveredParameters(accounts: readonly Account[]): string[] {
  const all = inCode(accounts).filter(({ kind }) => kind !== "claim");
  const published = METHODS.filter(({ source }) => accounts.some(({ paper }) => source.includes(paper)));
  return published.flatMap(({ slug, parameters }) =>
    Object.entries<ParameterRule>(parameters).flatMap(([name, rule]) => {
      const values = all
        .filter((code) => slugsOf(code).includes(slug))
        .map(({ set = {} }) => set[name as keyof typeof set])
        .filter((value) => value !== undefined);
      if ("least" in rule) return values.length > 0 ? [] : [`no statement is about ${slug}'s ${name}`];
      return rule.of
        .filter((value) => !values.includes(value as never))
        .map((value) => `no statement is about ${slug}'s ${name}=${value}`);
    }),
  );
}

/** Every figure and every claim of the report comes from a statement. */
function uncoveredReport(accounts: readonly Account[]): string[] {
  const shown = accounts.flatMap(({ statements }) =>
    statements.flatMap(({ report }) => (isAbsent(report) ? [] : [report])),
  );
  return FIGURES.flatMap(({ rules }, i) => {
    const name = figureNames[i]!;
    const of = shown.filter(({ figure }) => figure === name);
    if (of.length === 0) return [`no statement is about ${name}`];
    return rules
      .filter(({ id }) => !of.some(({ claims = [] }) => claims.includes(id)))
      .map(({ id }) => `no statement is about ${name}'s claim "${id}"`);
  });
}
