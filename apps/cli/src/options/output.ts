import { PolybinError } from "@polybin/core";
import { Option } from "commander";
import { both } from "./checks.ts";

/** A format of the file of `--output`, and the option that writes it. */
type Drawn = "svg" | "png" | "html";

/** `--output`, whose name decides the format. @param formats those that the command writes */
export function outputOption(...formats: readonly Drawn[]): Option {
  const endings = formats.map((format) => `.${format}`).join(" or ");
  const option = new Option(
    "-o, --output <FILE>",
    `also write a ${formats.includes("html") ? "report" : "plot"}, as the name says: ${endings}`,
  );
  return option;
}

/**
 * Options with that of the format of `--output` in place of it.
 * @throws ERR_INPUT for a name without a known ending
 */
export function withOutput<O extends { readonly output?: string } & { readonly [format in Drawn]?: string }>(
  options: O,
  formats: readonly Drawn[] = ["svg", "png"],
): O {
  const { output, ...others } = options;
  if (output === undefined) return options;
  const ending = /\.(\w+)$/.exec(output)?.[1]?.toLowerCase();
  const format = formats.find((one) => one === ending);
  if (format === undefined) {
    const endings = formats.map((one) => `.${one}`).join(" or ");
    const remedy = ending === "json" || ending === "csv" ? `; --${ending} > ${output} writes the counts` : "";
    throw new PolybinError(
      "ERR_INPUT",
      `expected a name that ends in ${endings} for --output but received ${JSON.stringify(output)}${remedy}`,
    );
  }
  if (others[format] !== undefined) throw both("--output", `--${format}`);
  return { ...others, [format]: output } as unknown as O;
}
