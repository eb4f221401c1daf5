import { createRequire } from "node:module";
import { resolve } from "node:path";
import { openEngine } from "@polybin/core";
import { cuda, deviceMemory, pinned } from "@polybin/cuda";
import { type Case, check, rejectsWith, soon } from "./case.ts";

/** A failure from which no call of this process recovers. This is the last case. */
export const lossCase: Case = {
  name: "a device that fails for good gives ERR_DEVICE_LOST of every engine, and close does not hang",
  async run({ device, fault, log }) {
    const addon = createRequire(import.meta.url)(resolve(fault)) as { fault(device: number): string };
    const engines = [
      await openEngine({ backend: cuda({ device }) }),
      await openEngine({ backend: cuda({ device }) }),
    ];
    const residents = await Promise.all(engines.map((engine) => engine.upload(new Uint8Array(1000))));
    const held = pinned(1000);
    // Calls that are under way must settle, with or without an error.
    const counter = await engines[0]!.prepare({});
    await counter.accumulate(residents[0]!);
    const under = Array.from({ length: 300 }, (_, i) =>
      i % 2 === 0 ? counter.count(residents[0]!) : counter.countAll([held, residents[0]!]),
    );
    const settled = Promise.allSettled(under);
    log(`the device fails with ${addon.fault(device)}`);
    for (const end of await soon(settled, "calls that were under way")) {
      const code = end.status === "rejected" ? (end.reason as { code?: string }).code : "ERR_DEVICE_LOST";
      check(code === "ERR_DEVICE_LOST", `expected counts or ERR_DEVICE_LOST but received ${code}`);
    }
    for (const input of [held, residents[0]!]) {
      await rejectsWith(
        (async () => counter.countSync(input))(),
        "ERR_DEVICE_LOST",
        "a count before it returns",
      );
      await rejectsWith(counter.countAll([input, input]), "ERR_DEVICE_LOST", "a batch");
      await rejectsWith(counter.accumulate(input), "ERR_DEVICE_LOST", "an accumulated count");
    }
    await rejectsWith(counter.take(), "ERR_DEVICE_LOST", "what was accumulated");
    for (const [i, engine] of engines.entries()) {
      await rejectsWith(engine.histogram(residents[i]!), "ERR_DEVICE_LOST", `engine ${i}, a resident`);
      await rejectsWith(engine.histogram(held), "ERR_DEVICE_LOST", `engine ${i}, host memory`);
      await rejectsWith(engine.upload(held), "ERR_DEVICE_LOST", `engine ${i}, an upload`);
      await rejectsWith(engine.extent(held), "ERR_DEVICE_LOST", `engine ${i}, an extent`);
    }
    await rejectsWith(deviceMemory({ device }), "ERR_DEVICE_LOST", "the memory of the device");
    await rejectsWith(openEngine({ backend: cuda({ device }) }), "ERR_UNAVAILABLE", "another engine");
    const { available } = await cuda({ device }).probe();
    check(!available, "expected that the device is no longer available");
    await soon(residents[0]!.free(), "free()");
    await soon(Promise.all(engines.map((engine) => engine.close())), "close()");
  },
};
