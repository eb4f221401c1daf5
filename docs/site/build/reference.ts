// The reference of every published entry, from the docstrings of the sources: one page per entry, by TypeDoc.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Application, type Configuration, Converter } from "typedoc";
import { REFERENCE, ROOT, SITE } from "./paths.ts";

/** An entry of a published package, such as "@polybin/core/backend". */
export interface Entry {
  readonly name: string;
  /** Its source, below the repository's folder. */
  readonly source: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly types: string }>>;
}

/** The entries of all published packages. A package with a command only, like `polybin`, has none. */
export function publishedEntries(): Entry[] {
  const manifests = globSync("{packages,apps}/*/package.json", { cwd: ROOT }).sort();
  return manifests.flatMap((path) => {
    const {
      name,
      private: isPrivate,
      exports = {},
    } = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Manifest;
    if (isPrivate) return [];
    return Object.entries(exports).map(([subpath, { types }]) => ({
      name: join(name, subpath),
      source: join(dirname(path), sourceOf(types)),
    }));
  });
}

/** The source of a declaration. The dashboard compiles its server to a folder of its own, all others `src` to `dist`. */
function sourceOf(types: string): string {
  const source = types.replace(/\.d\.ts$/, ".ts");
  return source.includes("/server/") ? source.replace("dist/", "") : source.replace("dist/", "src/");
}

/** Options of the Markdown plugin, which TypeDoc's own type does not have. */
type Options = Configuration.TypeDocOptions & Readonly<Record<string, unknown>>;

/** Writes the pages. @throws if TypeDoc finds an error in the sources */
export async function writeReference(): Promise<void> {
  const entries = publishedEntries();
  const options: Options = {
    plugin: ["typedoc-plugin-markdown"],
    tsconfig: join(ROOT, SITE, "reference.tsconfig.json"),
    compilerOptions: {
      // The sources of one package see the sources of the others, so that a type links to its own page.
      paths: Object.fromEntries(entries.map(({ name, source }) => [name, [join(ROOT, source)]])),
    },
    entryPoints: entries.map(({ source }) => join(ROOT, source)),
    // The type check of each package has read the same sources.
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    out: join(ROOT, REFERENCE),
    name: "Reference",
    readme: "none",
    basePath: ROOT,
    sourceLinkTemplate: "https://github.com/polybin/polybin/blob/main/{path}#L{line}",
    gitRevision: "main",
    router: "module",
    entryFileName: "index",
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    excludeExternals: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    typeAliasPropertiesFormat: "table",
    propertyMembersFormat: "table",
    indexFormat: "list",
    tableColumnSettings: {
      hideSources: true,
      hideModifiers: true,
      hideInherited: true,
      hideOverrides: true,
      hideDefaults: true,
    },
    suppressCommentWarningsInDeclarationFiles: true,
    logLevel: "Warn",
  };
  const app = await Application.bootstrapWithPlugins(options as Configuration.TypeDocOptions);
  // TypeDoc names an entry by the path of its source, and a reader by what is imported.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const names = new Map(entries.map(({ name, source }) => [source, name]));
    for (const module of project.children ?? []) {
      const path = relative(ROOT, module.sources?.[0]?.fullFileName ?? "");
      const name = names.get(path);
      if (name === undefined) throw new Error(`expected the source of an entry but TypeDoc found ${path}`);
      module.name = name;
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("expected a project from TypeDoc (its messages are above)");
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error("expected no error from TypeDoc (its messages are above)");
}
