import { open } from "node:fs/promises";

/** Whether a file begins with one of these characters of Latin-1. A file that cannot be opened does not. */
export async function beginsWith(path: string, heads: readonly string[]): Promise<boolean> {
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    if (!(await file.stat()).isFile()) return false;
    const most = Math.max(...heads.map(({ length }) => length));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    const found = buffer.toString("latin1", 0, bytesRead);
    return heads.some((head) => found.startsWith(head));
  } finally {
    await file.close();
  }
}
