import { loadedOnce } from "@polybin/core/backend";
import type { LaterText } from "../../base/index.ts";
import type { LATER } from "../generated/later-shaders.ts";

const shaders = loadedOnce(() => import("../generated/later-shaders.ts"));

/** Names a text that a first histogram does not need. A page loads all of these texts when it uses one. */
export const laterText = (name: keyof typeof LATER): LaterText => ({
  name,
  load: async () => (await shaders()).LATER[name],
});
