// The advice of `npm run pack` about an addon that was not built: what the other archives do without it, and how to pack it.
import { fitsHere } from "./workspace.mjs";

/** Returns a few sentences. @param asked the value of POLYBIN_CUDA, which selects the GPUs of the addon */
export function unbuiltAdvice(manifest, asked = process.env.POLYBIN_CUDA) {
  const { name, main } = manifest;
  if (!fitsHere(manifest))
    return `left out ${name}: it is for another platform, and ${main} is not built here.`;
  const isCuda = main.includes("cuda");
  const tools = isCuda ? "nvcc (CUDA toolkit 13) and g++" : "g++";
  const how =
    isCuda && asked
      ? `run npm run pack again without POLYBIN_CUDA=${asked}`
      : `run npm run pack again on Linux x64 with ${tools} in the PATH`;
  return [
    `left out ${name}: ${main} is not built here.`,
    `You can install and use the other archives without it: ${isCuda ? "cuda" : "native"}().probe() gives the reason, and the other backends count.`,
    `To pack it as well, ${how}.`,
  ].join("\n");
}
