import { type Axis, axisUnread } from "../axis/index.ts";
import type { CountsLayout } from "../backend/index.ts";
import { expected, FLOW_ROWS, PolybinError, U32_MAX, WORD_BYTES } from "../base/index.ts";
import { channelsOf, type External, type Resident } from "../input/index.ts";
import type { ChannelsPlan } from "../plan/index.ts";
import type { Jobs } from "./jobs/prepare.ts";
import { type OpenBackend, readable, sourceIn } from "./opened/open-backend.ts";
import type { EncodeOptions } from "./options/options.ts";
import { isRounded } from "./samples/rounded-resident.ts";

/** The commands that `encode` recorded: what they count, how, and where the counts will be. */
export interface Encoded {
  /** The backend's id. */
  readonly backend: string;
  /** Slug of the algorithm. */
  readonly algorithm: string;
  /** The plan of the counting. */
  readonly plan: ChannelsPlan;
  /** The axis of the counts. */
  readonly axis: Axis;
  /** Where the counts will be in `into`. */
  readonly layout: CountsLayout;
}

/** Records counting into a user's encoder. @param options checked */
export async function encode(
  opened: OpenBackend,
  jobs: Jobs,
  encoder: object,
  given: Resident | External,
  options: EncodeOptions,
): Promise<Encoded> {
  const { into, offset = 0, add = false, check = true, channels: which = "all", signal, ...rest } = options;
  const { backend } = opened;
  if (typeof encoder !== "object" || encoder === null) {
    throw expected("ERR_INPUT", "encoder", "an encoder of the device, such as a GPUCommandEncoder,", encoder);
  }
  if (opened.device.encodes !== true) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `${backend} has no encoders: call histogram, or use a backend with encoders such as webgpu`,
    );
  }
  const source = sourceIn(opened, given);
  const input = readable(opened, source);
  if (input.kind !== "resident" && input.kind !== "external") {
    throw expected("ERR_INPUT", "input", "samples on the device, uploaded or external,", given);
  }
  const { type, pixels, channels: interleaved } = source;
  if (pixels > U32_MAX) {
    throw expected("ERR_LIMIT", "pixels", `at most ${U32_MAX}, since counts have 32 bits,`, pixels);
  }
  const channels = channelsOf(source, which);
  const why = "encode reads nothing back, so it cannot find their range";
  const axis = axisUnread(type, rest, `${type} samples`, why);
  const job = jobs.of({ type, pixels, interleaved, channels }, axis, rest);
  const { plan, prepared, counted } = job;
  if (counted.reduction !== null && !isRounded(opened, source, counted.reduction)) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `encode counts samples as they are on the device, but for a ${axis.type} axis the host first converts those of ` +
        `${type} to f64: call histogram`,
      { backend },
    );
  }
  const { codes } = counted;
  const { bins } = axis;
  await prepared().encode!({ input, pixels, encoder, into, offset, add, check, bins, codes }, { signal });
  const stride = (bins + FLOW_ROWS) * WORD_BYTES;
  return {
    backend,
    algorithm: plan.algorithm,
    plan,
    axis,
    layout: {
      channels,
      offsets: channels.map((_, i) => offset + i * stride),
      bytes: channels.length * stride,
    },
  };
}
