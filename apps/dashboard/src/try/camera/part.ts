import type { Part } from "../part.ts";

export async function cameraPart(_redraw: () => void): Promise<Part> {
  throw new Error("not yet");
}
