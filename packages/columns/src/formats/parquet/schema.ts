import type { SchemaElement } from "hyparquet";
import {
  type ColumnInfo,
  checkColumnCount,
  damaged,
  MAX_STRUCTURES,
  uniqueNames,
} from "../../table/index.ts";
import type { Footer } from "./footer.ts";
import type { StatedChunk, StatedGroup } from "./groups.ts";
import { isStructure, meaningOf, nestedReason } from "./meaning.ts";
import type { Physical, Store } from "./task.ts";

/** Codecs that a page may use. */
const CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4", "LZ4_RAW"] as const;

/** A column of the file that a table has: what it means, and how it is stored. `store` is null if it is refused. */
export interface Leaf extends ColumnInfo {
  /** Its name in the file, behind those of the structures around it. Two columns may share it. */
  readonly path: readonly string[];
  /** Index among the column chunks of a row group, and its element's among those of the schema. */
  readonly chunk: number;
  readonly element: number;
  readonly physical: Physical;
  readonly typeLength: number;
  /** The level of a value. Lower ones are nulls: its own, or those of the structures around it. */
  readonly level: number;
  readonly store: Store | null;
  /** Whether hyparquet divides the statistics of decimals by their scale. */
  readonly isScaled: boolean;
  /** Whether a row holds a list or a structure. The statistics of its chunk are then not those of the rows. */
  readonly hasManyValues: boolean;
}

/**
 * Returns the columns of a file. The fields of a structure `a` follow it as `a.b`. Nested, encrypted and other columns that
 * cannot be read are refused, each with its reason.
 */
export function leavesOf(name: string, { schema, groups }: Pick<Footer, "schema" | "groups">): Leaf[] {
  const root = schema[0];
  if (root === undefined) throw damaged(name, "its schema is empty");
  const leaves: Leaf[] = [];
  let chunk = 0;
  let at = 1;
  /** The structures around the next element, and the number of their fields that follow. */
  const open: Structure[] = [{ path: [], level: 0, left: root.num_children ?? 0 }];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    if (inner.left-- <= 0) {
      open.pop();
      continue;
    }
    const element = schema[at];
    if (element === undefined) throw damaged(name, "its schema has fewer elements than it states");
    const { elements, chunks } = extentOf(name, schema, at);
    const isNested = elements > 1 || (element.num_children ?? 0) > 0;
    const leaf = leafOf(element, inner, { chunk, element: at }, isNested);
    leaves.push(refusedByChunks(leaf, groups));
    if (isNested && isStructure(element) && open.length <= MAX_STRUCTURES) {
      open.push({ path: leaf.path, level: leaf.level, left: element.num_children! });
      at++;
      continue;
    }
    at += elements;
    chunk += chunks;
  }
  checkColumnCount(name, leaves.length);
  return named(leaves);
}

interface Structure {
  readonly path: readonly string[];
  readonly level: number;
  left: number;
}

/** Gives columns with the name of another one a name of their own. Columns with a point in their name come before fields. */
function named(leaves: readonly Leaf[]): Leaf[] {
  const inOrder = [...leaves].sort((a, b) => Number(a.path.length > 1) - Number(b.path.length > 1));
  const names = uniqueNames(inOrder.map(({ name }) => name));
  const byLeaf = new Map(inOrder.map((leaf, i) => [leaf, names[i]!]));
  return leaves.map((leaf) => ({ ...leaf, name: byLeaf.get(leaf)! }));
}

/** Refuses a column if one of its chunks is stored in a way that is not read. */
function refusedByChunks(leaf: Leaf, groups: readonly StatedGroup[]): Leaf {
  if (leaf.store === null) return leaf;
  for (const { chunks } of groups) {
    const { codec = null, isEncrypted, isElsewhere }: Partial<StatedChunk> = chunks[leaf.chunk] ?? {};
    let reason: string | null = null;
    if (isEncrypted) reason = "it is encrypted";
    else if (isElsewhere) reason = "its values are in another file";
    else if (codec !== null && !(CODECS as readonly string[]).includes(codec))
      reason = `its codec is ${codec}, and the known ones are ${CODECS.join(", ")}`;
    if (reason !== null) return { ...leaf, type: { kind: "refused", reason }, store: null };
  }
  return leaf;
}

/** Counts the elements of a subtree, and its leaves. */
function extentOf(
  name: string,
  schema: readonly SchemaElement[],
  at: number,
): { elements: number; chunks: number } {
  let open = 1;
  let elements = 0;
  let chunks = 0;
  while (open > 0) {
    const element = schema[at + elements];
    const children = element?.num_children ?? 0;
    if (element === undefined || children < 0)
      throw damaged(name, "its schema has fewer elements than it states");
    elements++;
    if (children === 0) chunks++;
    open += children - 1;
  }
  return { elements, chunks };
}

function leafOf(
  element: SchemaElement,
  around: Structure,
  at: Pick<Leaf, "chunk" | "element">,
  isNested: boolean,
): Leaf {
  const hasManyValues = isNested || element.repetition_type === "REPEATED";
  const meaning = hasManyValues ? nestedReason(element) : meaningOf(element);
  const [type, store] =
    typeof meaning === "string" ? [{ kind: "refused", reason: meaning } as const, null] : meaning;
  const path = [...around.path, String(element.name ?? "")];
  const level = around.level + (element.repetition_type === "REQUIRED" ? 0 : 1);
  return {
    name: path.join("."),
    path,
    type,
    nullable: level > 0,
    ...at,
    physical: element.type as Physical,
    typeLength: element.type === "FIXED_LEN_BYTE_ARRAY" ? (element.type_length ?? 0) : 0,
    level,
    store,
    isScaled: element.converted_type === "DECIMAL",
    hasManyValues,
  };
}
