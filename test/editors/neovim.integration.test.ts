import { readFileSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../../scripts/test-tools/find.mjs';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { runProgram } from '../support/run-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
/** What the document says to write into Neovim's configuration. */
const configuration = codeBlocksOf(readFileSync(join(root, 'docs/editors.md'), 'utf8')).find(
  ({ language }) => language === 'lua',
);

const head = `import { Pool } from 'pg';
const pool = new Pool();
pool.on('error', console.error);
export async function load(id) {
  const client = await pool.connect();
`;
const leak = `${head}  const { rows } = await client.query('select $1', [id]);
  client.release();
  return rows;
}
`;
const fixed = `${head}  try {
    const { rows } = await client.query('select $1', [id]);
    return rows;
  } finally {
    client.release();
  }
}
`;

interface Seen {
  readonly found: readonly object[];
  readonly hover: readonly string[];
  readonly offered: readonly string[];
  readonly fixed: readonly string[];
}

test('Neovim, configured as docs/editors.md says, shows the leak and what is held there, and takes the fix', async () => {
  await using folder = await createTemporaryFolder({
    'package.json': '{ "type": "module", "dependencies": { "pg": "^8" } }',
    'load.js': leak,
    'init.lua': configuration?.text ?? '',
    'node_modules/.bin/.keep': '',
  });
  await symlink(join(root, 'dist/cli.js'), join(folder.path, 'node_modules/.bin/poolguard'));
  const session = join(import.meta.dirname, 'neovim-session.lua');
  const { code, stderr } = await runProgram(
    needTool('neovim'),
    ['--headless', '-n', '-i', 'NONE', '-u', 'init.lua', 'load.js', '-c', `luafile ${session}`],
    folder.path,
    // Nothing of the user's own Neovim.
    { XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_STATE_HOME: folder.path },
  );
  expect([code, stderr]).toEqual([0, '']);
  const seen = JSON.parse(await readFile(join(folder.path, 'seen.json'), 'utf8')) as Seen;
  expect(seen.found).toEqual([
    { source: 'poolguard', code: 'poolguard/no-unreleased-client', line: 5 },
  ]);
  expect(seen.hover.join('\n')).toMatch(/^\*\*Client of `pool`\*\*, held from .*\*\*Leaks\*\*/su);
  expect(seen.offered).toContain('Release the client in a `finally`');
  expect(seen.offered.filter((title) => title.startsWith('Disable'))).toHaveLength(2);
  expect(`${seen.fixed.join('\n')}\n`).toBe(fixed);
});
