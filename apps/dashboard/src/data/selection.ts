import type { Route } from "../route.ts";
import type { FileEntry } from "./types.ts";

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
  const machine = route.selected.get("machine") ?? (reads === "one machine" ? mostMeasured(all) : undefined);
  const selected = new Map(route.selected);
  if (machine !== undefined) selected.set("machine", machine);
  return { route: { ...route, selected }, files: all.filter((file) => isSelected(file, selected)) };
}

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
