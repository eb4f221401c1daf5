// Measures the endpoint and what it replaces: `node measure.js`. Each in a process of its own, one after the other in turn.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import sharp from "sharp";
import { openCounter } from "./histogram.js";
import { loop, stats } from "./replaced.js";
import { createServer, LIMITS } from "./server.js";

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 8;
const ALONE = 11;
const WAYS = ["polybin", "loop", "stats"];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/**
 * A process that serves in one of the ways. A message with a file times that picture on its own. Without one, it asks for the
 * processor time of the process so far, which other programs on a busy machine change less than they change rates.
 */
async function serve(way) {
  const counter = way === "polybin" ? await openCounter(LIMITS) : { count: { loop, stats }[way] };
  const app = createServer(counter.count);
  process.on("message", async (picture) => {
    const { user, system } = process.cpuUsage();
    if (picture === null) return process.send((user + system) / 1000);
    const bytes = await readFile(picture);
    const signal = new AbortController().signal;
    const ms = [];
    for (let i = 0; i < 3 + ALONE; i++) {
      const start = performance.now();
      await counter.count(bytes, {}, signal);
      if (i >= 3) ms.push(performance.now() - start);
    }
    return process.send(median(ms));
  });
  process.on("disconnect", () => process.exit());
  process.send(await app.listen({ host: "127.0.0.1", port: 0 }));
}

async function ask(child, message) {
  child.send(message);
  return (await once(child, "message"))[0];
}

async function load({ child, url }, body) {
  const before = await ask(child, null);
  const result = await autocannon({
    url: `${url}/histogram`,
    method: "POST",
    body,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} requests failed`);
  const cpu = ((await ask(child, null)) - before) / result["2xx"];
  return { perSecond: result["2xx"] / result.duration, p99: result.latency.p99, cpu };
}

async function measure() {
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
    const found = Object.fromEntries(WAYS.map((way) => [way, { alone: [], rates: [], p99: [], cpu: [] }]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of WAYS) {
        const alone = await ask(servers[way].child, file);
        const { perSecond, p99, cpu } = await load(servers[way], body);
        found[way].alone.push(alone);
        found[way].rates.push(perSecond);
        found[way].p99.push(p99);
        found[way].cpu.push(cpu);
      }
    }
    for (const [way, { alone, rates, p99, cpu }] of Object.entries(found)) {
      const range = `${Math.min(...rates).toFixed(1)} to ${Math.max(...rates).toFixed(1)}`;
      console.log(
        `${name}, ${way}: ${median(alone).toFixed(2)} ms alone; ${median(rates).toFixed(1)} per second (${range}), ` +
          `${median(cpu).toFixed(2)} ms of processor time per request, 99th percentile ${median(p99)} ms at ${CONNECTIONS} connections`,
      );
    }
  }
  for (const { child } of Object.values(servers)) child.disconnect();
}

if (process.send) await serve(process.argv[2]);
else await measure();
