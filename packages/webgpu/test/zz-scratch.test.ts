import { runConformance, conformanceCases } from "@polybin/conformance";
import { it } from "vitest";
import { appendFileSync, writeFileSync } from "node:fs";
import { backend } from "./shared.ts";
const out = "/work/h/conf-scratch/webgpu.txt";
it("x", { timeout: 900_000 }, async () => {
  writeFileSync(out, "");
  const pat = new RegExp(process.env.PAT ?? "^combinations:");
  const ms = new Map<string, number>();
  const r = await runConformance(backend, { required: true, filter: (c) => pat.test(c.topic + ": " + c.name), onResult(x) {
    ms.set(x.topic, (ms.get(x.topic) ?? 0) + x.ms);
    if (x.ms > 1500) appendFileSync(out, `slow ${x.ms | 0} ${x.name}\n`);
    if (x.status !== "passed") appendFileSync(out, `${x.status} ${x.topic}: ${x.name}: ${x.reason.slice(-900)}\n`);
  } });
  appendFileSync(out, `${r.passed} passed ${r.failed} failed ${r.skipped} skipped ${JSON.stringify([...ms])}\n`);
});
