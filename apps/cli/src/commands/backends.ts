import type { Slug, WeightedSlug } from "@polybin/core";
import { isPolybinError } from "@polybin/core";
import { BACKEND_IDS, backendOf } from "../backends.ts";
import { write } from "../output/write.ts";

/** One backend as `polybin backends --json` lists it. */
interface Listed {
  readonly id: string;
  readonly available: boolean;
  /** Why it is not available; null where it is. */
  readonly reason: string | null;
  readonly device: string | null;
  readonly algorithms: readonly Slug[];
  /** Those of `polybin weighted`. */
  readonly weighted: readonly WeightedSlug[];
}

/** `polybin backends`. */
export async function backends({ json }: { readonly json?: boolean }): Promise<void> {
  const listed = await Promise.all(BACKEND_IDS.map(look));
  await write(json ? `${JSON.stringify(listed)}\n` : listed.map(lines).join("\n"));
}

async function look(id: string): Promise<Listed> {
  try {
    const backend = await backendOf(id);
    const probe = await backend.probe();
    return {
      id,
      available: probe.available,
      reason: probe.available ? null : probe.reason,
      device: probe.available ? probe.device : null,
      algorithms: backend.algorithms,
      weighted: backend.weighted ?? [],
    };
  } catch (error) {
    if (!isPolybinError(error)) throw error;
    return { id, available: false, reason: error.message, device: null, algorithms: [], weighted: [] };
  }
}

function lines({ id, available, reason, device, algorithms, weighted }: Listed): string {
  const rows = [`${id.padEnd(8)} ${available ? `available: ${device}` : `not available: ${reason}`}`];
  for (const slugs of [algorithms, weighted]) {
    if (slugs.length > 0) rows.push(`${" ".repeat(9)}${slugs.join(" ")}`);
  }
  return `${rows.join("\n")}\n`;
}
