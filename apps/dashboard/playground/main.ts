import { mountPlayground, workOffline } from "../src/try/playground.ts";

const { shown } = await mountPlayground(document.getElementById("playground")!);
// The first histogram does not wait for it.
await shown;
await workOffline("./offline.js");
