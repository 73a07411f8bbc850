/** One file that is published, and what a reader of the list needs to know to agree with it. */
export interface PublishedFile {
  /** Relative to the package's folder, and the same in the artifact. */
  readonly path: string;
  readonly why: string;
}

export interface Artifact {
  /** As users ask for it. */
  readonly name: string;
  readonly kind: 'npm' | 'vsix';
  /** Relative to the repository. */
  readonly folder: string;
  readonly files: readonly PublishedFile[];
}

/** The notice about bundled packages, which is written when an artifact is packed. */
export const noticeFile = 'NOTICE';

const papers: readonly PublishedFile[] = [
  { path: 'LICENSE', why: 'our licence' },
  { path: 'README.md', why: 'the page that the registry shows' },
  { path: 'package.json', why: 'the manifest' },
];
const notice: PublishedFile = {
  path: noticeFile,
  why: 'the packages that are bundled, with version and licence text',
};
const changelog: PublishedFile = { path: 'CHANGELOG.md', why: 'what is new, by version' };

/** What the command line and the extension both start as processes of their own. */
const processes: readonly PublishedFile[] = [
  {
    path: 'dist/engine.cjs',
    why: 'the rules, what runs them, and the language server; loaded when a file has to be checked',
  },
  {
    path: 'dist/eslint-config.cjs',
    why: "asks the workspace's own ESLint what it would do with our rules",
  },
  {
    path: 'dist/libpg-query.wasm',
    why: "PostgreSQL's own parser, which decides what a probe may run",
  },
  { path: 'dist/oxc-parser.wasm', why: 'the parser of JavaScript and TypeScript' },
  {
    path: 'dist/pool-watch.cjs',
    why: 'the monitor, loaded into applications that Poolguard starts',
  },
  { path: 'dist/probe.cjs', why: 'the process that measures' },
  { path: 'dist/server.cjs', why: 'starts the language server, or a thread that lints' },
  { path: 'dist/typescript.cjs', why: "TypeScript's parser, for what the other one refuses" },
];

/** Everything that is published, file by file; nothing else may be in an artifact. docs/releasing.md shows it. */
export const artifacts: readonly Artifact[] = [
  {
    name: 'poolguard',
    kind: 'npm',
    folder: '.',
    files: [
      ...papers,
      changelog,
      notice,
      {
        path: 'dist/app-keeper.cjs',
        why: 'starts the application of a sweep and ends it with its children',
      },
      { path: 'dist/cli.js', why: 'the command: loads what its arguments ask for' },
      { path: 'dist/commands.cjs', why: 'every command but lint' },
      { path: 'dist/lint.cjs', why: '`poolguard lint`, without the rules' },
      { path: 'dist/overview.cjs', why: 'the list of commands' },
      { path: 'dist/undici.cjs', why: 'the HTTP client that makes the load of a sweep' },
      ...processes,
    ],
  },
  {
    name: 'eslint-plugin-poolguard',
    kind: 'npm',
    folder: 'rules',
    files: [
      ...papers,
      notice,
      { path: 'dist/index.js', why: 'rules and presets' },
      { path: 'dist/index.d.ts', why: 'types of the plugin' },
      ...[
        'create-rule',
        'checks/finding',
        'fixes/suggestion',
        'lenses/held-span',
        'lenses/written-query',
        'lenses/written-route',
        'lenses/written-statement',
        'model/built',
        'rule-text',
        'syntax/place',
        'values/pools/declared-pool',
      ].map((name) => ({
        path: `dist/${name}.d.ts`,
        why: 'types that those of the plugin name',
      })),
    ],
  },
  {
    name: 'poolguard-monitor',
    kind: 'npm',
    folder: 'monitor',
    files: [
      ...papers,
      { path: 'dist/index.js', why: '`watchPool`' },
      { path: 'dist/index.d.ts', why: 'types of `watchPool`' },
      { path: 'dist/register.js', why: 'what is loaded before the application' },
      { path: 'dist/register.d.ts', why: 'types of the register' },
      ...['options', 'report'].map((name) => ({
        path: `dist/${name}.d.ts`,
        why: 'types that those of `watchPool` name',
      })),
    ],
  },
  {
    name: 'Poolguard for VS Code',
    kind: 'vsix',
    folder: '.',
    files: [
      ...papers,
      changelog,
      notice,
      { path: 'media/icon.png', why: 'the icon of the Marketplace' },
      { path: 'media/activity.svg', why: 'the icon in the activity bar' },
      ...['connect', 'fix', 'probe', 'see'].map((step) => ({
        path: `media/walkthrough/${step}.svg`,
        why: 'a picture of the walkthrough',
      })),
      { path: 'dist/extension.cjs', why: 'what the editor activates' },
      {
        path: 'dist/client-library.cjs',
        why: 'the language client, loaded with the first finding',
      },
      { path: 'dist/driver.cjs', why: 'the PostgreSQL driver, loaded with the first connection' },
      { path: 'dist/export-sessions.cjs', why: 'copies and exports sessions' },
      {
        path: 'dist/find-connections.cjs',
        why: "reads the workspace's connection files, on request",
      },
      { path: 'dist/report-formats.cjs', why: 'writes reports of probes' },
      { path: 'dist/running-apps.cjs', why: 'listens to applications under pool watch' },
      {
        path: 'dist/set-up-linters.cjs',
        why: "edits a linter's configuration, on request",
      },
      { path: 'dist/what-to-probe.cjs', why: 'asks which statement a probe runs' },
      ...processes,
      { path: 'dist/extension-web.js', why: 'what the editor activates in a browser' },
      { path: 'dist/server-web.js', why: 'the language server in a browser' },
      { path: 'dist/webview/page.css', why: 'style of the pages' },
      { path: 'dist/webview/sidebar.js', why: "the sidebar's views" },
      { path: 'dist/webview/pooler-panel.js', why: "the page of a pooler's console" },
      { path: 'dist/webview/sessions-panel.js', why: 'the table of sessions' },
    ],
  },
];

/** The artifact of that name; throws a sentence for any other. */
export function artifactNamed(name: string): Artifact {
  const found = artifacts.find((each) => each.name === name);
  if (found === undefined)
    throw new Error(
      `There is no artifact "${name}"; there are ${artifacts.map((each) => each.name).join(', ')}.`,
    );
  return found;
}

/** What is too much in an artifact and what is missing, in sentences; empty when it is as listed. Both lists hold paths relative to the package. */
export function compareContents(
  { name, files }: Artifact,
  packed: readonly string[],
): readonly string[] {
  const listed = files.map(({ path }) => path);
  return [
    ...packed
      .filter((path) => !listed.includes(path))
      .map(
        (path) =>
          `${name} holds ${path}, for which scripts/published/artifacts.ts gives no reason.`,
      ),
    ...listed.filter((path) => !packed.includes(path)).map((path) => `${name} lacks ${path}.`),
  ];
}

/** The artifacts with their files, as docs/releasing.md shows them. */
export function contentsTable(): string {
  return artifacts
    .map(({ name, files }) =>
      [
        `**${name}**`,
        '',
        '| file | why |',
        '|---|---|',
        ...files.map(({ path, why }) => `| \`${path}\` | ${why} |`),
      ].join('\n'),
    )
    .join('\n\n');
}
