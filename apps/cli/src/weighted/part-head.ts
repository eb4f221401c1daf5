import { open } from "node:fs/promises";

/** The first bytes of a part. */
export const HEAD = '{"polybin":"weighted",';

/** Whether a file is a part of `polybin weighted`. A file that cannot be opened is none. */
export async function isWeightedPart(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    if (!(await file.stat()).isFile()) return false;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD.length), 0, HEAD.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === HEAD;
  } finally {
    await file.close();
  }
}
