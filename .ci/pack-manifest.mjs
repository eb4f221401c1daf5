// The hook by which pnpm packs. It packs the manifest of this checkout, of whose tools and scripts an installed package has
// no use. It is no .pnpmfile of the workspace, because installing would then depend on it.
export const hooks = {
  beforePacking: ({ devDependencies: _tools, scripts: _scripts, ...manifest }) => manifest,
};
