import { expect, it } from "vitest";
import { Semaphore } from "../src/base/semaphore.ts";

/** Work that ends when told to. */
function held(semaphore: Semaphore, signal?: AbortSignal) {
  let begun = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = semaphore.hold(() => {
    begun = true;
    return promise;
  }, signal);
  return { end: resolve, done, begun: () => begun };
}

it("admits holders in order, also if one fails", async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.hold(() => Promise.reject(new Error("no")));
  const [second, third] = [held(semaphore), held(semaphore)];
  expect(semaphore.waiting).toBe(2);
  await expect(failing).rejects.toThrow("no");
  await expect.poll(second.begun).toBe(true);
  expect(third.begun()).toBe(false);
  second.end();
  await expect.poll(third.begun).toBe(true);
  third.end();
  await third.done;
  expect(semaphore.waiting).toBe(0);
});

it("an aborted waiter leaves at once, without a turn", async () => {
  const semaphore = new Semaphore(1);
  const controller = new AbortController();
  const first = held(semaphore, controller.signal);
  const second = held(semaphore, controller.signal);
  const third = held(semaphore);
  controller.abort("enough");
  await expect(second.done).rejects.toBe("enough");
  await expect(held(semaphore, controller.signal).done).rejects.toBe("enough");
  expect(semaphore.waiting).toBe(1);
  first.end();
  await expect.poll(third.begun).toBe(true);
  third.end();
  await third.done;
  expect(second.begun()).toBe(false);
});
