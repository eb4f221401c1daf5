import type { Frame } from "./counter.ts";

/** A frame, and when it was taken, in seconds. */
export interface Taken {
  readonly frame: Frame;
  readonly at: number;
}

/** Reads the frames of a track as the camera delivers them. TypeScript does not know it yet. */
declare class MediaStreamTrackProcessor {
  constructor(init: { readonly track: MediaStreamTrack });
  readonly readable: ReadableStream<VideoFrame>;
}

const MICROSECONDS = 1e6;

/**
 * Yields frames of a camera, the latest one each time. Frames that arrive while the caller works on one are dropped. A
 * browser that reads tracks delivers frames where the camera put them, in the memory of the host. In another one, they
 * come from the video element, which may have moved them to a GPU.
 */
export async function* framesOf(video: HTMLVideoElement, track: MediaStreamTrack): AsyncGenerator<Taken> {
  if (!("MediaStreamTrackProcessor" in globalThis)) {
    yield* framesShown(video, track);
    return;
  }
  const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield { frame: next.value, at: next.value.timestamp / MICROSECONDS };
    }
  } finally {
    await reader.cancel();
  }
}

async function* framesShown(video: HTMLVideoElement, track: MediaStreamTrack): AsyncGenerator<Taken> {
  while (track.readyState === "live") {
    const at = await new Promise<number>((resolve) => {
      video.requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime));
    });
    yield { frame: "VideoFrame" in globalThis ? new VideoFrame(video) : await createImageBitmap(video), at };
  }
}
