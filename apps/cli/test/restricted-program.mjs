// Opens the backends that the test names in a process that lacks something, counts, and prints what it found as JSON.
const [missing, ...names] = process.argv.slice(2);
if (missing !== "nothing") delete globalThis[missing];
const { openEngine, integer } = await import("@polybin/core");
const { webgpu } = await import("@polybin/webgpu");
const { piscina } = await import("@polybin/piscina");
const { cuda } = await import("@polybin/cuda");
const { multithreaded } = await import("@polybin/core/multithreaded");
const known = {
  webgpu: () => webgpu(),
  swiftshader: () => webgpu({ dawn: JSON.parse(process.env.DAWN) }),
  piscina: () => piscina({ threads: 2 }),
  cuda: () => cuda(),
  multithreaded: () => multithreaded({ threads: 2 }),
};
const backends = names.map((name) => known[name]());
const probes = [];
for (const backend of backends) probes.push(await backend.probe());
const engine = await openEngine({ backends, fallback: names.includes("swiftshader") });
const { counts } = await engine.histogram(Uint8Array.of(1, 2, 2, 250), { axis: integer(0, 4) });
const stream = new Blob([new Uint8Array(1_000_000)]).stream();
const large = await engine.histogram(stream);
const algorithm = engine.algorithms.includes("multithreaded") ? "multithreaded" : "auto";
const threads = await engine.histogram(new Uint8Array(100_000), { algorithm });
const { backend, skipped } = engine;
await engine.close();
const sums = [large.counts[0], threads.counts[0]];
process.stdout.write(JSON.stringify({ probes, backend, skipped, counts: [...counts], sums }));
