import { wrapAnsi } from "fast-wrap-ansi";
import { printable } from "../base/index.ts";
import { briefReason, type Listed, listBackends } from "../engine/index.ts";
import { stdoutPage, write } from "../terminal/index.ts";

const INDENT = "  ";

/** `polybin backends`: a line for each, or with `verbose` all that is known, and what reads tables of text. */
export async function backends({
  json,
  verbose,
}: {
  readonly json?: boolean;
  readonly verbose?: boolean;
}): Promise<void> {
  const listed = await listBackends();
  const { width } = stdoutPage();
  await write(
    json
      ? `${printable(JSON.stringify(listed))}\n`
      : verbose
        ? [...listed.map((backend) => lines(backend, width)), indented(await textLine(), width), ""].join(
            "\n",
          )
        : `${[...listed.map((backend) => line(backend, width)), "", indented(MORE, width)].join("\n")}\n`,
  );
}

/** Says what reads CSV and JSON lines. */
async function textLine(): Promise<string> {
  const { textReader } = await import("@polybin/columns");
  const reader = await textReader();
  return `text     CSV and JSON lines are read by ${reader === "addon" ? "the addon of native" : reader}`;
}

const MORE = "--verbose lists the algorithms, and says what helps.";

/** A backend in one line, which a narrow terminal cuts. */
function line({ id, available, reason, device, software }: Listed, width: number): string {
  const state = available
    ? `${device}${software ? " (software; auto does not use it)" : ""}`
    : `not here: ${briefReason(id, reason ?? "")}`;
  const text = `${id.padEnd(8)} ${printable(state)}`;
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

function lines(
  { id, available, reason, device, software, algorithms, weighted }: Listed,
  width: number,
): string {
  const imitated = software ? " (software on the CPU; auto does not use it)" : "";
  const state = printable(available ? `available: ${device}${imitated}` : `not available: ${reason}`);
  return [
    indented(`${id.padEnd(8)} ${state}`, width),
    ...[algorithms, weighted]
      .filter((slugs) => slugs.length > 0)
      .map((slugs, i) => indented(`${INDENT}${i === 0 ? "hist" : "weighted"}: ${slugs.join(", ")}`, width)),
    "",
  ].join("\n");
}

/** Wraps a line. All rows but the first are indented. */
function indented(text: string, width: number): string {
  return wrapAnsi(text, width - 2 * INDENT.length, { trim: false }).replaceAll(
    / *\n */g,
    `\n${INDENT}${INDENT}`,
  );
}
