import { entries as bundles } from './scripts/build.mjs';

/** Where bundles begin, below a folder. */
function entryPointsIn(folder) {
  return bundles
    .flatMap(({ entryPoints }) => entryPoints)
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length));
}

/** What is looked at for files that nothing reaches, exports that nobody else names, and packages that nobody imports. */
export default {
  workspaces: {
    '.': {
      vitest: { config: ['vitest*.config.ts'] },
      entry: [
        ...entryPointsIn(''),
        // What is named by its path: bundled by the test that runs it, started as a process, or put in the place of a module.
        'test/{harm/player,support/{quick-process,tiny-*}}.ts',
        'test/{support,e2e/support}/*-keeper.mjs',
        'test/chaos/support/application.mjs',
        'test/e2e/bench/*.bench-e2e.ts',
        'scripts/{bench/{monitor,repositories},soak}/*.mjs',
        'src/browser/*.ts',
        // Small projects that tests and the tour run.
        'test/{e2e/,}fixtures/**/*.{js,ts,mjs,cjs}',
        'examples/*/{eslint.config.js,legacy/*.cjs}',
      ],
      project: ['{src,rules,monitor,scripts,test,examples}/**/*.{ts,js,mjs,cjs}'],
      // Source that is linted and never run.
      ignore: ['test/fixtures/{clean,suggestions}/**'],
      ignoreDependencies: [
        // The command line and the extension carry rules/, which imports it.
        'eslint-scope',
        '@types/eslint-scope',
        // Stands for node:path in a browser (scripts/build.mjs).
        'path-browserify',
        // Run by tests by their names.
        'oxlint',
        'publint',
        'pg-oldest',
        '@arethetypeswrong/cli',
        // A folder of this repository.
        'eslint-plugin-poolguard',
      ],
      // Programs of the system, and what `npm run test:k6` says it needs.
      ignoreBinaries: ['du', 'go', 'mkfifo', 'script', 'truncate', 'unshare'],
    },
    rules: { entry: entryPointsIn('rules/') },
    // Of OpenTelemetry it asks only whether the application has it.
    monitor: { entry: entryPointsIn('monitor/'), ignoreDependencies: ['@opentelemetry/api'] },
    // Its one dependency is the older ESLint that tests run.
    'test/eslint-9': { ignoreDependencies: ['eslint'] },
    // Started as processes by tests of the monitor, and read and run by those of links.
    'test/libraries': {
      entry: ['{applications,linked}/*.{mjs,cjs}', '*.ts', 'bun/child.ts', 'samples/*.ts'],
      // A program, and a module only where that runs.
      ignoreDependencies: ['bun'],
    },
  },
  // A type that a signature names may be exported beside it.
  ignoreExportsUsedInFile: { interface: true, type: true },
};
