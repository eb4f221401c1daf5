// Uses all packages in a server-side runtime and prints the results of each backend as one line of JSON.
import { equalize, median } from "@polybin/analysis";
import { cpu, openEngine } from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { cuda } from "@polybin/cuda";
import { native } from "@polybin/native";
import { decode } from "@polybin/pictures";
import { piscina } from "@polybin/piscina";
import { webgpu } from "@polybin/webgpu";
import { histogram } from "polybin";
import { use } from "./uses.mjs";

const BACKENDS = {
  cpu: [cpu, "per-block"],
  multithreaded: [() => multithreaded({ threads: 2 }), "multithreaded"],
  piscina: [() => piscina({ threads: 2 }), "per-warp"],
  native: [() => native({ threads: 2 }), "per-lane"],
};
// Three grey pixels: 5, 7, 7.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAABCAAAAAA+i0toAAAADElEQVR4XmNgZWcHAAAoABTDGvbZAAAAAElFTkSuQmCC";

const found = {};
for (const [id, [backend, algorithm]] of Object.entries(BACKENDS)) {
  if (!(await backend().probe()).available) continue;
  const engine = await openEngine({ backend: backend() });
  found[id] = await use(engine, algorithm);
  await engine.close();
}
const engine = await openEngine();
const picture = await decode(Uint8Array.from(atob(PNG), (letter) => letter.charCodeAt(0)));
const [grey] = await engine.histograms(picture);
found.grey = [...grey.counts.slice(5, 8)];
found.analysis = [median(grey).value, equalize(grey)[7]];
found.plain = [...(await histogram([1, 2, 2.5], { bins: 2 })).counts];
found.probes = { cuda: await cuda().probe(), native: await native().probe(), webgpu: await webgpu().probe() };
console.log(JSON.stringify(found));
// A driver must not keep the process alive.
process.exit();
