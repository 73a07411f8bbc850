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

const stateAtLoad = [variableAtLoad, emptyAtLoad('Map|Set|Array|WeakMap|WeakSet')];
const sqlElsewhere =
  'Statements of ours lie in src/database/sql/, where a test finds each name that is left to search_path: export it there and import it here.';
const statementStart =
  'SELECT|select|WITH|VALUES|TABLE|INSERT|UPDATE|DELETE|MERGE|EXPLAIN|SET|RESET|SHOW|BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|LOCK|DISCARD|PREPARE|EXECUTE|DEALLOCATE|LISTEN|NOTIFY|COPY|CALL|DO|CANCEL';
/** What begins like a statement, and the words that are one alone. A word alone may be a rule about the SQL of users. */
const sqlTexts = [
  `Literal[value=/^\\s*(?:${statementStart})\\s/]`,
  'Literal[value=/^\\s*(?:BEGIN|COMMIT|ROLLBACK|ABORT)\\s*;?$/]',
  `TemplateLiteral > TemplateElement:first-child[value.cooked=/^\\s*(?:${statementStart})(?:\\s|$)/]`,
].map((selector) => ({ selector, message: sqlElsewhere }));
const innerHtml = {
  property: 'innerHTML',
  message: 'Database text is hostile: render text nodes.',
};
const rawJson = {
  object: 'JSON',
  property: 'stringify',
  message:
    'What somebody may read hides nothing: toJson of src/text/to-json.ts. A file of keys or of messages between our own processes is named in eslint.config.js.',
};
/** What opens files by their names; which of them are in `src/files/` is all that may. */
const writing = [
  'appendFile',
  'cp',
  'copyFile',
  'createWriteStream',
  'link',
  'mkdir',
  'rename',
  'symlink',
  'truncate',
  'writeFile',
];
const reading = ['createReadStream', 'open', 'openAsBlob', 'readFile'];
/** By their own names, and as functions that answer at once. */
function fromFiles(names, message) {
  const importNames = names.flatMap((name) => [name, `${name}Sync`]);
  return ['node:fs', 'node:fs/promises', 'fs', 'fs/promises'].map((name) => ({
    name,
    importNames: ['default', ...importNames],
    message,
  }));
}
const writesElsewhere = fromFiles(
  [...writing, ...reading],
  'A repository may have put a link, a pipe or a device there: write with writeWhole of src/files/, read with readOrdinary of rules/project/.',
);
/** These open only files that cannot come from a repository: sockets, files below /proc, our own bundle, and what a shell passes in. */
const opensFiles = [
  'src/browser/no-files.ts',
  'src/files/write-whole.ts',
  'src/lint/{check-file,oxc-file,room-for-threads}.ts',
  'src/machine/proc.ts',
  'src/running/socket-place.ts',
];
/** Keys, comparisons, and messages between our own processes; nothing of it is printed, copied or saved. */
const unreadJson = [
  'src/activity/group-by-pool.ts',
  'src/connections/found-connection.ts',
  'src/database/session-guard.ts',
  'src/editor/connections/{connections-tree,saved-connections}.ts',
  'src/editor/pooler/pooler-roles.ts',
  'src/editor/probe/{plan-question,probe-place}.ts',
  'src/editor/register-pool.ts',
  'src/editor/running/open-evidence.ts',
  'src/linking/normal-form.ts',
  'src/pooler/pooler-concern.ts',
  'src/probe/baseline/compare-with-baseline.ts',
  'src/running/monitor-connection.ts',
  'src/server/eslint-config/process.ts',
  'src/server/{code-facts,configured-for}.ts',
  'src/server/evidence/*.ts',
];

const editorApi = {
  group: ['vscode', 'vscode-languageclient', 'vscode-languageclient/*'],
  message:
    'Only src/extension.ts, src/extension-web.ts and src/editor/ know the editor; pass data in and out.',
};
const driver = {
  regex: '^pg(?:$|[-/])',
  message: 'Only src/database/ opens connections; take a connection as an argument.',
};
const product = {
  regex: '^(\\.\\./)+src/',
  message: 'The plugin knows ESLint and nothing else of this repository.',
};
const foreignToTheBrowser = {
  regex:
    '^node:|^\\.\\./(?!activity/(?!clock\\.ts)|pooler/|schema/|probe/(?:result|transaction-text|size/contention)\\.ts|running/|text/)',
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
/** The rooms of the plugin: each imports those before it, and none behind it. */
const layers = [
  'model',
  'syntax',
  'project',
  'flow',
  'values',
  'typestate',
  'summaries',
  'fixes',
  'checks',
  'lenses',
];
const compiler = {
  group: ['typescript', '@typescript-eslint/*', 'eslint-utils'],
  allowTypeImports: true,
  message: 'The plugin has no run-time dependency; take the facts from the syntax.',
};

/** What a room must not import: the rooms behind it, and the rules. */
function above(layer, rooms) {
  const files =
    '(?:create-rule|described-rules|index|rule-text|(?:no|prefer|require)-[\\w-]+)\\.ts$';
  return {
    regex: `^(?:\\.\\./)+(?:${[...rooms.map((room) => `${room}/`), files].join('|')})`,
    message: `rules/${layer}/ knows neither the rules nor what stands behind it${rooms.length > 0 ? `: ${rooms.join(', ')}` : ''}.`,
  };
}

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/node_modules/',
    '.cache/',
    'examples/',
    'test/fixtures/',
    'test/libraries/applications/',
    'test/libraries/linked/',
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
      'no-restricted-properties': ['error', innerHtml],
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
    rules: { 'no-restricted-syntax': ['error', ...stateAtLoad] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/database/sql/**'],
    rules: { 'no-restricted-syntax': ['error', ...stateAtLoad, ...sqlTexts] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/text/to-json.ts', ...unreadJson],
    rules: { 'no-restricted-properties': ['error', innerHtml, rawJson] },
  },
  {
    files: ['src/**/*.ts', 'rules/**/*.ts'],
    ignores: ['rules/project/ordinary-file.ts', ...opensFiles],
    rules: { 'no-restricted-imports': ['error', { paths: writesElsewhere }] },
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
    files: ['rules/**/*.ts', 'test/{laws,rules}/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-enum-comparison': 'off' },
  },
  wall(['rules/**/*.ts'], editorApi, driver, product, compiler),
  ...layers.map((layer, index) =>
    wall(
      [`rules/${layer}/**/*.ts`],
      editorApi,
      driver,
      product,
      compiler,
      above(layer, layers.slice(index + 1)),
    ),
  ),
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
