import { openEngine } from "@polybin/core";
import { use } from "./uses.mjs";

try {
  const engine = await openEngine();
  postMessage(await use(engine, "per-block"));
} catch (error) {
  postMessage(String(error.stack));
}
