import { readdirSync, readlinkSync } from "node:fs";
import { integer, openEngine } from "@polybin/core";
import { expect, it } from "vitest";
import { absence, backend } from "./shared.ts";

/** The files that this process has open. */
function open(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [`${descriptor} ${readlinkSync(`/proc/self/fd/${descriptor}`)}`];
    } catch {
      // The descriptor of the folder itself.
      return [];
    }
  });
}

it("calls open no files; SwiftShader opens memory for its code at the first kernel", async (ctx) => {
  if (process.platform !== "linux") return ctx.skip("only Linux lists a process's files in /proc");
  const reason = await absence();
  if (reason !== null) return ctx.skip(reason);
  await using engine = await openEngine({ backend: backend() });
  const before = new Set(open());
  await using counter = await engine.prepare({ axis: integer(0, 256) });
  const resident = await engine.upload(new Uint8Array(64));
  await counter.count(resident);
  const first = open();
  expect(first.filter((file) => !before.has(file) && !file.includes("swiftshader_jit"))).toEqual([]);
  for (let i = 0; i < 300; i++) await counter.count(i % 2 === 0 ? resident : new Uint8Array(64));
  expect(open()).toEqual(first);
});
