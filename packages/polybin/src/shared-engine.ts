import type * as Columns from "@polybin/columns";
import { type Backend, type Engine, type OpenOptions, openEngine } from "@polybin/core";
import {
  isTable,
  type TableComparison,
  type TableHistogram,
  type TableJoint,
  type TableProfile,
} from "./tables.ts";

/** An engine's calls without an engine, those of tables, and `openEngine` with the same default. */
export interface Calls extends Pick<Engine, "histograms"> {
  readonly histogram: TableHistogram & Engine["histogram"];
  readonly joint: TableJoint & Engine["joint"];
  readonly profile: TableProfile;
  readonly compare: TableComparison;
  openEngine(options?: OpenOptions): Promise<Engine>;
}

/** The calls of `@polybin/columns` that count a table with an engine. */
type TableCalls = Pick<typeof Columns, "histogram" | "joint" | "profile" | "compare">;

/**
 * Creates calls that share one engine. The first call opens it, and it stays open. It does not keep a process running.
 * @param backends returns the backends in order of preference; core's CPU comes after them
 * @param tables loads what counts tables
 */
export function callsOn(
  backends: () => Promise<readonly Backend[]>,
  tables: () => Promise<TableCalls>,
): Calls {
  const open = async (options?: OpenOptions): Promise<Engine> => {
    const isChosen = options?.backend !== undefined || options?.backends !== undefined;
    return openEngine(isChosen ? options : { ...options, backends: await backends() });
  };
  let shared: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    shared ??= open().catch((error) => {
      shared = undefined;
      throw error;
    });
    return shared;
  };
  type Call = (...given: unknown[]) => unknown;
  const ofEngine = async (name: "histogram" | "histograms" | "joint", given: unknown[]) => {
    const on = await engine();
    return (on[name] as Call).apply(on, given);
  };
  const ofTable = async (name: keyof TableCalls, given: unknown[]) => {
    const calls = await tables();
    return (calls[name] as Call)(await engine(), ...given);
  };
  // The types are those of the methods, which have several overloads.
  const either = (name: "histogram" | "joint") =>
    ((...given: unknown[]) =>
      isTable(given[0], given[1]) ? ofTable(name, given) : ofEngine(name, given)) as never;
  return {
    histogram: either("histogram"),
    histograms: ((...given: unknown[]) => ofEngine("histograms", given)) as never,
    joint: either("joint"),
    profile: (...given) => ofTable("profile", given) as never,
    compare: (...given) => ofTable("compare", given) as never,
    openEngine: open,
  };
}
