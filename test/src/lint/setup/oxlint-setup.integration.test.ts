import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUpOxlint } from '../../../../src/lint/setup/oxlint-setup.ts';
import { applyEdits } from '../../../../src/lint/setup/text-edit.ts';
import { modules } from '../../../support/packed-plugin.ts';
import { runNode } from '../../../support/run-process.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const severities = {
  'poolguard/no-unreleased-client': 'error',
  'poolguard/no-session-state': 'warn',
};
const leak =
  "import { Pool } from 'pg';\nconst pool = new Pool({ max: 3 });\nexport async function look() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";

test.each([
  ['an empty file', '', 'eslint-plugin-poolguard'],
  ['an empty object', '{}\n', 'eslint-plugin-poolguard'],
  [
    'comments, a trailing comma and tabs',
    '{\n\t// Ours.\n\t"rules": {\n\t\t"eqeqeq": "error", // strict\n\t},\n}\n',
    '\t// Ours.\n\t"rules": {\n\t\t"eqeqeq": "error",',
  ],
  [
    'other plugins',
    '{\n  "jsPlugins": ["eslint-plugin-other"],\n  "rules": {}\n}\n',
    '"eslint-plugin-other"',
  ],
  [
    'a rule that is set already',
    '{ "rules": { "poolguard/no-session-state": "off" } }',
    '"poolguard/no-session-state": "off"',
  ],
])(
  'oxlint reports the leak after %s was edited',
  async (_is, text, kept) => {
    const config = written(text);
    expect(config).toContain(kept);
    await using folder = await createTemporaryFolder({
      '.oxlintrc.json': config,
      'leak.js': leak,
      'package.json': '{ "type": "module" }',
    });
    const target = join(folder.path, 'node_modules');
    await mkdir(target);
    await symlink(
      join(modules, 'eslint-plugin-poolguard'),
      join(target, 'eslint-plugin-poolguard'),
      'junction',
    );
    if (text.includes('eslint-plugin-other'))
      await folder.write({
        'node_modules/eslint-plugin-other/index.js':
          'export default { meta: { name: "other" }, rules: {} };\n',
        'node_modules/eslint-plugin-other/package.json':
          '{ "type": "module", "exports": "./index.js" }',
      });
    const { stdout } = await runNode(
      [join(modules, 'oxlint/bin/oxlint'), '--format', 'json', 'leak.js'],
      folder.path,
    );
    expect(stdout).toContain('poolguard(no-unreleased-client)');
    expect(setUpOxlint({ text: config, severities })).toEqual({ kind: 'already' });
  },
  30_000,
);

test.each([
  ['[]'],
  ['{ "rules": [] '],
  ['{ "rules": [] }'],
  ['{ "jsPlugins": {} }'],
  ['{ "jsPlugins": ["x"], "jsPlugins": ["y"], "rules": {} }'],
])('%s is left to the user', (text) => {
  expect(setUpOxlint({ text, severities })).toMatchObject({ kind: 'by hand' });
});

function written(text: string): string {
  const answer = setUpOxlint({ text, severities });
  if (answer.kind === 'create') return answer.text;
  return answer.kind === 'edit' ? applyEdits(text, answer.edits) : `not written: ${answer.kind}`;
}
