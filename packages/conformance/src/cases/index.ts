import type { Topic } from "../case.ts";
import { combinations } from "../combinations/index.ts";
import { abort } from "./abort.ts";
import { wrongArguments } from "./arguments.ts";
import { axes } from "./axes.ts";
import { axisKinds } from "./axis-kinds.ts";
import { calls } from "./calls.ts";
import { claims } from "./claims.ts";
import { defaults } from "./defaults.ts";
import { files } from "./files.ts";
import { flow } from "./flow.ts";
import { jointVectors } from "./joint-vectors.ts";
import { large } from "./large.ts";
import { lifecycle } from "./lifecycle.ts";
import { numpyVectors } from "./numpy.ts";
import { otherTypes } from "./other-types.ts";
import { parameters } from "./parameters.ts";
import { properties } from "./properties.ts";
import { results } from "./results.ts";
import { segments } from "./segments.ts";
import { sequences } from "./sequences.ts";
import { sizes } from "./sizes.ts";
import { streams } from "./streams.ts";
import { views } from "./views.ts";
import { weighted } from "./weighted.ts";
import { weightedCalls } from "./weighted-calls.ts";
import { weightedExact } from "./weighted-exact.ts";
import { weightedParameters } from "./weighted-parameters.ts";

/** The topics of the contract: what a backend claims, what it counts, and how it behaves. */
export const topics: readonly Topic[] = [
  claims,
  combinations,
  axes,
  axisKinds,
  otherTypes,
  sizes,
  parameters,
  flow,
  defaults,
  numpyVectors,
  views,
  streams,
  files,
  large,
  segments,
  jointVectors,
  results,
  calls,
  wrongArguments,
  abort,
  lifecycle,
  weighted,
  weightedParameters,
  weightedCalls,
  weightedExact,
  properties,
  sequences,
];
