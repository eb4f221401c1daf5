/** Histograms of one frame: red, green, blue and luma, 256 counts each. */
export type FrameCounts = readonly ArrayLike<number>[];

/** A frame of a video. Its pixels stay where the browser decoded them. */
export type Frame = VideoFrame | ImageBitmap;

/** Something that counts frames of a video, one at a time. */
export interface FrameCounter {
  readonly device: string;
  /** Counts a frame and closes it. */
  count(frame: Frame): Promise<FrameCounts>;
  close(): void;
}
