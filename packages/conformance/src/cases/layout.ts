import type { Axis, SamplesInit, SampleType } from "@polybin/core";
import { limits, type Region, SAMPLE_TRAITS, type SampleArray } from "@polybin/core/backend";
import { axesFor } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis, samplesOfType } from "../generators.ts";
import { countByDefinition } from "../oracle/counts.ts";

const BINS = limits.PER_THREAD_64_BINS;
/** Sample types of different widths, used in turn. */
const TYPES: readonly SampleType[] = ["u8", "i16", "f32", "i8", "u8", "f64", "u16", "u32", "i32"];
/** Bytes of padding that keep rows aligned, and that do not. */
const PADDINGS: readonly number[] = [0, 8, 3];
/** Fills the padding. A backend that counts it counts too much. */
const GUARD = 0x5a;

/** Cases of channels, row pitch and regions. Exactly the selected pixels must be counted, each channel separately. */
export const layout: Topic = ({ slugs }) => [
  ...slugs.flatMap((slug): Case[] => [
    {
      topic: "layout",
      name: `${slug}: 1 to 4 channels, row pitch and regions`,
      run: (context) => everyLayout(slug, context),
    },
    { topic: "layout", name: `${slug}: a picture of some size`, run: (context) => picture(slug, context) },
  ]),
  { topic: "layout", name: "chosen channels, in any order", run: chosenChannels },
  { topic: "layout", name: "heights that follow from the data", run: impliedHeight },
];

interface Image {
  readonly type: SampleType;
  readonly channels: number;
  readonly width: number;
  readonly height: number;
  readonly rowPitch: number;
  readonly values: SampleArray;
  readonly data: Uint8Array;
}

function imageOf(
  axis: Axis,
  type: SampleType,
  channels: number,
  width: number,
  height: number,
  padding: number,
): Image {
  const values = aroundAxis(axis, type, width * height * channels, channels);
  const rowBytes = width * channels * SAMPLE_TRAITS[type].bytes;
  const rowPitch = rowBytes + padding;
  const data = new Uint8Array(height * rowPitch).fill(GUARD);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  for (let y = 0; y < height; y++) data.set(bytes.subarray(y * rowBytes, (y + 1) * rowBytes), y * rowPitch);
  return { type, channels, width, height, rowPitch, values, data };
}

/** Copies one channel of a region, pixel by pixel. */
function gather({ type, channels, width, values }: Image, region: Region, channel: number): SampleArray {
  const out = samplesOfType(type, region.width * region.height);
  let i = 0;
  for (let y = region.y; y < region.y + region.height; y++) {
    for (let x = region.x; x < region.x + region.width; x++) {
      const at = (y * width + x) * channels + channel;
      // A subarray is copied bit by bit. As a JavaScript number, a NaN may lose its payload.
      (out as Uint8Array).set((values as Uint8Array).subarray(at, at + 1), i++);
    }
  }
  return out;
}

function regionsOf({ width, height }: Image): readonly Region[] {
  return [
    { x: 0, y: 0, width, height },
    { x: 3, y: 2, width: 1, height: 1 },
    { x: width - 5, y: 1, width: 5, height: height - 1 },
    { x: 1, y: height - 2, width: width - 1, height: 2 },
    { x: 0, y: 0, width: 0, height },
    { x: width, y: height, width: 0, height: 0 },
  ];
}

function initOf({ data, type, channels, width, height, rowPitch }: Image, region: Region): SamplesInit {
  return { data, type, channels, width, height, rowPitch, region };
}

async function checkAll(
  image: Image,
  axis: Axis,
  algorithm: string,
  region: Region,
  context: Context,
): Promise<void> {
  const { engine, check } = context;
  const { x, y, width, height } = region;
  const what = `${algorithm}, ${image.channels} channels of ${image.type}, ${image.width} x ${image.height}, pitch ${image.rowPitch}, region ${x},${y} ${width}x${height}`;
  await check.unlessRefused(what, async () => {
    const all = await engine.histograms(initOf(image, region), { algorithm, axis });
    check.same(`${what}: histograms`, all.length, image.channels);
    for (const [channel, found] of all.entries()) {
      check.histogram(`${what}, channel ${channel} of all`, found, expectedOf(image, axis, region, channel));
    }
    const channel = image.channels - 1;
    const one = await engine.histogram(initOf(image, region), { algorithm, axis, channel });
    check.histogram(`${what}, channel ${channel} alone`, one, expectedOf(image, axis, region, channel));
  });
}

function expectedOf(image: Image, axis: Axis, region: Region, channel: number) {
  return countByDefinition(axis, image.type, gather(image, region, channel));
}

async function everyLayout(algorithm: string, context: Context): Promise<void> {
  let turn = 0;
  for (let channels = 1; channels <= limits.MAX_CHANNELS; channels++) {
    for (const padding of PADDINGS) {
      const type = TYPES[turn++ % TYPES.length]!;
      const axis = axesFor(type, BINS)[4]!;
      const image = imageOf(axis, type, channels, 37, 6, padding);
      for (const region of regionsOf(image)) await checkAll(image, axis, algorithm, region, context);
    }
  }
}

async function picture(algorithm: string, context: Context): Promise<void> {
  const { engine, check } = context;
  const axis = axesFor("u8", BINS)[3]!;
  const image = imageOf(axis, "u8", 3, 301, 41, 1);
  const whole = regionsOf(image)[0]!;
  await checkAll(image, axis, algorithm, whole, context);
  await checkAll(image, axis, algorithm, { x: 17, y: 5, width: 256, height: 30 }, context);
  await check.unlessRefused(`${algorithm}, uploaded`, async () => {
    await using resident = await engine.upload(initOf(image, whole));
    check.same("resident.channels", resident.channels, image.channels);
    check.same("resident.pixels", resident.pixels, image.width * image.height);
    for (const [channel, found] of (await engine.histograms(resident, { algorithm, axis })).entries()) {
      check.histogram(
        `${algorithm}, uploaded, channel ${channel}`,
        found,
        expectedOf(image, axis, whole, channel),
      );
    }
  });
}

async function chosenChannels({ engine, check }: Context): Promise<void> {
  const axis = axesFor("u16", BINS)[4]!;
  const image = imageOf(axis, "u16", limits.MAX_CHANNELS, 41, 5, 2);
  const [whole] = regionsOf(image);
  for (const channels of [[0], [3], [3, 0], [1, 2], [2, 0, 1], [3, 2, 1, 0]]) {
    const found = await engine.histograms(initOf(image, whole!), { axis, channels });
    check.same(`channels ${channels}: results`, found.length, channels.length);
    channels.forEach((channel, i) => {
      check.histogram(
        `channel ${channel} of ${channels}`,
        found[i]!,
        expectedOf(image, axis, whole!, channel),
      );
    });
  }
}

async function impliedHeight({ engine, check }: Context): Promise<void> {
  const axis = axesFor("u8", BINS)[4]!;
  const image = imageOf(axis, "u8", 2, 11, 7, 5);
  const [whole] = regionsOf(image);
  const { data, channels, width, rowPitch } = image;
  const shorter = data.subarray(0, data.length - 5);
  for (const [name, bytes] of [
    ["the last row padded", data],
    ["the last row not padded", shorter],
  ] as const) {
    const all = await engine.histograms({ data: bytes, channels, width, rowPitch }, { axis });
    for (const [channel, found] of all.entries()) {
      check.histogram(`${name}, channel ${channel}`, found, expectedOf(image, axis, whole!, channel));
    }
  }
}
