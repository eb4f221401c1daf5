// A peer: image-js's histogram of a grey picture of bytes. See peer.mjs.
import { Image } from "image-js";
import { job, serve } from "./peer.mjs";

const WIDTH = 2 ** 10;
let image;
let found;

await serve({
  load: ([values]) => {
    image = values && new Image(WIDTH, job.n / WIDTH, { colorModel: "GREY", data: values });
  },
  count: () => {
    found = image.histogram();
  },
  counts: () => found,
});
