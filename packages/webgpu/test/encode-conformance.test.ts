import { describeBackend, type Encode } from "@polybin/conformance";
import { webgpu } from "@polybin/webgpu";
import { afterAll, describe, it } from "vitest";
import { absence, userDevice } from "./shared.ts";
import { BUFFER } from "./user-memory.ts";

// The combinations that are counted into a user's buffer. The device is the user's, too, because commands and memory belong
// to one device.

const reason = await absence();
const device = reason === null ? await userDevice() : null;

/** Bytes of a count, and the counts after the bins: underflow, overflow and NaN. */
const COUNT_BYTES = 4;
const FLOW = 3;
/** Bytes for the counts of any combination. */
const ROOM = 2 ** 20;

const encode: Encode = async (engine, input, options) => {
  const into = device!.createBuffer({ size: ROOM, usage: BUFFER.STORAGE | BUFFER.COPY_SRC });
  const encoder = device!.createCommandEncoder();
  const { layout, axis } = await engine.encode(encoder, input as never, { ...options, into } as never);
  const room = device!.createBuffer({ size: ROOM, usage: BUFFER.MAP_READ | BUFFER.COPY_DST });
  encoder.copyBufferToBuffer(into, 0, room, 0, ROOM);
  device!.queue.submit([encoder.finish()]);
  await room.mapAsync(1);
  const words = new Uint32Array(room.getMappedRange().slice(0));
  room.destroy();
  into.destroy();
  return layout.offsets.map((offset) => {
    const at = offset / COUNT_BYTES;
    return words.subarray(at, at + axis.bins + FLOW);
  });
};

if (device === null) it.skip(`no device: ${reason}`);
else {
  describeBackend(
    () => webgpu({ device }),
    { describe, it, afterAll },
    {
      encode,
      required: true,
      filter: ({ topic, name }) => topic === "combinations" && /; encode/.test(name),
    },
  );
  afterAll(() => device.destroy());
}
