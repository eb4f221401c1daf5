import { beginsWith } from "../base/index.ts";

/** The first bytes of a part. */
export const HEAD = '{"polybin":"weighted",';

/** Whether a file is a part of `polybin weighted`. A file that cannot be opened is none. */
export const isWeightedPart = (path: string): Promise<boolean> => beginsWith(path, [HEAD]);
