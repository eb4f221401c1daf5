// A separate process that runs the tiny shader, prints the result and must end without help.
import { create, globals } from "webgpu";
import { runTinyShader } from "./tiny-shader.ts";

Object.assign(globalThis, globals);
let gpu: GPU | null = create([]);
console.log(JSON.stringify(await runTinyShader(gpu)));
// The reference is held until here, because Dawn crashes if it is collected early. It is released here, because otherwise
// the process would never end.
gpu = null;
