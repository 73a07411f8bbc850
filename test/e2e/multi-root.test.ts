import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { openFile } from './support/quick-pick.ts';
import { problemsOf, showProblems } from './support/workbench.ts';

const leak = `import { Pool } from 'pg';

const pool = new Pool({ max: 5, connectionTimeoutMillis: 2_000 });
pool.on('error', () => undefined);

export async function count() {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT count(*) FROM jobs');
  return rows[0];
}
`;
const manifest = '{ "dependencies": { "pg": "^8" } }';

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor(
    {
      'both.code-workspace': JSON.stringify({
        folders: [{ path: 'api' }, { path: 'worker' }, { path: 'batch' }],
      }),
      'api/src/api-count.ts': leak,
      'api/package.json': manifest,
      'worker/src/worker-count.ts': leak,
      'worker/package.json': manifest,
      'worker/.vscode/settings.json': JSON.stringify({
        'poolguard.lint.rules': { 'no-unreleased-client': 'warn' },
      }),
      'batch/src/batch-count.ts': leak,
      'batch/package.json': manifest,
      'batch/.vscode/settings.json': JSON.stringify({ 'poolguard.lint.exclude': ['src/**'] }),
    },
    { workspaceFile: 'both.code-workspace' },
  );
});

afterAll(() => editor.stop());

test('each folder of a workspace has its own settings', async () => {
  const { page } = editor;
  await showProblems(page);
  for (const name of ['batch-count.ts', 'worker-count.ts', 'api-count.ts'])
    await openFile(page, name);
  const leaks = problemsOf(page, 'no-unreleased-client');
  await expect.poll(() => leaks.count()).toBe(2);
  await expect.poll(() => leaks.filter({ has: page.locator('.codicon-error') }).count()).toBe(1);
  await expect.poll(() => leaks.filter({ has: page.locator('.codicon-warning') }).count()).toBe(1);
  expect(
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'batch-count.ts' }).count(),
  ).toBe(0);
});
