import { describe, expect, it } from 'vitest';
import type { ClientCapabilities, CodeAction, Diagnostic } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createInspector } from '../../../src/lint/linter.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { toCodeActions } from '../../../src/server/code-actions.ts';
import { locationsIn } from '../../../src/server/to-diagnostics.ts';
import { snapshots } from '../../../src/server/snapshot.ts';
import { createTinyAnalyser } from '../../support/tiny-analyser.ts';

const everything = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
const tiny = createTinyAnalyser();
const versioned: ClientCapabilities = { workspace: { workspaceEdit: { documentChanges: true } } };

interface Looked {
  readonly document: TextDocument;
  readonly actions: readonly CodeAction[];
}

function look(
  text: string,
  { analyser = tiny, path = '/app.tsx', shown = [] as readonly Diagnostic[], can = versioned } = {},
): Looked {
  const snapshot = snapshots.create('file:///app.tsx', 'typescriptreact', 1, text);
  const inspected = createInspector(analyser, {})({ path, text });
  const written = inspected.written();
  return {
    document: TextDocument.create(snapshot.uri, 'typescriptreact', 1, text),
    actions:
      written === undefined
        ? []
        : toCodeActions(snapshot, inspected.problems, written, {
            range: everything,
            shown,
            analyser,
            can,
            locationOf: locationsIn(snapshot.uri, snapshot.positions, new Map()),
          }),
  };
}

function editsOf(action: CodeAction | undefined) {
  const [change] = action?.edit?.documentChanges ?? [];
  return change !== undefined && 'edits' in change
    ? change.edits.filter((edit) => 'newText' in edit)
    : [];
}

/** The text after the first action with that title, and what linting it again finds. */
function apply(text: string, title: string) {
  const { document, actions } = look(text);
  const after = TextDocument.applyEdits(
    document,
    editsOf(actions.find((each) => each.title.includes(title))),
  );
  return {
    after,
    remaining: createInspector(tiny, {})({ path: '/app.tsx', text: after }).problems.length,
  };
}

const rule = 'poolguard/no-unreleased-client';

// The directives below are what the actions write into other people's files, and switch nothing off here.
describe('an action changes the text so that the problem is gone', () => {
  it.each([
    [
      'a comment above',
      'pool.connect();\n',
      `// eslint-disable-next-line ${rule}\npool.connect();\n`,
    ],
    [
      'a comment above, indented alike',
      'if (x) {\n\tpool.connect();\n}',
      `if (x) {\n\t// eslint-disable-next-line ${rule}\n\tpool.connect();\n}`,
    ],
    [
      'a comment with Windows line breaks',
      'x();\r\npool.connect();\r\n',
      `x();\r\n// eslint-disable-next-line ${rule}\r\npool.connect();\r\n`,
    ],
    [
      'a rule more in the comment that is there',
      '// eslint-disable-next-line no-console\npool.connect();\n',
      `// eslint-disable-next-line no-console, ${rule}\npool.connect();\n`,
    ],
    [
      'a rule more before the reason',
      '// eslint-disable-next-line a/b, c/d-e -- we know\npool.connect();\n',
      `// eslint-disable-next-line a/b, c/d-e, ${rule} -- we know\npool.connect();\n`,
    ],
    [
      'a rule more behind a comma',
      '// eslint-disable-next-line a/b,\npool.connect();\n',
      `// eslint-disable-next-line a/b, ${rule},\npool.connect();\n`,
    ],
    [
      'a rule more in a block',
      '/* eslint-disable-next-line a/b -- we know */\npool.connect();\n',
      `/* eslint-disable-next-line a/b, ${rule} -- we know */\npool.connect();\n`,
    ],
    [
      'a rule more in a block of lines',
      '/* eslint-disable-next-line\n   a/b,\n   c/d\n*/\npool.connect();\n',
      `/* eslint-disable-next-line\n   a/b,\n   c/d, ${rule}\n*/\npool.connect();\n`,
    ],
    [
      'a rule more at the end of the line',
      'pool.connect(); // eslint-disable-line a/b -- we know\n',
      `pool.connect(); // eslint-disable-line a/b, ${rule} -- we know\n`,
    ],
    [
      'a tag between tags',
      '<A>\n  {pool.connect()}\n</A>;\n',
      `<A>\n  {/* eslint-disable-next-line ${rule} */}\n  {pool.connect()}\n</A>;\n`,
    ],
    [
      'a comment beside it behind words of a page',
      '<A>\n  and {pool.connect()}\n</A>;\n',
      `<A>\n  and {/* eslint-disable-line ${rule} */ pool.connect()}\n</A>;\n`,
    ],
    [
      'a comment above an attribute',
      '<A\n  b={pool.connect()}\n/>;\n',
      `<A\n  // eslint-disable-next-line ${rule}\n  b={pool.connect()}\n/>;\n`,
    ],
    [
      'a comment beside it in a template',
      'x(`\n  ${pool.connect()}\n`);\n',
      `x(\`\n  \${/* eslint-disable-line ${rule} */ pool.connect()}\n\`);\n`,
    ],
    [
      'a comment above a decorator',
      'class A {\n  @Inject(pool.connect())\n  b;\n}\n',
      `class A {\n  // eslint-disable-next-line ${rule}\n  @Inject(pool.connect())\n  b;\n}\n`,
    ],
    [
      'a comment above a call in the middle of a chain',
      'f()\n  .g(pool.connect());\n',
      `f()\n  // eslint-disable-next-line ${rule}\n  .g(pool.connect());\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(apply(text, 'for this line')).toEqual({ after: expected, remaining: 0 });
  });

  it.each([
    [
      'a comment on top',
      'x();\npool.connect();\n',
      `/* eslint-disable ${rule} */\nx();\npool.connect();\n`,
    ],
    [
      'a comment below the hashbang',
      '#!/usr/bin/env node\npool.connect();\n',
      `#!/usr/bin/env node\n/* eslint-disable ${rule} */\npool.connect();\n`,
    ],
    [
      'a rule more in the comment on top',
      '/* eslint-disable a/b -- old code */\npool.connect();\n',
      `/* eslint-disable a/b, ${rule} -- old code */\npool.connect();\n`,
    ],
    [
      'below a license',
      '/*! Copyright us */\npool.connect();\n',
      `/*! Copyright us */\n/* eslint-disable ${rule} */\npool.connect();\n`,
    ],
    [
      'below lines that stand apart',
      '// What this\n// file is.\n\npool.connect();\n',
      `// What this\n// file is.\n/* eslint-disable ${rule} */\n\npool.connect();\n`,
    ],
    [
      'above what is written about the first statement',
      '/** Connects. */\npool.connect();\n',
      `/* eslint-disable ${rule} */\n/** Connects. */\npool.connect();\n`,
    ],
    [
      'above a directive',
      "'use strict';\npool.connect();\n",
      `/* eslint-disable ${rule} */\n'use strict';\npool.connect();\n`,
    ],
  ])('for the file: %s', (_, text, expected) => {
    expect(apply(text, 'for this file')).toEqual({ after: expected, remaining: 0 });
  });

  it('the suggestion', () => {
    expect(apply('pool.connect();\n', 'Release it')).toEqual({
      after: 'pool.connect().then((client) => client.release());\n',
      remaining: 0,
    });
  });
});

