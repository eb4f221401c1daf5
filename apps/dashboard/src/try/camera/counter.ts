/** Histograms of one frame: red, green, blue and luma, 256 counts each. */
export type FrameCounts = readonly ArrayLike<number>[];

/** Something that counts frames of a video, one at a time. */
export interface FrameCounter {
  readonly device: string;
  /** Counts the current frame of a video. */
  count(video: HTMLVideoElement): Promise<FrameCounts>;
  close(): void;
}

/** Copies the current frame's handle. Its pixels stay where the browser decoded them. */
export const frameOf = (video: HTMLVideoElement): VideoFrame => new VideoFrame(video);

/** Whether the browser can hand frames on without decoding them to pixels of the page. */
export const hasFrames = (): boolean => "VideoFrame" in globalThis;
