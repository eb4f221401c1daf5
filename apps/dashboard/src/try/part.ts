import type { TemplateResult } from "lit-html";

/** The part of the playground that shows one picture, one table or the camera. */
export interface Part {
  /** @param width width in pixels that the playground has */
  render(width: number): TemplateResult;
  /** Releases the camera and the workers. */
  close(): void;
}
