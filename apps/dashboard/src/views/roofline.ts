import { dot, line } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import {
  figure,
  isCeiling,
  memoryOf,
  type Profile,
  type ProfiledKernel,
  profilesOf,
  sizeOf,
} from "../data/index.ts";
import {
  axisOf,
  type Context,
  chart,
  colourAt,
  decimalTicks,
  distinct,
  endLabels,
  isNarrow,
  seriesOf,
  widest,
} from "../show/index.ts";

/** Instructions of threads that a multiprocessor starts in a cycle at most: four schedulers, a warp of 32 threads each. */
const PER_CYCLE = 4 * 32;

/** Both roofs of the profiled kernels: the memory's ceiling, and the rate at which the device starts instructions. */
interface Roofs {
  readonly memory: number | null;
  /** Instructions of threads per nanosecond; null if the number of multiprocessors is unknown. */
  readonly instructions: number | null;
}

/** Draws throughput over instructions per byte, below the two limits of the device. */
export async function roofline({ files, measured, width }: Context): Promise<TemplateResult | null> {
  const profile = await profilesOf(files);
  const [first] = profile.kernels;
  if (first === undefined) return null;
  const kernels = profile.kernels.filter(({ n }) => n === first.n);
  const ceilings = measured.filter(
    (row) => isCeiling(row) && row.n === first.n && memoryOf(row) === "device memory",
  );
  const roofs = {
    memory: ceilings.length === 0 ? null : Math.max(...ceilings.map(({ gbps }) => gbps)),
    instructions: instructionRoof(profile, kernels),
  };
  return html`<h2>Bytes or instructions?</h2>
    ${drawn(width, kernels, roofs, first.n)}
    <p>A kernel near the horizontal line is limited by the device memory, and one near the sloping line by the number of instructions. A kernel far below both waits for something else, such as bank conflicts. These are the counting kernels alone on ${sizeOf(first.n)} bytes, under a profiler; whole calls have no instruction counts, so the switch does not apply. The line of the memory is the fastest kernel that only reads this number of bytes. The sloping line assumes that each of ${profile.multiprocessors ?? "the"} multiprocessors starts four instructions of 32 threads in every cycle, at the median clock of the measurement.</p>`;
}

function instructionRoof({ multiprocessors }: Profile, kernels: readonly ProfiledKernel[]): number | null {
  if (multiprocessors === null) return null;
  const clocks = kernels.map(({ gigahertz }) => gigahertz).sort((a, b) => a - b);
  return multiprocessors * PER_CYCLE * clocks[clocks.length >> 1]!;
}

function drawn(
  width: number,
  all: readonly ProfiledKernel[],
  { memory, instructions }: Roofs,
  n: number,
): TemplateResult {
  const fastest = (name: string) =>
    Math.max(...all.filter((one) => one.name === name).map(({ gbps }) => gbps));
  // Several files profile the same kernel. The first one counts.
  const kernels = [...Map.groupBy(all, ({ name, distribution }) => `${name} ${distribution}`).values()].map(
    ([one]) => one!,
  );
  const names = distinct(kernels.map(({ name }) => name)).sort((a, b) => fastest(b) - fastest(a));
  const { drawn: within, shown } = seriesOf(names);
  const narrow = isNarrow(width);
  const label = (name: string) => (narrow ? String(within.indexOf(name) + 1) : name);
  const visible = kernels
    .filter(({ name }) => shown.includes(name))
    .map((one) => ({ ...one, x: one.instructionsPerByte, y: one.gbps }))
    .sort((a, b) => a.x - b.x);
  const [left, right] = [
    Math.min(...kernels.map((one) => one.instructionsPerByte)) / 1.5,
    Math.max(...kernels.map((one) => one.instructionsPerByte)) * 1.3,
  ];
  const [bottom, top] = [
    Math.min(...kernels.map(({ gbps }) => gbps)) / 1.3,
    (memory ?? fastest(names[0]!)) * 1.4,
  ];
  const roof = roofOf({ memory, instructions }, left, right, top);
  const height = narrow ? 340 : 400;
  const ends = shown.map((name) => {
    const last = visible.findLast((one) => one.name === name)!;
    return { label: label(name), colour: colourAt(within.indexOf(name)), x: last.x, y: last.y };
  });
  return chart({
    title: `Roofline: GB/s by instructions per byte, ${sizeOf(n)} bytes, kernel`,
    width,
    series: names,
    numbered: narrow,
    options: {
      height,
      marginLeft: 56,
      marginRight: widest(within.map(label)) + 18,
      marginTop: 28,
      marginBottom: 46,
      x: { type: "log", domain: [left, right] },
      y: { type: "log", domain: [bottom, top] },
      marks: [
        ...axisOf("x", decimalTicks(left, right, width / 90), "instructions of threads per byte", figure),
        ...axisOf("y", decimalTicks(bottom, top, 9), "GB/s", figure),
        line(roof, { x: "x", y: "y", stroke: "currentColor", strokeDasharray: "4 3", strokeWidth: 1.5 }),
        line(visible, { x: "x", y: "y", stroke: "name", z: "name", strokeOpacity: 0.6 }),
        dot(visible, { x: "x", y: "y", stroke: "name", fill: "name", symbol: "name", r: 4 }),
        endLabels(ends),
      ],
    },
    readings: {
      along: "x",
      points: visible.map((one) => ({
        name: `${one.name}, ${one.distribution}`,
        x: one.x,
        y: one.y,
        text: `${figure(one.gbps)} GB/s`,
      })),
      heading: (at) => `${figure(at as number)} instructions per byte`,
    },
    columns: [
      "kernel",
      "distribution",
      "instructions per byte",
      "bytes read per byte",
      "GB/s",
      "limit, GB/s",
      "basis",
    ],
    numbers: [2, 3, 4, 5],
    rows: kernels.map((one) => [
      one.name,
      one.distribution,
      figure(one.instructionsPerByte),
      figure(one.bytesRead / one.n),
      figure(one.gbps),
      figure(limit({ memory, instructions }, one.instructionsPerByte)),
      "kernel",
    ]),
  });
}

const limit = ({ memory, instructions }: Roofs, x: number): number =>
  Math.min(
    memory ?? Number.POSITIVE_INFINITY,
    instructions === null ? Number.POSITIVE_INFINITY : instructions / x,
  );

/** The lower of both limits, from left to right. */
function roofOf(roofs: Roofs, left: number, right: number, top: number): { x: number; y: number }[] {
  const turn =
    roofs.memory === null || roofs.instructions === null ? left : roofs.instructions / roofs.memory;
  return [left, turn, right]
    .filter((x) => x >= left && x <= right)
    .map((x) => ({ x, y: Math.min(limit(roofs, x), top) }));
}
