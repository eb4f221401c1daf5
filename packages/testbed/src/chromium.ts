import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { chromiumVersion, extract, extractProgram, platformProblem } from "./archives.ts";
import { filledOnce } from "./cache.ts";
import { DAWN } from "./dawn.ts";

const FLAGS = [
  "--no-sandbox", // it cannot make one in most containers
  "--enable-unsafe-webgpu",
  // Dawn's toggle that the tests in Node switch off, too: SwiftShader would compile a zeroed workgroup array for seconds.
  `--${DAWN[0]}`,
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  // What shows a canvas: without it the GPU process ends at the first frame, and every device with it.
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  // Nothing here may reach for the network.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];

/** A headless Chromium whose WebGPU is SwiftShader, or the reason why it cannot be had here. */
export async function launchChromium(): Promise<Browser | string> {
  const problem = platformProblem();
  if (problem !== null) return problem;
  const folder = await filledOnce(`chromium-${chromiumVersion}`, unpack);
  const { LD_LIBRARY_PATH: _dawns, VK_ICD_FILENAMES: _icd, ...env } = process.env;
  return await chromium.launch({
    executablePath: join(folder, "chromium"),
    args: FLAGS,
    env: {
      ...env,
      LD_LIBRARY_PATH: folder,
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  });
}

/** The archive's own file names folders that only its usual host has. Without any font, text takes no room. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/** Chromium looks for SwiftShader beside itself, and the loader for NSS where LD_LIBRARY_PATH says. */
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
