import { wrapAnsi } from "fast-wrap-ansi";
import { printable } from "../base/index.ts";
import { type Listed, listBackends } from "../engine/index.ts";
import { stdoutPage, write } from "../terminal/index.ts";

const INDENT = "  ";

/** `polybin backends`. */
export async function backends({ json }: { readonly json?: boolean }): Promise<void> {
  const listed = await listBackends();
  const { width } = stdoutPage();
  await write(
    json
      ? `${printable(JSON.stringify(listed))}\n`
      : listed.map((backend) => lines(backend, width)).join("\n"),
  );
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
