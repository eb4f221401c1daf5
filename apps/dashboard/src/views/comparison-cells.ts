import { type Basis, basisName, type Comparison, figure, nameOf } from "../data/index.ts";

/** The cells of a table's row: the other program, the distribution, both speeds, how they compare, and their basis. */
export const comparisonCells = ({ name, peer, ours, factor }: Comparison, basis: Basis | null): string[] => [
  name,
  peer.distribution,
  figure(peer.gbps),
  nameOf(ours),
  figure(ours.gbps),
  figure(factor),
  basisName(basis),
];