it('two problems of one rule on one line get one comment', () => {
  const { actions } = look('pool.connect(); pool.connect();\n', {
    can: { window: { showDocument: { support: true } } },
  });
  expect(actions.map(({ title }) => title)).toEqual([
    'Release it',
    'Release it',
    `Disable ${rule} for this line`,
    `Disable ${rule} for this file`,
    `Show documentation for ${rule}`,
  ]);
});

it('an action is about what is shown, whoever shows it', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 14 } };
  const eslint: Diagnostic = { source: 'eslint', code: rule, range, message: 'x' };
  const oxlint: Diagnostic = {
    source: 'oxc',
    code: 'poolguard(no-unreleased-client)',
    range,
    message: 'x',
  };
  const other: Diagnostic = { source: 'eslint', code: 'no-undef', range, message: 'x' };
  const [first] = look('pool.connect();\n', { shown: [eslint, other, oxlint] }).actions;
  expect(first).toMatchObject({ isPreferred: true, diagnostics: [eslint, oxlint] });
  expect(look('pool.connect();\n').actions[0]?.diagnostics).toMatchObject([
    { source: 'poolguard', code: rule, range },
  ]);
});

it('a suggestion of several edits is one edit', () => {
  const text =
    "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function f() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n  client.release();\n}\n";
  const { document, actions } = look(text, { analyser: poolguard, path: '/app.ts' });
  const edits = editsOf(actions.find(({ title }) => title === 'Release the client in a `finally`'));
  expect(edits).toHaveLength(1);
  expect(TextDocument.applyEdits(document, edits)).toContain(
    "  try {\n    await client.query('SELECT 1');\n  } finally {\n    client.release();\n  }\n}\n",
  );
});

it('an edit names its version where the editor can read one', () => {
  const text = 'pool.connect();\n';
  const editIn = (can: ClientCapabilities) => look(text, { can }).actions[0]?.edit;
  const edits = [expect.objectContaining({ newText: '.then((client) => client.release())' })];
  expect(editIn(versioned)).toEqual({
    documentChanges: [{ textDocument: { uri: 'file:///app.tsx', version: 1 }, edits }],
  });
  expect(editIn({})).toEqual({ changes: { 'file:///app.tsx': edits } });
});
