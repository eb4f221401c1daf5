import { PolybinError } from "@polybin/core";

/** Checks that text is one of the choices. @throws ERR_INPUT */
export function oneOf<T extends string>(text: string, choices: readonly T[], name: string): T {
  if ((choices as readonly string[]).includes(text)) return text as T;
  throw new PolybinError(
    "ERR_INPUT",
    `expected one of ${choices.join(", ")} for ${name} but received ${JSON.stringify(text)}`,
  );
}

/** @throws ERR_INPUT if a column is named twice */
export function checkOnce(columns: readonly string[], option: string): void {
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice === undefined) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected each column once for ${option} but received ${JSON.stringify(twice)} twice`,
  );
}

/** @throws ERR_INPUT if several inputs are standard input, which can be read once */
export function checkOneStdin(paths: readonly (string | null | undefined)[]): void {
  if (paths.filter((path) => path === "-").length <= 1) return;
  throw new PolybinError("ERR_INPUT", "expected - for one input at most but received it again");
}

/** @throws ERR_INPUT if a result is to be printed in two formats */
export function checkOneFormat({ json, csv }: { readonly json?: boolean; readonly csv?: boolean }): void {
  if (json && csv) throw both("--json", "--csv");
}

/** @throws ERR_INPUT if one of these options is given together with `own` */
export function refuse<N extends string>(
  options: { readonly [name in N]?: unknown },
  own: string,
  names: readonly N[],
  why?: string,
): void {
  for (const name of names) {
    if (options[name] === undefined || options[name] === false) continue;
    throw both(own, `--${dashed(name)}`, why);
  }
}

/** The error for two options that exclude each other. @param why the other one does not go with the first */
export function both(one: string, other: string, why?: string): PolybinError {
  const reason = why === undefined ? "" : `, which ${why},`;
  return new PolybinError("ERR_INPUT", `expected either ${one} or ${other}${reason} but received both`);
}

/** extentFrom -> extent-from */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
