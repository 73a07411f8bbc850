/**
 * What test runners take for a test, by its path. Folders: Mocha, AVA, `node --test`, Jest. Names: `node --test`, Jest, Vitest, Playwright,
 * Jasmine, Cypress. Fact: their default patterns.
 */
const testPaths =
  /(?:^|[\\/])(?:tests?|__tests__)[\\/]|(?:^|[\\/._-])(?:test|spec|cy)\.[cm]?[jt]sx?$|(?:^|[\\/])test-[^\\/]{1,255}\.[cm]?[jt]sx?$|[a-z\d]Spec\.[cm]?[jt]sx?$/u;

/** `path` is below the project's folder, because folders above it say nothing. */
export function isTestPath(path: string): boolean {
  return testPaths.test(path);
}
