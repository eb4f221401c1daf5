// How fast per-lane is over WebGPU, for development: `run webgpu-probe kernels [MiB]`, `run webgpu-probe calls [most bits]`.
import { cpu, integer, openEngine, regular, variable } from "@polybin/core";
import { lower, plan, samples } from "@polybin/core/backend";
import { readCeiling, webgpu } from "@polybin/webgpu";
import { variant } from "../../packages/webgpu/dist/kernels/per-lane/index.js";

const DAWN = ["disable-dawn-features=timestamp_quantization"];
const [mode = "kernels", size, only] = process.argv.slice(2);
/** `quick`: one distribution, once, for a look whether all is right. */
const QUICK = only === "quick";
const VARIANTS = [
  ["unrolled", false, false],
  ["rolled", true, false],
  ["unrolled ahead", false, true],
  ["rolled ahead", true, true],
].map(([name, rolled, ahead]) => ({ name, slug: name.replace(" ", "-"), rolled, ahead }));

function random(seed) {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}

function distribution(name) {
  const next = random(0x9e3779b9);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const levels = { gauss: () => Math.max(0, Math.min(255, Math.round(128 + 10 * normal()))) };
  if (name === "gauss") return () => levels.gauss() / 256;
  if (name === "ramp") return (i) => (i % 256) / 256;
  if (name === "zipf") return () => (Math.floor(2 ** (8 * next())) - 1) / 256;
  return next;
}

const median = (of) => [...of].sort((a, b) => a - b)[of.length >> 1];
const percentile = (of, p) =>
  [...of].sort((a, b) => a - b)[Math.min(of.length - 1, Math.floor(of.length * p))];

async function awake(work) {
  const end = performance.now() + 600;
  while (performance.now() < end) await work();
}

async function kernels(mebibytes) {
  const bytes = mebibytes * 2 ** 20;
  const backend = webgpu({ dawn: DAWN, kernels: VARIANTS.map((v) => variant(v.slug, v.rolled, v.ahead)) });
  const rows = await readCeiling({ bytes, rounds: 9, dawn: DAWN });
  const ceiling = Math.max(...rows.map(({ ms }) => bytes / median(ms) / 1e6));
  console.log(JSON.stringify({ ceiling: Math.round(ceiling) }));
  const device = await backend.open();
  const oracle = await openEngine({ backend: cpu() });
  const host = new Uint8Array(bytes);
  const anywhere = variable(
    [...new Set([0, ...Array.from({ length: 255 }, random(77)), 1])].sort((a, b) => a - b),
  );
  const kinds = [
    ["u8", Uint8Array, 256, 1, [["u8", integer(0, 256)]]],
    ["u8", Uint8Array, 256, 4, [["rgba8, 3 of 4", integer(0, 256), [0, 1, 2]]]],
    ["u16", Uint16Array, 1024, 1, [["u16 integer 1024", integer(0, 1024)]]],
    [
      "u16",
      Uint16Array,
      65536,
      1,
      [
        ["u16 regular 1024", regular(1024, 0, 65536)],
        ["u16 regular 1000", regular(1000, 100, 60000)],
      ],
    ],
    [
      "f32",
      Float32Array,
      1,
      1,
      [
        ["f32 regular 256", regular(256, 0, 1)],
        ["f32 ratios 256", variable(Array.from({ length: 257 }, (_, i) => 2 ** (-20 + (20 * i) / 256)))],
        ["f32 anywhere 256", anywhere],
        ["f32 regular 2048", regular(2048, 0, 1)],
      ],
    ],
    [
      "f64",
      Float64Array,
      1,
      1,
      [
        ["f64 regular 256", regular(256, 0, 1)],
        ["f64 regular 256 signed", regular(256, -1, 1)],
      ],
    ],
  ];
  for (const [type, Values, top, channels, cells] of kinds) {
    for (const name of QUICK ? ["uniform"] : ["uniform", "gauss", "ramp", "zipf"]) {
      const tile = new Values(QUICK ? 2 ** 15 : 2 ** 22);
      const next = distribution(name);
      for (let i = 0; i < tile.length; i++) tile[i] = next(i) * top;
      const from = new Uint8Array(tile.buffer);
      for (let at = 0; at < bytes; at += from.length) host.set(from, at);
      const data = new Values(host.buffer);
      const resident = await device.upload(samples({ data, channels }), {});
      const repeats = bytes / from.length;
      for (const [label, axis, which = [0]] of cells) {
        const lowering = lower(axis, type);
        const request = { algorithm: "per-lane", columns: [{ type, lowering }], samples: resident.pixels };
        const { lookupSizeOf } = await import("@polybin/core/backend");
        request.columns[0].lookup = lookupSizeOf(lowering, device.limits);
        const planned = plan({ ...request, channels: which.length }, device.limits);
        const right = await oracle.histograms({ data: tile, channels }, { axis, channels: which });
        const line = {
          cell: label,
          distribution: name,
          replicas: planned.replicas,
          lookups: planned.own.lookupReplicas,
        };
        for (const v of VARIANTS) {
          try {
            const job = { type, interleaved: channels, channels: which, axis, lowering };
            const prepared = device.prepare({ ...job, plan: { ...planned, algorithm: v.slug } });
            const once = () => prepared.count({ kind: "resident", resident }, { timed: true });
            await once();
            if (!QUICK) await awake(once);
            const ms = [];
            let found;
            for (let i = 0; i < (QUICK ? 1 : 9); i++) {
              found = await once();
              ms.push(found.timings.kernelMs);
            }
            const exact = found.channels.every(({ cells: counted, flow }, c) => {
              const { counts, underflow, overflow, nan } = right[c];
              const sum = [underflow, overflow, nan].every((count, i) => count * repeats === flow[i]);
              // Raw bytes over 256 bins are the bins.
              return sum && counts.every((count, i) => count * repeats === counted[i]);
            });
            line[v.name] =
              `${Math.round((100 * bytes) / median(ms) / 1e6 / ceiling)}% ${Math.round(bytes / median(ms) / 1e6)}${exact ? "" : " WRONG"}`;
          } catch (error) {
            line[v.name] = String(error.message).slice(0, 200);
          }
        }
        console.log(JSON.stringify(line));
      }
      await resident.free();
    }
  }
  await device.close();
  await oracle.close();
}

