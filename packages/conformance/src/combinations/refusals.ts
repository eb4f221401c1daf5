import type { ErrorCode, SampleType } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { type Form, isRead, isStream } from "../request/samples.ts";
import { type Combination, hasGroups, hasSegments, isOneInput, isSeveral } from "./parts.ts";
import { formIn, LAYOUTS } from "./request.ts";

/** Why a combination is not counted. */
export interface Refusal {
  readonly why: string;
  /** Null: no call has arguments for it. */
  readonly code: ErrorCode | null;
  /** Whether it depends on the device. One that can count it must be right. */
  readonly ofDevice?: boolean;
}

type Rule = Refusal & { readonly when: (of: Combination) => boolean };

const isAsked = ({ way }: Combination): boolean => way !== "call";
const readsPieces = (of: Combination): boolean => {
  const forms = [
    of.input,
    of.mask,
    formIn(of.rows),
    ...(isSeveral(of) && !isOneInput(of) ? [of.otherInput] : []),
  ];
  return forms.some((form) => isRead(form as Form));
};

/** Whether all samples are counted, into one row of counts. */
const isWhole = ({ mask, list, rows, storage }: Combination): boolean =>
  mask === "none" && list === "none" && rows === "one" && storage === "counts";

/** Combinations for which no call has arguments. */
const NOT_ASKED: readonly Rule[] = [
  {
    why: "a plain array of numbers is one channel of f64",
    when: ({ input, type, layout }) => input === "numbers" && (type !== "f64" || layout !== "plain"),
    code: null,
  },
  {
    why: "a stream or a file has no rows",
    when: ({ input, layout }) => isRead(input as Form) && LAYOUTS[layout]!.picture !== null,
    code: null,
  },
  {
    why: "channels are those of an input with several",
    when: (of) => isOneInput(of) && LAYOUTS[of.layout]!.channels === 1,
    code: null,
  },
  {
    why: "joint has no argument for the channels of a stream: its columns are lists of inputs",
    when: ({ columns, input }) => columns === "joint channels" && isStream(input as Form),
    code: null,
  },
  {
    why: "segments count one column, or a list of columns",
    when: (of) => hasSegments(of) && isOneInput(of) && of.columns !== "channels of one",
    code: null,
  },
  {
    why: "tiles are rectangles of a picture",
    when: ({ rows, layout }) => rows === "tiles" && LAYOUTS[layout]!.picture === null,
    code: null,
  },
  { why: "a counter has no segments", when: (of) => hasSegments(of) && isAsked(of), code: null },
  {
    why: "a counter has a list of columns, or channels of one input over one axis",
    when: (of) => isAsked(of) && ["joint channels", "each with its axis"].includes(of.columns),
    code: null,
  },
  {
    why: "a counter of channels has samples that can be read again, and counts them all",
    when: (of) => isAsked(of) && of.columns === "each channel" && (readsPieces(of) || !isWhole(of)),
    code: null,
  },
  {
    why: "a counter is prepared before it has data, so it needs an axis",
    when: (of) => isAsked(of) && (of.axis === "data" || (isSeveral(of) && of.otherAxis === "data")),
    code: null,
  },
  {
    why: "encode counts all samples of one column on the device: nothing can be prepared on the host",
    when: (of) =>
      of.way === "encode" &&
      !(["one", "each channel"].includes(of.columns) && of.input === "resident" && isWhole(of)),
    code: null,
  },
];

const isWide = (type: string): boolean => type === "i64" || type === "u64";

/** Combinations that the engine refuses on every device. */
const REFUSED: readonly Rule[] = [
  {
    why: "the range of a stream's data is not known before it is read, and it is read once",
    when: (of) =>
      (of.axis === "data" && isStream(of.input as Form)) ||
      (of.otherAxis === "data" &&
        isSeveral(of) &&
        isStream((isOneInput(of) ? of.input : of.otherInput) as Form)),
    code: "ERR_AXIS",
  },
  {
    why: "64-bit integers on the device are doubles, which have lost what a circle or the end of their range needs",
    when: (of) =>
      (of.input === "resident" && isWide(of.type) && ["circular", "data"].includes(of.axis)) ||
      (of.otherInput === "resident" &&
        isSeveral(of) &&
        isWide(of.otherType) &&
        ["circular", "data"].includes(of.otherAxis)) ||
      (isOneInput(of) &&
        of.input === "resident" &&
        isWide(of.type) &&
        ["circular", "data"].includes(of.otherAxis)),
    code: "ERR_UNSUPPORTED",
  },
  {
    why: "groups are a column, and a call has at most six",
    when: (of) => of.columns === "six" && hasGroups(of),
    code: "ERR_LIMIT",
  },
  {
    why: "only counts of one column stay where they are",
    when: (of) => of.rows === "rows that stay" && (of.columns !== "one" || of.storage !== "counts"),
    code: "ERR_UNSUPPORTED",
  },
  {
    why: "encode counts samples as they are, and this thread places wide ones on a circle",
    when: ({ way, axis, type }) =>
      way === "encode" && axis === "circular" && SAMPLE_TRAITS[type as SampleType].bytes > 2,
    code: "ERR_UNSUPPORTED",
  },
  {
    why: "weights are added up asynchronously",
    when: ({ way, storage }) => way === "countSync" && storage !== "counts",
    code: "ERR_UNSUPPORTED",
  },
  {
    why: "a stream or a file is read asynchronously",
    when: (of) => of.way === "countSync" && readsPieces(of),
    code: "ERR_UNSUPPORTED",
  },
];

/** Combinations that some devices count. */
const OF_DEVICES: readonly Rule[] = [
  {
    why: "the device does not count synchronously",
    when: ({ way }) => way === "countSync",
    code: "ERR_UNSUPPORTED",
    ofDevice: true,
  },
  {
    why: "the device has no encoders",
    when: ({ way }) => way === "encode",
    code: "ERR_UNSUPPORTED",
    ofDevice: true,
  },
  {
    why: "the algorithm's own limits",
    when: ({ algorithm, method }) => algorithm !== "auto" || method !== "auto",
    code: "ERR_UNSUPPORTED",
    ofDevice: true,
  },
];

export const RULES: readonly Rule[] = [...NOT_ASKED, ...REFUSED, ...OF_DEVICES];

/** Returns why a combination may be refused, the strongest reason first; null: it must be counted. */
export function refusalOf(of: Combination): Refusal | null {
  return RULES.find(({ when }) => when(of)) ?? null;
}
