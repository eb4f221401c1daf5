// Takes the place of node:zlib, node:buffer, node:os and piscina in the page.
const absent = (name) => () => {
  throw new Error(`expected a Parquet file that is packed by Snappy, or not at all, but it needs ${name}`);
};

export const availableParallelism = () => 1;
export const isUtf8 = absent("the check of UTF-8");
export class Piscina {
  constructor() {
    absent("threads")();
  }
}
export default { unzipSync: absent("zlib"), brotliDecompressSync: absent("Brotli") };
