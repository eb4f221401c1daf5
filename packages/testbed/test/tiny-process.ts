// A process of its own that runs the tiny shader, prints what came out and has to end by itself.
import { create, globals } from "webgpu";
import { runTinyShader } from "./tiny-shader.ts";

Object.assign(globalThis, globals);
let gpu: GPU | null = create([]);
console.log(JSON.stringify(await runTinyShader(gpu)));
// Held until here, because Dawn crashes when it is collected early; let go, because the process never ends otherwise.
gpu = null;
