// Measures the endpoint and what it replaces: `node measure.js`. Each in a process of its own, one after the other in turn.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import sharp from "sharp";
import { openCounter } from "./histogram.js";
import { loop, stats } from "./replaced.js";
import { createServer, LIMITS } from "./server.js";

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 8;
const ALONE = 15;
const WAYS = ["polybin", "loop", "stats"];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** A process that serves in one of the ways, and times pictures on their own if it is told a file. */
async function serve(way) {
  const counter = way === "polybin" ? await openCounter(LIMITS) : { count: { loop, stats }[way] };
  const app = createServer(counter.count);
  process.on("message", async (picture) => {
    const bytes = await readFile(picture);
    const signal = new AbortController().signal;
    const ms = [];
    for (let i = 0; i < 3 + ALONE; i++) {
      const start = performance.now();
      await counter.count(bytes, {}, signal);
      if (i >= 3) ms.push(performance.now() - start);
    }
    process.send(median(ms));
  });
  process.on("disconnect", () => process.exit());
  process.send(await app.listen({ host: "127.0.0.1", port: 0 }));
}

async function load(url, body) {
  const result = await autocannon({
    url: `${url}/histogram`,
    method: "POST",
    body,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} requests failed`);
  return { perSecond: result["2xx"] / result.duration, p99: result.latency.p99 };
}

async function measure() {
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const small = fileURLToPath(new URL("../../../apps/cli/sample/evening.png", import.meta.url));
  const large = join(tmpdir(), "polybin-upload-12-megapixels.jpg");
  await sharp(small).resize(4000, 3000).jpeg({ quality: 90 }).toFile(large);
  const pictures = { "640 x 480 PNG": small, "4000 x 3000 JPEG": large };

  const servers = {};
  for (const way of WAYS) {
    const child = fork(fileURLToPath(import.meta.url), [way]);
    const [url] = await once(child, "message");
    servers[way] = { child, url };
  }
  console.log(
    `${cpus()[0].model}, ${cpus().length} threads, Node ${process.version}, sharp ${sharp.versions.sharp}`,
  );
  for (const [name, file] of Object.entries(pictures)) {
    const body = await readFile(file);
    const found = Object.fromEntries(WAYS.map((way) => [way, { alone: [], rates: [], p99: [] }]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of WAYS) {
        const { child, url } = servers[way];
        child.send(file);
        const [alone] = await once(child, "message");
        const { perSecond, p99 } = await load(url, body);
        found[way].alone.push(alone);
        found[way].rates.push(perSecond);
        found[way].p99.push(p99);
      }
    }
    for (const [way, { alone, rates, p99 }] of Object.entries(found)) {
      const range = `${Math.min(...rates).toFixed(1)} to ${Math.max(...rates).toFixed(1)}`;
      console.log(
        `${name}, ${way}: ${median(alone).toFixed(2)} ms alone; ${median(rates).toFixed(1)} per second (${range}), ` +
          `99th percentile ${median(p99)} ms at ${CONNECTIONS} connections`,
      );
    }
  }
  for (const { child } of Object.values(servers)) child.disconnect();
}

if (process.send) await serve(process.argv[2]);
else await measure();