/** Latencies of whole calls, and Dawn's own floor in the same process. */
async function calls(mostBits) {
  const device = await webgpu().open();
  const microseconds = (of) => ({
    median: +(1000 * median(of)).toFixed(1),
    p99: +(1000 * percentile(of, 0.99)).toFixed(1),
  });
  const timesOf = async (rounds, work) => {
    for (let i = 0; i < rounds / 4; i++) await work();
    const times = [];
    for (let i = 0; i < rounds; i++) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
    return times;
  };
  await floor(timesOf, microseconds);
  const axis = integer(0, 256);
  const lowering = lower(axis, "u8");
  for (const bits of [13, 16, 20, 24, 26, 28, 30].filter((bits) => bits <= mostBits)) {
    const data = new Uint8Array(2 ** bits);
    for (let i = 0; i < data.length; i++) data[i] = (i * 2654435761) >>> 13;
    const resident = await device.upload(samples(data), {});
    const input = { kind: "resident", resident };
    const request = {
      algorithm: "per-lane",
      columns: [{ type: "u8", lowering, lookup: null }],
      samples: data.length,
    };
    const planned = plan({ ...request, channels: 1 }, device.limits);
    const job = { type: "u8", interleaved: 1, channels: [0], axis, lowering, plan: planned };
    const prepared = device.prepare(job);
    const check = (found) => {
      const sum = found.channels[0].cells.reduce((total, count) => total + count, 0);
      if (sum !== data.length) throw new Error(`expected ${data.length} samples but received ${sum}`);
    };
    const rounds = Math.max(20, Math.min(1000, 2 ** (36 - bits)));
    const one = await timesOf(rounds, async () => check(await prepared.count(input, {})));
    const eight = await timesOf(rounds / 5, async () => {
      (await Promise.all(Array.from({ length: 8 }, () => prepared.count(input, {})))).forEach(check);
    });
    const many = await timesOf(Math.max(5, rounds / 40), async () => {
      (await Promise.all(Array.from({ length: 128 }, () => prepared.count(input, {})))).forEach(check);
    });
    const inputs = Array.from({ length: 256 }, () => input);
    const all = await timesOf(Math.max(5, rounds / 40), async () =>
      (await prepared.countAll(inputs, {})).forEach(check),
    );
    const counts = prepared.accumulator();
    const adds = await timesOf(rounds, () => counts.add(input, {}));
    const taken = await counts.take({});
    const added = taken.channels[0].cells.reduce((total, count) => total + count, 0) / data.length;
    await counts.free();
    console.log(
      JSON.stringify({
        n: `2^${bits}`,
        count: microseconds(one),
        "8 in flight, each": microseconds(eight.map((ms) => ms / 8)),
        "128 in flight, each": microseconds(many.map((ms) => ms / 128)),
        "countAll(256), each": microseconds(all.map((ms) => ms / 256)),
        accumulate: microseconds(adds),
        accumulated: added,
      }),
    );
    await resident.free();
  }
  await device.close();
}

/** What devices come from must not be collected. */
let gpu;

/** One dispatch, a copy and a map, by bare calls; with a kernel that adds one word. */
async function floor(timesOf, microseconds) {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  gpu = create([]);
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  const device = await adapter.requestDevice();
  const code =
    "@group(0) @binding(0) var<storage, read_write> o: array<atomic<u32>>; @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { atomicAdd(&o[i], 1u); }";
  const pipeline = await device.createComputePipelineAsync({
    layout: "auto",
    compute: { module: device.createShaderModule({ code }) },
  });
  const counts = device.createBuffer({ size: 1280 * 256, usage: 0x80 | 0x4 | 0x8 });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: counts, size: 1280 } }],
  });
  const back = Array.from({ length: 8 }, () => device.createBuffer({ size: 1280 * 256, usage: 0x1 | 0x8 }));
  const one = async (to, dispatches = 1, bytes = 1036) => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    for (let i = 0; i < dispatches; i++) pass.dispatchWorkgroups(1);
    pass.end();
    encoder.copyBufferToBuffer(counts, 0, to, 0, bytes);
    device.queue.submit([encoder.finish()]);
    await to.mapAsync(1, 0, bytes);
    const copy = new Float64Array(new Uint32Array(to.getMappedRange(0, bytes)));
    to.unmap();
    return copy;
  };
  const single = await timesOf(1000, () => one(back[0]));
  const eight = await timesOf(200, () => Promise.all(back.map((to) => one(to))));
  const all = await timesOf(40, () => one(back[0], 256, 1280 * 256));
  console.log(
    JSON.stringify({
      floor: microseconds(single),
      "8 in flight, each": microseconds(eight.map((ms) => ms / 8)),
      "256 dispatches, each": microseconds(all.map((ms) => ms / 256)),
    }),
  );
  device.destroy();
}

if (mode === "kernels") await kernels(Number(size ?? 1024));
else await calls(Number(size ?? 30));
