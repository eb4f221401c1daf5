// More uploads than the server takes, good and hostile ones, slow ones and ones that break off: its memory stays bounded, and
// it goes on serving.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import sharp from "sharp";
import { expect, test } from "vitest";
import { LIMITS } from "../server.js";
import { started } from "./started.ts";

const MIB = 2 ** 20;
/** What the program takes before the first upload, and what its libraries keep: measured, and rounded up. */
const BASE = 300 * MIB;
/** The bodies, and two decoded pictures of 8 bits with three channels, which workers see in a copy of pieces. */
const BOUND =
  BASE + (LIMITS.uploads + LIMITS.counting) * LIMITS.maxBytes + LIMITS.counting * 3 * LIMITS.maxPixels;

test("under load the memory stays below its bound, and refusals are the ones that are meant", async (context) => {
  if (process.platform !== "linux")
    return context.skip("only Linux tells how much memory a process had at most");
  const png = await readFile(new URL("../../../../apps/cli/sample/evening.png", import.meta.url));
  const large = await sharp(png).resize(5600, 4200).jpeg({ quality: 80 }).toBuffer();
  const red = { width: 16_000, height: 16_000, channels: 3, background: "red" } as const;
  const giant = await sharp({ create: red }).png({ compressionLevel: 9 }).toBuffer();
  expect(Math.max(large.length, giant.length)).toBeLessThan(LIMITS.maxBytes);
  const { child, url } = await started();
  try {
    const port = Number(new URL(url).port);
    const head = "POST /histogram HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n";
    const sockets = Array.from({ length: 6 }, () => connect(port, "127.0.0.1"));
    for (const socket of sockets) socket.on("error", () => {}).write(head);
    const path = "/histogram";
    const bodies = [png, png.subarray(0, 70_000), large, giant, Buffer.alloc(LIMITS.maxBytes + 1), "a\n1\n"];
    const load = autocannon({
      url,
      connections: 40,
      duration: 15,
      requests: bodies.map((body) => ({ method: "POST" as const, path, body })),
    });
    for (let i = 0; i < 100; i++) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      socket.write(Buffer.concat([Buffer.from(head), png]));
      await wait(50);
      socket.destroy();
    }
    const { statusCodeStats } = await load;
    const seen = Object.keys(statusCodeStats ?? {}).map(Number);
    expect(seen).toEqual(expect.arrayContaining([200, 413, 503]));
    for (const status of seen) expect([200, 413, 415, 422, 503]).toContain(status);
    for (const socket of sockets) if (!socket.destroyed) socket.destroy();
    while ((await (await fetch(`${url}/load`)).json()).uploads > 0) await wait(50);
    expect((await fetch(`${url}${path}`, { method: "POST", body: png })).status).toBe(200);
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    const most = Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024;
    console.log(
      `${Math.round(most / MIB)} MiB at most, of ${Math.round(BOUND / MIB)}; answers`,
      statusCodeStats,
    );
    expect(most).toBeLessThan(BOUND);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});
