import eslintPlugin from 'eslint-plugin-eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** A room may not import these; the message says what to do instead. */
function wall(files, ...forbidden) {
  return {
    files,
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [...forbidden] }],
    },
  };
}

const atLoad = ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration';
const notAtLoad =
  'A module has no state at load time: keep this in what a function makes, or take it as an argument.';
const variableAtLoad = { selector: `${atLoad}[kind!="const"]`, message: notAtLoad };
/** What is made empty is there to be filled, unless its type says that it stays as it is. */
function emptyAtLoad(kinds) {
  return {
    selector: `${atLoad} > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly/]) > NewExpression[arguments.length=0][callee.name=/^(?:${kinds})$/]`,
    message: notAtLoad,
  };
}

const editorApi = {
  group: ['vscode', 'vscode-languageclient', 'vscode-languageclient/*'],
  message:
    'Only src/extension.ts, src/extension-web.ts and src/editor/ know the editor; pass data in and out.',
};
const driver = {
  group: ['pg', 'pg-*'],
  message: 'Only src/database/ opens connections; take a connection as an argument.',
};
const product = {
  regex: '^(\\.\\./)+src/',
  message: 'The plugin knows ESLint and nothing else of this repository.',
};
const foreignToTheBrowser = {
  regex: '^node:|^\\.\\./(?!activity/(?!clock\\.ts)|pooler/|probe/result\\.ts|running/)',
  message:
    'Browser code imports its own folder, its data with their pure functions, and browser libraries only; data comes as messages.',
};
const clientLibrary = {
  group: ['vscode-languageclient', 'vscode-languageclient/*'],
  allowTypeImports: true,
  message:
    'Activation must not load the client library: import it where the server is started, or with import().',
};
const driverBundle = {
  regex: '(?:^|/)driver\\.ts$',
  allowTypeImports: true,
  message: 'Activation must not load the driver: import this with import().',
};
const compiler = {
  group: ['typescript', '@typescript-eslint/*', 'eslint-utils'],
  allowTypeImports: true,
  message: 'The plugin has no run-time dependency; take the facts from the syntax.',
};

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/node_modules/',
    '.cache/',
    'examples/',
    'test/fixtures/',
    'test/e2e/fixtures/',
    'report/',
  ]),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', 'scripts/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      complexity: ['error', { max: 12, variant: 'modified' }],
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Database text is hostile: render text nodes.' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    files: ['src/**', 'rules/**', 'monitor/**'],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'scripts/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        variableAtLoad,
        emptyAtLoad('Map|Set|Array|WeakMap|WeakSet'),
      ],
    },
  },
  // Weak caches: what they hold goes with what it was found for.
  {
    files: ['rules/**/*.ts', 'monitor/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', variableAtLoad, emptyAtLoad('Map|Set|Array')] },
  },
  // The entry of a process, which is all that ever runs it.
  { files: ['src/sweep/app/keeper.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // Texts of strangers are matched in time that grows with their length and no faster. What is bounded by other means says so where it is switched off.
  {
    files: ['src/**', 'rules/**', 'monitor/**', 'scripts/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  // The syntax tree's types spell node types as an enum, which exists at run time in a dependency that the plugin must not have.
  {
    files: ['rules/**/*.ts', 'test/rules/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-enum-comparison': 'off' },
  },
  wall(['rules/**/*.ts'], editorApi, driver, product, compiler),
  wall(['monitor/**/*.ts'], editorApi, driver, {
    regex: '^(\\.\\./)+(?:src|rules)/',
    message: 'The monitor runs inside of applications and knows nothing of this repository.',
  }),
  wall(['src/**/*.ts'], editorApi, driver),
  wall(['src/database/**/*.ts'], editorApi),
  wall(['src/linking/**/*.ts'], editorApi, driver, {
    regex: '^\\.\\./(?:server|editor|database|webview|lint|cli)/',
    message:
      'What links sessions with code knows neither who reads the code nor who looks at the server; take plain data.',
  }),
  wall(
    ['src/extension.ts', 'src/extension-web.ts', 'src/editor/**/*.ts'],
    driver,
    clientLibrary,
    driverBundle,
  ),
  wall(
    ['client-library', 'create-client', 'server-process', 'server-worker', 'step-aside'].map(
      (name) => `src/editor/findings/${name}.ts`,
    ),
    driver,
  ),
  wall(['src/webview/**/*.ts'], editorApi, driver, foreignToTheBrowser),
  {
    files: ['rules/no-*.ts', 'rules/require-*.ts', 'rules/prefer-*.ts'],
    ...eslintPlugin.configs.recommended,
  },
  { files: ['scripts/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
