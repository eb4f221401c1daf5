import { limits } from "@polybin/core/backend";
import { expect, test } from "vitest";
import { automaticBackends, backendOf } from "../src/engine/backends.ts";

test("auto does not pass over what refuses its options", async () => {
  const threads = limits.MAX_THREADS + 1;
  await expect(automaticBackends({ threads })).rejects.toMatchObject({ code: "ERR_LIMIT" });
  for (const id of ["piscina", "cpu"]) {
    await expect(backendOf(id, { threads })).rejects.toMatchObject({ code: "ERR_LIMIT" });
  }
  const found = await automaticBackends({ threads: limits.MAX_THREADS });
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(["piscina", "cpu"]));
});
