import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { chromiumVersion, extract, extractProgram, platformProblem } from "./archives.ts";
import { filledOnce } from "./cache.ts";
import { DAWN } from "./dawn.ts";

const FLAGS = [
  "--no-sandbox", // most containers do not allow a sandbox
  "--enable-unsafe-webgpu",
  // The tests in Node set the same toggle. Otherwise SwiftShader compiles a zeroed workgroup array for seconds.
  `--${DAWN[0]}`,
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  // These flags let it show a canvas. Without them the GPU process ends at the first frame, with all its devices.
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  // Nothing may use the network.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];

/** A camera of Chromium's own, which needs no permission: a moving picture of 30 frames per second. */
export const CAMERA: readonly string[] = [
  "--use-fake-device-for-media-stream=fps=30",
  "--use-fake-ui-for-media-stream",
];

/**
 * Launches a headless Chromium whose WebGPU is SwiftShader, or returns the reason why it is not available here.
 * @param more flags in addition to those that all tests need
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser | string> {
  const problem = platformProblem();
  if (problem !== null) return problem;
  const folder = await filledOnce(`chromium-${chromiumVersion}`, unpack);
  const { LD_LIBRARY_PATH: _dawns, VK_ICD_FILENAMES: _icd, ...env } = process.env;
  return await chromium.launch({
    executablePath: join(folder, "chromium"),
    args: [...FLAGS, ...more],
    env: {
      ...env,
      LD_LIBRARY_PATH: folder,
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  });
}

/** The archive's own file names folders that exist only on its usual host. Without a font, text takes no space. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/** Chromium looks for SwiftShader in its own folder, and the loader looks for NSS in LD_LIBRARY_PATH. */
async function unpack(folder: string): Promise<void> {
  const fonts = join(folder, "fonts");
  await mkdir(fonts);
  await Promise.all([
    extractProgram("chromium.br", join(folder, "chromium")),
    extract("swiftshader.tar.br", folder),
    extract("al2023.tar.br", folder, { strip: 1 }),
    extract("fonts.tar.br", fonts, { strip: 1, only: (path) => path.endsWith(".ttf") }),
  ]);
  await writeFile(join(folder, "fonts.conf"), FONTS_CONF);
}
