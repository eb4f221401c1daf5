import { limits } from "@polybin/core/backend";
import { expect, test, vi } from "vitest";
import { backendOf, IN_MEMORY, openFirst } from "../src/engine/backends.ts";
import { Choice } from "../src/engine/index.ts";

test("auto does not pass over what refuses its options", async () => {
  const threads = limits.MAX_THREADS + 1;
  await expect(openFirst({ threads })).rejects.toMatchObject({ code: "ERR_LIMIT" });
  for (const id of ["piscina", "cpu"]) {
    await expect(backendOf(id, { threads })).rejects.toMatchObject({ code: "ERR_LIMIT" });
    expect((await backendOf(id, { threads: limits.MAX_THREADS })).id).toBe(id);
  }
});

test("auto opens the first backend that can do the work, and core's own if none can", async () => {
  await using able = await openFirst({}, ({ id }) => id === "piscina");
  expect(able.backend).toBe("piscina");
  await using own = await openFirst({}, () => false);
  expect(own.backend).toBe("cpu");
});

test("a table is counted where its values lie, and no package of a GPU is loaded", async () => {
  const loaded: string[] = [];
  for (const name of ["@polybin/cuda", "@polybin/webgpu"]) {
    vi.doMock(name, () => {
      loaded.push(name);
      return {};
    });
  }
  const where = { backend: "auto", threads: undefined, algorithm: "auto", segments: null } as const;
  await using choice = await Choice.of({ ...where, table: true });
  const { backend } = await choice.engine(null, "f64");
  expect([...IN_MEMORY, "cpu"]).toContain(backend);
  expect(loaded).toEqual([]);
});
