import { runTinyShader } from "./tiny-shader.ts";

const outcome = runTinyShader(navigator.gpu).then((found) => ({ ...found, isolated: crossOriginIsolated }));
Object.assign(globalThis, { outcome });
