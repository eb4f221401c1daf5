import type { TemplateResult } from "lit-html";

/** What the playground shows of one picture, one table or the camera. */
export interface Part {
  /** @param width width in pixels that the playground has */
  render(width: number): TemplateResult;
  /** Releases the camera and the workers. */
  close(): void;
}
