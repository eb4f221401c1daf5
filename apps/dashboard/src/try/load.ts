/** The modules of the live views. */
interface Live {
  readonly playground: () => Promise<typeof import("./playground.ts")>;
  readonly compare: () => Promise<typeof import("./compare/compare.ts")>;
  readonly tasks: () => Promise<typeof import("./tasks/run.ts")>;
}

/** The live views contain the library, so each is loaded when it is opened. */
export const LIVE: Live = {
  playground: () => import("./playground.ts"),
  compare: () => import("./compare/compare.ts"),
  tasks: () => import("./tasks/run.ts"),
};
