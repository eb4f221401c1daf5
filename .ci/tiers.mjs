// The tiers of the packages' tests, named as the scripts that run them. turbo.json names the same summaries.

/**
 * The arguments of vitest that select the files of a tier, and the file in a package's folder that its results go to. Only
 * `.ci/run` runs the slow files, *.slow.test.ts. Only the nightly run adds the nightly files, *.nightly.test.ts.
 */
export const TIERS = {
  test: { files: ["--exclude", "**/*.{slow,nightly}.test.ts"], summary: ".turbo/tests.json" },
  "test:slow": { files: [".slow.test"], summary: ".turbo/tests-slow.json" },
  "test:nightly": { files: [".nightly.test"], summary: ".turbo/tests-nightly.json" },
};
