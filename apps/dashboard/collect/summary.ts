import { median } from "../src/data/median.ts";
import type { FileEntry, FileKind, Profile, RowSummary, RowsFile } from "../src/data/types.ts";
import { profileOf } from "./profile.ts";

/** The fields of a result file that the plugin reads. The others pass through unchanged. */
interface ResultFile {
  readonly commit?: string;
  readonly date?: string;
  readonly machine?: FileEntry["machine"];
  readonly driver?: string;
  readonly device?: string;
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  readonly papers?: readonly unknown[];
  readonly rows?: readonly (RowSummary & {
    readonly ms: readonly number[];
    readonly callMs?: readonly number[];
  })[];
  readonly missing?: readonly string[];
  readonly notes?: unknown;
}

/** Makes the index entry of a file. */
export function indexed(path: string, file: ResultFile): FileEntry {
  const [folder = "", name = ""] = path.split("/");
  return {
    path,
    folder,
    name,
    kind: kindOf(file),
    commit: file.commit ?? null,
    date: file.date ?? null,
    machine: file.machine ?? null,
    rows: file.rows?.length ?? 0,
    profiled: isProfiled(profileOf(file.notes)),
    missing: file.missing ?? [],
    conformance:
      file.passed === undefined
        ? null
        : {
            device: file.device ?? "",
            passed: file.passed,
            failed: file.failed ?? 0,
            skipped: file.skipped ?? 0,
          },
  };
}

const isProfiled = ({ multiprocessors, kernels }: Profile): boolean =>
  multiprocessors !== null || kernels.length > 0;

function kindOf({ papers, passed, rows = [] }: ResultFile): FileKind {
  if (papers !== undefined) return "papers";
  if (passed !== undefined) return "conformance";
  return rows.length > 0 ? "rows" : "notes";
}

/** Replaces the runs of each row by their median, minimum, maximum and number. */
export function summary({ rows = [] }: ResultFile): RowsFile {
  return {
    rows: rows.map(({ ms, callMs, ...row }) => ({
      ...row,
      ...(callMs === undefined ? {} : { callGbps: (row.gbps * median(ms)) / median(callMs) }),
      medianMs: median(ms),
      leastMs: Math.min(...ms),
      mostMs: Math.max(...ms),
      runs: ms.length,
    })),
  };
}
