import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract as untar } from "tar";

// The npm package @sparticuz/chromium contains a headless Chromium and SwiftShader (Vulkan on the CPU) as archives.
// Its own code would unpack them into fixed folders in the system's temporary folder, so only the archives are used.
const require = createRequire(import.meta.url);
const packageFolder = join(dirname(require.resolve("@sparticuz/chromium")), "..");
const archive = (name: string): string => join(packageFolder, "bin", name);

const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
  version: string;
};

/** Version of Chromium and SwiftShader, which is part of the name of every folder that holds them. */
export const chromiumVersion: string = version;

/** Unpacks a tar with brotli compression. @param strip number of leading folders to drop from its paths */
export async function extract(
  name: string,
  folder: string,
  { strip = 0, only = () => true }: { strip?: number; only?: (path: string) => boolean } = {},
): Promise<void> {
  await pipeline(
    createReadStream(archive(name)),
    createBrotliDecompress(),
    untar({ cwd: folder, strip, filter: only }),
  );
}

/** Unpacks a single program with brotli compression. */
export async function extractProgram(name: string, path: string): Promise<void> {
  await pipeline(
    createReadStream(archive(name)),
    createBrotliDecompress(),
    createWriteStream(path, { mode: 0o755 }),
  );
}

/** Returns the reason why the programs and libraries of the archives cannot run here, or null. */
export function platformProblem(): string | null {
  const here = `${process.platform} ${process.arch}`;
  return here === "linux x64"
    ? null
    : `the archives of Chromium and SwiftShader are for linux x64; this is ${here}`;
}
