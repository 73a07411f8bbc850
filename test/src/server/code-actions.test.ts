import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createLinter } from '../../../src/lint/linter.ts';
import { poolguard } from '../../../src/lint/poolguard.ts';
import { toCodeActions } from '../../../src/server/code-actions.ts';
import { createTinyPlugin } from '../../support/tiny-plugin.ts';

const everything = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
const lint = createLinter(createTinyPlugin(), { cwd: import.meta.dirname });

/** The text after the first action with that title, and what linting it again finds. */
function apply(text: string, title: string) {
  const document = TextDocument.create('file:///app.ts', 'typescript', 1, text);
  const { problems } = lint({ path: '/app.ts', text });
  const action = toCodeActions(document, problems, everything).find((each) => each.title.includes(title));
  const change = action?.edit?.documentChanges?.[0];
  const after = TextDocument.applyEdits(document, change !== undefined && 'edits' in change ? change.edits.filter((edit) => 'newText' in edit) : []);
  return { after, remaining: lint({ path: '/app.ts', text: after }).problems.length };
}

const rule = 'poolguard/no-unreleased-client';

describe('an action changes the text so that the problem is gone', () => {
  it.each([
    ['a comment above', 'for this line', 'pool.connect();\n', `// eslint-disable-next-line ${rule}\npool.connect();\n`],
    ['a comment above, indented alike', 'for this line', 'if (x) {\n\tpool.connect();\n}', `if (x) {\n\t// eslint-disable-next-line ${rule}\n\tpool.connect();\n}`],
    ['a comment with Windows line breaks', 'for this line', 'x();\r\npool.connect();\r\n', `x();\r\n// eslint-disable-next-line ${rule}\r\npool.connect();\r\n`],
    ['a rule more in the comment that is there', 'for this line', '// eslint-disable-next-line no-console\npool.connect();\n', `// eslint-disable-next-line no-console, ${rule}\npool.connect();\n`],
    ['a rule more before the reason', 'for this line', '// eslint-disable-next-line a/b, c/d-e -- we know\npool.connect();\n', `// eslint-disable-next-line a/b, c/d-e, ${rule} -- we know\npool.connect();\n`],
    ['a comment on top', 'for this file', 'x();\npool.connect();\n', `/* eslint-disable ${rule} */\nx();\npool.connect();\n`],
    ['a comment below the hashbang', 'for this file', '#!/usr/bin/env node\npool.connect();\n', `#!/usr/bin/env node\n/* eslint-disable ${rule} */\npool.connect();\n`],
    ['the suggestion', 'Release it', 'pool.connect();\n', 'pool.connect().then((client) => client.release());\n'],
  ])('%s', (_, title, text, expected) => {
    expect(apply(text, title)).toEqual({ after: expected, remaining: 0 });
  });
});

it('two problems of one rule on one line get one comment', () => {
  const text = 'pool.connect(); pool.connect();\n';
  const titles = toCodeActions(TextDocument.create('file:///app.ts', 'typescript', 1, text), lint({ path: '/app.ts', text }).problems, everything).map(({ title }) => title);
  expect(titles).toEqual(['Release it', 'Release it', `Disable ${rule} for this line`, `Disable ${rule} for this file`]);
});

it('a suggestion of several edits is one edit', () => {
  const text = "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function f() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n  client.release();\n}\n";
  const { problems } = createLinter(poolguard, { cwd: '/' })({ path: '/app.ts', text });
  const document = TextDocument.create('file:///app.ts', 'typescript', 1, text);
  const action = toCodeActions(document, problems, everything).find(({ title }) => title === 'Release the client in a `finally`');
  const [change] = action?.edit?.documentChanges ?? [];
  const edits = change !== undefined && 'edits' in change ? change.edits.filter((edit) => 'newText' in edit) : [];
  expect(edits).toHaveLength(1);
  expect(TextDocument.applyEdits(document, edits)).toContain("  try {\n    await client.query('SELECT 1');\n  } finally {\n    client.release();\n  }\n}\n");
});
