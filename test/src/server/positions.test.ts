import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Linter, type Rule } from 'eslint';
import { parser } from 'typescript-eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  Diagnostic,
  Hover,
  InlayHint,
  TextEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import plugin from '../../../rules/index.ts';
import type { CodeFacts } from '../../../src/linking/linked-code.ts';
import { createLinter } from '../../../src/lint/linter.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { hostWithoutFiles } from '../../../src/server/host.ts';
import {
  codeFacts,
  heldLines,
  poolEdits,
  poolsInDocument,
  type HeldLines,
  type PoolDeclaration,
  type PoolEdits,
} from '../../../src/server/protocol.ts';
import { createNodeHost } from '../../../src/server/node-host.ts';
import { startServer } from '../../../src/server/server.ts';
import { startServerHere, type TestClient } from '../../support/language-client.ts';
import {
  allSubsetsUpToTwo,
  asked,
  asking,
  between,
  counted,
  oddities,
  written,
  type Oddity,
} from '../../support/odd-texts.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const folder = join(import.meta.dirname, 'workspace');
const everything = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
const rule = 'poolguard/no-unreleased-client';

/** A pool, a client that is lost, and one that is not; what begins a line may begin it behind any break. */
const lines = [
  '// The orders of a shop.',
  "import { Pool } from 'pg';",
  'const note = 1;',
  'const pool = new Pool();',
  'export async function pay() {',
  '  const client = await pool.connect();',
  "  await client.query('SELECT 1');",
  '  client.release();',
  '}',
  'export async function count() {',
  '  const other = await pool.connect();',
  '  try {',
  "    return await other.query('SELECT 2');",
  '  } finally {',
  '    other.release();',
  '  }',
  '}',
  '',
];

/** One fix that edits a single place, and one that inserts lines, by rule. */
const fixable: Readonly<Record<string, readonly string[]>> = {
  'no-end-pooled-client': [
    "import { Pool } from 'pg';",
    'const pool = new Pool();',
    'export async function pay() {',
    '  const client = await pool.connect();',
    '  await client.end();',
    '}',
    '',
  ],
  'no-unreleased-client': lines,
};

let client: TestClient;
beforeAll(async () => {
  client = await startServerHere((connection) => {
    startServer(connection, poolguard, hostWithoutFiles);
  }, folder);
  client.settings = { lint: { heldSpans: true } };
});
afterAll(() => client[Symbol.asyncDispose]());

let files = 0;

/** Opens the lines as they are with these oddities; the document counts as an editor does. */
async function open(
  odd: readonly Oddity[],
  code: readonly string[] = lines,
): Promise<TextDocument> {
  const uri = pathToFileURL(join(folder, `orders-${++files}.ts`)).href;
  const text = written(code, odd);
  await client.open(uri, text);
  return counted(uri, text);
}

function ask<Answer>(method: string, document: TextDocument, more: object = {}): Promise<Answer> {
  return client.connection.sendRequest(method, { textDocument: { uri: document.uri }, ...more });
}

/** Everything that has a place, as what is written before that. */
const places: Readonly<Record<string, (document: TextDocument) => Promise<unknown>>> = {
  diagnostics: async (document) =>
    (await client.diagnostics(document.uri)).map(({ code, range }) => [
      code,
      between(document, range),
    ]),
  'related information': async (document) =>
    (await client.diagnostics(document.uri)).flatMap(({ relatedInformation = [] }) =>
      relatedInformation.map(({ location, message }) => [
        message,
        between(document, location.range),
      ]),
    ),
  lenses: async (document) =>
    (await ask<CodeLens[]>('textDocument/codeLens', document)).map(({ range }) => [
      document.getText(range),
      between(document, range),
    ]),
  hovers: (document) =>
    Promise.all(
      ['pool.connect()', 'client =', 'client.release', 'other =', 'other.release'].map(
        async (words) => {
          const position = document.positionAt(document.getText().indexOf(words));
          const hover = await ask<Hover | null>('textDocument/hover', document, { position });
          return hover?.range && between(document, hover.range);
        },
      ),
    ),
  'inlay hints': async (document) =>
    (await ask<InlayHint[]>('textDocument/inlayHint', document, { range: everything })).map(
      ({ position }) => between(document, { start: position, end: position }),
    ),
  pools: async (document) =>
    (
      await client.connection.sendRequest<PoolDeclaration[]>(poolsInDocument.method, {
        uri: document.uri,
      })
    ).map(({ range }) => between(document, range)),
  'code facts': async (document) => {
    const facts = await client.connection.sendRequest<CodeFacts>(codeFacts.method, null);
    return [...facts.statements, ...facts.pools]
      .filter(({ uri }) => uri === document.uri)
      .map(({ line, column }) => {
        const start = { line: line - 1, character: column };
        return between(document, { start, end: start });
      });
  },
};

