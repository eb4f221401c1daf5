import type { Route } from "./route.ts";
import type { FileEntry } from "./types.ts";
import { SOFTWARE } from "./words.ts";

/** Whose results a view reads. */
export type Readers = "one machine" | "any machine";

/**
 * Returns the files that an address selects, and the completed address. A view of one machine takes the machine with the
 * most rows if the address names none.
 */
export function selection(
  all: readonly FileEntry[],
  route: Route,
  reads: Readers,
): { readonly route: Route; readonly files: readonly FileEntry[] } {
  const software = showsSoftware(route);
  const real = all.filter((file) => software || !isSoftware(file));
  const machine = route.selected.get("machine") ?? (reads === "one machine" ? mostMeasured(real) : undefined);
  const selected = new Map(route.selected);
  if (machine !== undefined) selected.set("machine", machine);
  return { route: { ...route, selected }, files: real.filter((file) => isSelected(file, selected)) };
}

/** Whether the reader asked for software adapters, which count on the CPU in place of a GPU: by a box, or by the machine's name. */
export const showsSoftware = ({ selected }: Route): boolean =>
  selected.get("software") === "1" || SOFTWARE.test(selected.get("machine") ?? "");

/** Whether a software adapter was the GPU of a file. */
export const isSoftware = ({ machine }: FileEntry): boolean => SOFTWARE.test(String(machine?.gpu ?? ""));

/** A file without a commit comes from several, and belongs to each of them. */
function isSelected({ folder, commit }: FileEntry, selected: Route["selected"]): boolean {
  const machine = selected.get("machine");
  const wanted = selected.get("commit");
  return (
    (machine === undefined || machine === folder) &&
    (wanted === undefined || commit === null || commit.startsWith(wanted))
  );
}

function mostMeasured(files: readonly FileEntry[]): string | undefined {
  const rows = new Map<string, number>();
  for (const { folder, rows: count } of files) rows.set(folder, (rows.get(folder) ?? 0) + count);
  return [...rows].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
