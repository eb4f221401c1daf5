// Takes the place of node:os and piscina in a page, where a table is decoded on one thread.

export const availableParallelism = (): number => 1;

export class Piscina {
  constructor() {
    throw new Error("expected to decode on one thread of a page");
  }
}