describe.each(Object.entries(places))('%s', (_, find) => {
  it.each(allSubsetsUpToTwo(oddities))('are where they are in a plain text: %j', async (...odd) => {
    const plain = await find(await open([]));
    expect(JSON.stringify(plain)).toMatch(/\d/u);
    expect(await find(await open(odd))).toEqual(plain);
  });
});

describe.each(allSubsetsUpToTwo(oddities).map((odd) => [JSON.stringify(odd), odd] as const))(
  'in a text with %s',
  (_, odd) => {
    it.each(Object.entries(fixable))('a fix of %s writes what ESLint writes', async (id, code) => {
      const document = await open(odd, code);
      const expected = fixedByEslint(document.getText(), id);
      const fixes = (await actionsAt(document, id)).filter(({ isPreferred }) => isPreferred);
      expect(fixes.map((fix) => applied(document, fix))).toEqual(changed(document, expected));
    });

    it.each(Object.entries(fixable))('all of %s at once, too', async (id, code) => {
      const document = await open(odd, code);
      const expected = fixedByEslint(document.getText(), id);
      const all = await client.codeActions(document.uri, everything, ['source.fixAll.poolguard']);
      expect(all.map((fix) => applied(document, fix))).toEqual(changed(document, expected));
    });

    it.each(['line', 'file'])('a comment switches the rule off for the %s', async (what) => {
      const document = await open(odd);
      const [action] = (await actionsAt(document)).filter(
        ({ title }) => title === `Disable ${rule} for this ${what}`,
      );
      const after = action && applied(document, action);
      const linted = createLinter(
        poolguard,
        {},
      )({
        path: join(folder, 'orders.ts'),
        text: after ?? '',
      });
      expect(linted.problems).toEqual([]);
      expect(linted.suppressed).toHaveLength(1);
      expect(
        after?.replace(/[\t ]*\/[/*] eslint-disable[^*\r\n]*(?:\*\/)?(?:\r\n|[\r\n])/u, ''),
      ).toBe(document.getText());
    });

    it('the options of a pool are written where it is made', async () => {
      const { uri, ...document } = await pooled(odd);
      const written = await client.connection.sendRequest<PoolEdits>(poolEdits.method, {
        uri,
        range: document.range,
        values: { max: 12 },
      });
      expect(TextDocument.applyEdits(document.text, [...written.edits])).toBe(
        document.text.getText().replace('new Pool()', 'new Pool({ max: 12 })'),
      );
    });

    it('held lines are those of the editor', async () => {
      const document = await open(odd);
      const held = await client.connection.sendRequest<HeldLines[]>(heldLines.method, {
        uri: document.uri,
      });
      const lineOf = (words: string) => document.positionAt(document.getText().indexOf(words)).line;
      expect(
        held.map(({ ranges }) => ranges.map(({ start, end }) => [start.line, end.line])),
      ).toEqual([
        [[lineOf('const client'), lineOf('client.release')]],
        [[lineOf('const other'), lineOf('other.release')]],
      ]);
    });

    it('texts name the lines that the editor shows', async () => {
      const document = await open(odd);
      const hints = await ask<InlayHint[]>('textDocument/inlayHint', document, {
        range: everything,
      });
      const lineOf = (words: string) =>
        document.positionAt(document.getText().indexOf(words)).line + 1;
      expect(hints.map(({ label }) => label)).toEqual([
        `leaks at line ${lineOf('await client.query')} · 1 statement`,
        `held since line ${lineOf('const client')}`,
        `held to line ${lineOf('other.release')} · 1 statement`,
        `held since line ${lineOf('const other')}`,
      ]);
    });
  },
);

it.each(allSubsetsUpToTwo(oddities))(
  'a place in another file is found by the text of that one: %j',
  async (...odd) => {
    await using workspace = await createTemporaryFolder({
      'package.json': '{ "dependencies": { "pg": "8" } }',
      'audit.ts': written(asked, odd),
    });
    const host = createNodeHost({ bundles: workspace.path, log: () => undefined });
    await using editor = await startServerHere((connection) => {
      startServer(connection, poolguard, host);
    }, workspace.path);
    const uriOf = (name: string) => pathToFileURL(join(workspace.path, name)).href;
    await editor.open(uriOf('pay.ts'), asking.join('\n'));
    const placeIn = async (text: string) => {
      const audit = counted(uriOf('audit.ts'), text);
      return (await editor.diagnostics(uriOf('pay.ts')))
        .flatMap(({ relatedInformation = [] }) => relatedInformation)
        .filter(({ location: { uri } }) => uri === audit.uri)
        .map(({ location }) => [
          audit.getText(location.range).slice(0, 14),
          ...between(audit, location.range),
        ]);
    };
    const plain = [['async function', 6, 55]];
    // An editor shows no mark of a file that it has opened itself.
    expect(await placeIn(written(asked, odd).replace(/^\uFEFF/u, ''))).toEqual(plain);
    await editor.open(uriOf('audit.ts'), written(asked, odd));
    expect(await placeIn(written(asked, odd))).toEqual(plain);
  },
);

it.each(allSubsetsUpToTwo(oddities))('there is something to fix: %j', (...odd) => {
  const text = written(fixable['no-end-pooled-client'] ?? [], odd);
  expect(fixedByEslint(text, 'no-end-pooled-client')).toBe(
    text.replace('await client.end()', 'client.release(true)'),
  );
});

async function pooled(odd: readonly Oddity[]) {
  const text = await open(odd);
  const [pool] = await client.connection.sendRequest<PoolDeclaration[]>(poolsInDocument.method, {
    uri: text.uri,
  });
  return { uri: text.uri, text, range: pool?.range };
}

/** One text, or none where it is the one of before. */
function changed(document: TextDocument, after: string): readonly string[] {
  return after === document.getText() ? [] : [after];
}

async function actionsAt(
  document: TextDocument,
  id = 'no-unreleased-client',
): Promise<CodeAction[]> {
  const found: Diagnostic[] = await client.diagnostics(document.uri);
  const range = found.find(({ code }) => code === `poolguard/${id}`)?.range ?? everything;
  return client.codeActions(document.uri, range);
}

function applied(document: TextDocument, { edit }: CodeAction): string {
  const changes = (edit?.documentChanges ?? []).flatMap((change) =>
    'edits' in change && change.textDocument.version === 1 ? change.edits : [],
  );
  return TextDocument.applyEdits(
    document,
    changes.filter((each): each is TextEdit => 'newText' in each),
  );
}

/** What `eslint --fix` makes of a text where a rule fixes what it suggests. */
function fixedByEslint(text: string, id: string): string {
  const rule: Rule.RuleModule | undefined = plugin.rules[id];
  const fixing: Rule.RuleModule = {
    meta: { ...rule?.meta, fixable: 'code' },
    create: (context) =>
      rule?.create(
        Object.create(context, {
          report: {
            value({ suggest, ...report }: Rule.ReportDescriptor) {
              const fix = suggest?.[0]?.fix;
              context.report({ ...report, ...(fix ? { fix } : {}) });
            },
          },
        }) as Rule.RuleContext,
      ) ?? {},
  };
  return new Linter({ cwd: folder }).verifyAndFix(
    text,
    [
      {
        files: ['**/?*'],
        plugins: { poolguard: { rules: { [id]: fixing } } },
        rules: { [`poolguard/${id}`]: 'error' },
        languageOptions: { parser },
      },
    ],
    { filename: join(folder, 'orders.ts') },
  ).output;
}
