import { expected } from "../../base/index.ts";
import { SAMPLE_TRAITS, type SampleType, type Source } from "../../input/index.ts";

/** The shape of samples in a call's words. Samples may know it themselves. */
interface Said {
  readonly type?: SampleType | undefined;
  readonly interleaved?: number | undefined;
  readonly bytes?: number | undefined;
}

/** Compares what a call says with samples that have their own shape. @throws ERR_INPUT if they differ */
export function checkSaid(
  { type, interleaved, bytes }: Said,
  source: Pick<Source, "type" | "channels" | "pixels">,
): void {
  if (type !== undefined && type !== source.type) {
    throw expected("ERR_INPUT", "type", `${source.type}, the type of these samples,`, type);
  }
  if (interleaved !== undefined && interleaved !== source.channels) {
    const what = `${source.channels}, the channels of these samples,`;
    throw expected("ERR_INPUT", "interleaved", what, interleaved);
  }
  const size = source.pixels * source.channels * SAMPLE_TRAITS[source.type].bytes;
  if (bytes !== undefined && bytes !== size) {
    throw expected("ERR_INPUT", "bytes", `${size}, the size of these samples,`, bytes);
  }
}
