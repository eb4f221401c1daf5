import { type Listed, listBackends } from "../listed.ts";
import { printable } from "../output/words.ts";
import { write } from "../output/write.ts";

/** `polybin backends`. */
export async function backends({ json }: { readonly json?: boolean }): Promise<void> {
  const listed = await listBackends();
  await write(json ? `${printable(JSON.stringify(listed))}\n` : listed.map(lines).join("\n"));
}

function lines({ id, available, reason, device, software, algorithms, weighted }: Listed): string {
  const imitated = software ? ", a GPU that the CPU imitates: auto passes it over" : "";
  const state = printable(available ? `available: ${device}${imitated}` : `not available: ${reason}`);
  const rows = [`${id.padEnd(8)} ${state}`];
  for (const slugs of [algorithms, weighted]) {
    if (slugs.length > 0) rows.push(`${" ".repeat(9)}${slugs.join(" ")}`);
  }
  return `${rows.join("\n")}\n`;
}
