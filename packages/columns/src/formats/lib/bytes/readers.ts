import { loadedOnce } from "@polybin/core/backend";

/** The package of the compiled readers. Each is null without an addon, as in a page. */
export const readers: () => Promise<typeof import("@polybin/native/readers")> = loadedOnce(
  () => import("@polybin/native/readers"),
);
