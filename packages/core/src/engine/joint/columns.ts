import { type Axis, type AxisOptions, checkAxisOptions, checkedAxis, checkNoRule } from "../../axis/index.ts";
import { expected, PolybinError } from "../../base/index.ts";
import { type ByteStream, channelsOf, isByteStream, type Source } from "../../input/index.ts";
import { axisFor } from "../axis-for.ts";
import { type Host, sourceIn } from "../host.ts";
import type { JointColumnInput, JointOptions, JointSource } from "./options.ts";

/** One column of a call: a channel of a source. */
export interface Column {
  readonly source: Source;
  readonly channel: number;
}

/** Returns the checked columns of a call. @throws ERR_INPUT for columns of different lengths */
export function columnsOf(
  host: Host,
  given: JointSource | readonly JointColumnInput[],
  channels: readonly number[] | undefined,
): readonly Column[] {
  const isList = Array.isArray(given) && !given.every((one) => typeof one === "number");
  if (!isList) {
    const source = sourceFrom(host, given as JointSource, "the samples");
    return channelsOf(source, channels ?? "all").map((channel) => ({ source, channel }));
  }
  if (channels !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either an array of columns or channels but received both");
  }
  // Several columns may be channels of one input, which a device then moves once.
  const sources = new Map<unknown, Source>();
  const columns = (given as readonly JointColumnInput[]).map((one, k) =>
    columnFrom(host, one, `column ${k}`, sources),
  );
  sameLength(columns);
  return columns;
}

/** @throws ERR_INPUT for columns of different lengths */
export function sameLength(columns: readonly Column[]): void {
  const [first] = columns;
  for (const [k, { source }] of columns.entries()) {
    if (source.pixels === first!.source.pixels) continue;
    const what = `${first!.source.pixels}, as column 0 has,`;
    throw expected("ERR_INPUT", `the number of samples of column ${k}`, what, source.pixels);
  }
}

/** Returns a column of samples in memory or on the device. @throws ERR_INPUT; ERR_UNSUPPORTED for a stream or a file */
export function columnFrom(
  host: Host,
  given: JointColumnInput,
  name: string,
  known: Map<unknown, Source>,
): Column {
  const isChannel =
    typeof given === "object" && given !== null && !ArrayBuffer.isView(given) && "input" in given;
  const input = isChannel ? given.input : given;
  const source = known.get(input) ?? sourceFrom(host, input, name);
  known.set(input, source);
  const [channel] = channelsOf(source, isChannel ? { channel: given.channel as number } : "only");
  return { source, channel: channel! };
}

/** Returns a checked source. @throws ERR_UNSUPPORTED for a stream or a file */
export function sourceFrom(host: Host, given: JointSource | ByteStream, name: string): Source {
  if (!isByteStream(given)) {
    const source = sourceIn(host, given);
    if (source.input.kind !== "file") return source;
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected samples in memory or on the device for ${name} but received a file: read it into an array first, such ` +
        "as await fs.readFile(path)",
    );
  }
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory or on the device for ${name} but received a stream: read it into an array first`,
  );
}

/** Returns the axis of each column. If its data decide it, they are read first. @throws ERR_INPUT, ERR_AXIS */
export async function axesOf(
  host: Host,
  columns: readonly Column[],
  { axes, signal, weights }: Pick<JointOptions, "axes" | "signal"> & { readonly weights?: unknown },
): Promise<readonly Axis[]> {
  if (axes !== undefined && (!Array.isArray(axes) || axes.length !== columns.length)) {
    const received = Array.isArray(axes) ? axes.length : axes;
    throw expected("ERR_INPUT", "axes", `an array of ${columns.length}, one per column,`, received);
  }
  const found: Axis[] = [];
  for (const [k, { source, channel }] of columns.entries()) {
    const own = axisOptionsOf(axes?.[k]);
    if (weights !== undefined) checkNoRule(own);
    found.push(await axisFor(host, source, [channel], { ...own, signal }));
  }
  return found;
}

/** Returns the options of a column's axis, which may be given as an axis. @throws ERR_AXIS, ERR_INPUT */
export function axisOptionsOf(given: Axis | AxisOptions | undefined): AxisOptions {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || "type" in given) return { axis: checkedAxis(given) };
  checkAxisOptions(given);
  return given;
}
