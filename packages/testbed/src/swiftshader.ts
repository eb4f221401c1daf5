import { delimiter, join } from "node:path";
import { chromiumVersion, extract, platformProblem } from "./archives.ts";
import { filledOnce } from "./cache.ts";

// Dawn in Node needs Vulkan's loader, SwiftShader, and the file that names SwiftShader's path for the loader.
const FILES = /(^|\/)(libvulkan\.so\.1|libvk_swiftshader\.so|vk_swiftshader_icd\.json)$/;

/**
 * Returns the environment in which Dawn finds only SwiftShader, or the reason why it is not available here. Start a
 * new process with it, because the dynamic loader reads LD_LIBRARY_PATH only once.
 */
export async function swiftshaderEnv(): Promise<Record<string, string> | string> {
  const problem = platformProblem();
  if (problem !== null) return problem;
  const folder = await filledOnce(`swiftshader-${chromiumVersion}`, (target) =>
    extract("swiftshader.tar.br", target, { only: (path) => FILES.test(path) }),
  );
  const inherited = process.env.LD_LIBRARY_PATH?.split(delimiter).filter((path) => path !== folder) ?? [];
  return {
    LD_LIBRARY_PATH: [folder, ...inherited].join(delimiter),
    VK_ICD_FILENAMES: join(folder, "vk_swiftshader_icd.json"),
  };
}
