import type { ByteStream, Grouped, Histogram } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Choice } from "../engine/index.ts";
import { readCodes, readMask, type Source } from "../input/index.ts";
import { checkOneStdin } from "../options/index.ts";
import type { Channel, Result } from "../output/index.ts";
import type { Watch } from "../terminal/index.ts";
import type { Request } from "./request.ts";
import { axisOf, subjectOf } from "./subject.ts";

/** Counts a source with groups, a mask, or both. All channels have the same axis. */
export async function countSelected(
  source: Source,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
  watch: Watch,
): Promise<Result> {
  const start = performance.now();
  checkOneStdin([source.path, request.by, request.mask]);
  const subject = await subjectOf(source, request, choice, signal);
  const { input, engine, channels, damage } = subject;
  const of = subject.of as Exclude<typeof subject.of, ByteStream>;
  // The samples were held in memory, so their number is known.
  const samples = input.samples!;
  const described = { ...input, samples };
  const mask = request.mask === null ? undefined : await readMask(request.mask, described, signal);
  const by = request.by === null ? undefined : await readCodes(request.by, described, signal);
  const axis = await axisOf(subject, signal);
  const readMs = performance.now() - start;
  const { algorithm, k } = request;
  const each = SAMPLE_TRAITS[input.type].bytes;
  const bytes = samples * each * channels.length;
  const counted: { readonly name: string; readonly found: Histogram | Grouped }[] = [];
  for (const [i, { name, at: channel }] of channels.entries()) {
    const onProgress = ({ done }: { readonly done: number }): void =>
      watch({ done: (i * samples + done) * each, total: bytes });
    const options = { axis, channel, mask, algorithm, k, timings: true, signal, onProgress };
    const found = await (by === undefined
      ? engine.histogram(of, options)
      : engine.histogram(of, { ...options, by }));
    counted.push({ name, found });
  }
  const works = counted.map(({ found }) => workOf(found));
  const sum = (part: "uploadMs" | "kernelMs"): number =>
    works.reduce((total, { timings }) => total + (timings?.[part] ?? 0), 0);
  return {
    input: described,
    channels: counted.flatMap(channelsOf),
    work: works[0]!,
    masked: mask === undefined ? null : works[0]!.masked,
    timings: {
      readMs,
      uploadMs: sum("uploadMs"),
      kernelMs: sum("kernelMs"),
      totalMs: performance.now() - start,
    },
    bytes,
    damage,
  };
}

/** The groups of a channel have one plan, which their joint histogram has. */
function workOf(found: Histogram | Grouped): Histogram | Grouped["joint"] {
  return "joint" in found ? found.joint : found;
}

function channelsOf({
  name,
  found,
}: {
  readonly name: string;
  readonly found: Histogram | Grouped;
}): readonly Channel[] {
  if (!("joint" in found)) return [{ name, histogram: found }];
  return Array.from(found, (histogram, group) => ({ name, group, histogram }));
}
