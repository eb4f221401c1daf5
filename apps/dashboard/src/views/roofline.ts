import { dot, line } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import {
  algorithmName,
  type FileEntry,
  figure,
  isCeiling,
  isDefaultSlug,
  memoryOf,
  type Profile,
  type ProfiledKernel,
  profileOf,
  sizeOf,
  sourceOf,
} from "../data/index.ts";
import {
  absent,
  axisOf,
  chart,
  chosen,
  colourOf,
  decimalTicks,
  distinct,
  endLabels,
  isNarrow,
  select,
  seriesOf,
  type View,
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

/** Throughput over instructions per byte, below the two limits of the device. */
export const roofline: View = {
  id: "explore/roofline",
  title: "Roofline",
  question: "What limits a kernel: the bytes or the instructions?",
  about:
    "A kernel near the sloping line is limited by the number of instructions, and one near the horizontal line by the device memory. A kernel far below both waits for something else, such as bank conflicts. The sloping line assumes that each multiprocessor starts four instructions of 32 threads in every cycle, at the median clock of the measurement. A kernel that ran at a higher clock can lie above it. The horizontal line is the fastest kernel of the same run that only reads this number of bytes. A run that measured none has no horizontal line.",
  timing: "These are kernels alone, under a profiler: whole calls have no instruction counts.",
  reads: "any machine",
  basis: null,
  async render(context) {
    const profiled = context.files.filter(({ profiled: is }) => is);
    const all = await Promise.all(profiled.map(async (file) => ({ file, profile: await profileOf(file) })));
    // A run that profiled what a call takes on its own comes before studies of one method.
    const usual = ({ profile }: { profile: Profile }) =>
      Number(profile.kernels.some(({ name }) => isDefaultSlug(name.split(", ")[0]!)));
    const found = all
      .filter(({ profile }) => profile.kernels.length > 0)
      .toSorted((a, b) => usual(b) - usual(a));
    if (found.length === 0) return absent("No kernel was profiled on this machine.");
    const path = chosen(
      context,
      "file",
      found.map(({ file }) => file.path),
    );
    const { file, profile } = found.find((one) => one.file.path === path)!;
    // A number of the device, which any of its runs knows.
    const alike = all.filter((one) => one.file.machine?.gpu === file.machine?.gpu);
    const multiprocessors =
      alike.find((one) => one.profile.multiprocessors !== null)?.profile.multiprocessors ?? null;
    const [{ n }] = profile.kernels as [ProfiledKernel];
    const kernels = profile.kernels
      .filter((one) => one.n === n)
      .map((one) => ({ ...one, name: inWords(one.name) }));
    const reads = context.measured.filter(
      (row) => row.file === file && isCeiling(row) && row.n === n && memoryOf(row) === "device memory",
    );
    const roofs = {
      memory: reads.length === 0 ? null : Math.max(...reads.map(({ gbps }) => gbps)),
      instructions: instructionRoof({ multiprocessors, kernels }, kernels),
    };
    const choices = found.map((one) => ({ value: one.file.path, label: sourceOf(one.file) }));
    return html`${drawn(context.width, file, kernels, roofs, n)}
      <div class="fields">${select("Run", choices, path, (value) => context.select({ file: value }))}</div>`;
  },
};

/** Writes `per warp, tag` for `per-warp, tag`. */
function inWords(name: string): string {
  const [slug = "", ...details] = name.split(", ");
  return [algorithmName(slug), ...details].join(", ");
}

function instructionRoof({ multiprocessors }: Profile, kernels: readonly ProfiledKernel[]): number | null {
  if (multiprocessors === null) return null;
  const clocks = kernels.map(({ gigahertz }) => gigahertz).sort((a, b) => a - b);
  return multiprocessors * PER_CYCLE * clocks[clocks.length >> 1]!;
}

function drawn(
  width: number,
  source: FileEntry,
  all: readonly ProfiledKernel[],
  { memory, instructions }: Roofs,
  n: number,
): TemplateResult {
  const fastest = (name: string) =>
    Math.max(...all.filter((one) => one.name === name).map(({ gbps }) => gbps));
  // A file may profile a kernel twice. The first one counts.
  const kernels = [...Map.groupBy(all, ({ name, distribution }) => `${name} ${distribution}`).values()].map(
    ([one]) => one!,
  );
  const names = distinct(kernels.map(({ name }) => name)).sort((a, b) => fastest(b) - fastest(a));
  // All are kernels of CUDA, since no other profiler was used.
  const keys = new Map(
    names.map((name, i) => [name, { program: "cuda", colour: colourOf("cuda", i), title: name }]),
  );
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
    return { label: label(name), colour: keys.get(name)!.colour, x: last.x, y: last.y };
  });
  return chart({
    title: `Roofline: GB/s by instructions per byte, ${sizeOf(n)} bytes, kernel; dashed: the limit of the device`,
    ...{ width, source },
    ...{ series: names, keys, numbered: narrow },
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
        ...axisOf("y", decimalTicks(bottom, top, 9), "throughput, GB/s", figure),
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
        colour: keys.get(one.name)!.colour,
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
