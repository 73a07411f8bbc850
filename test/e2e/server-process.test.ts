import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { leakingFile } from './support/leaking-file.ts';
import { notified } from './support/notifications.ts';
import { openFile, runCommand } from './support/quick-pick.ts';
import { languageStatusIs } from './support/workbench.ts';

let editor: Editor;
afterEach(() => editor.stop());

test('a server that is killed comes back, each time later, and says so once; one that dies again and again is left until it is started by hand', async () => {
  editor = await startEditor({
    'load.ts': leakingFile,
    'package.json': '{ "dependencies": { "pg": "^8" } }',
  });
  const { page } = editor;
  await openFile(page, 'load.ts');
  const squiggle = page.locator('.squiggly-error').first();
  await squiggle.waitFor();
  const killed: number[] = [];
  for (const seconds of [1, 2, 4, 8, 16]) {
    const killedAt = await killServer(killed);
    if (seconds === 1) await notified(page, /ended unexpectedly and is restarting/u);
    if (seconds === 1) await squiggle.waitFor({ state: 'detached' });
    await expect
      .poll(() => servers().some((id) => !killed.includes(id)), { interval: 50 })
      .toBe(true);
    expect(performance.now() - killedAt).toBeGreaterThan(seconds * 1000 - 100);
    if (seconds === 1) await squiggle.waitFor();
  }
  await killServer(killed);
  await notified(page, /ended unexpectedly 6 times in a row/u);
  await squiggle.waitFor({ state: 'detached' });
  expect(servers()).toEqual([]);
  await runCommand(page, 'Notifications: Show Notifications');
  const told = page.locator('.notifications-center .notification-list-item', {
    hasText: 'Poolguard',
  });
  await expect.poll(() => told.count()).toBe(2);
  await told
    .filter({ hasText: '6 times in a row' })
    .locator('.monaco-button', { hasText: 'Restart' })
    .click();
  await squiggle.waitFor();
  expect(servers()).toHaveLength(1);
  await editor.stop();
  await expect.poll(servers).toEqual([]);
});

test('a project without a pool driver has no server, until a driver is named', async () => {
  editor = await startEditor({
    'load.ts': leakingFile.replace("'pg'", "'./db'"),
    'package.json': '{ "dependencies": { "express": "^5" } }',
  });
  const { page } = editor;
  await openFile(page, 'load.ts');
  // The extension is active and has looked: its language status says so.
  await languageStatusIs(page, 'Poolguard: Nothing to check: no pool driver in this workspace');
  expect(servers()).toEqual([]);
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(leakingFile);
  await page.locator('.squiggly-error').first().waitFor();
  expect(servers()).toHaveLength(1);
});

/** When the one server that lives was killed, in milliseconds. */
async function killServer(killed: number[]): Promise<number> {
  const living = () => servers().filter((id) => !killed.includes(id));
  await expect.poll(() => living().length).toBe(1);
  const [id] = living();
  if (id === undefined) throw new Error('The server ended by itself.');
  killed.push(id);
  process.kill(id, 'SIGKILL');
  return performance.now();
}

/** Ids of the language servers of this editor; others may run on the same machine. */
function servers(): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => row.trim());
  return rows
    .filter(
      (row) =>
        row.includes(`${dirname(editor.folder)}/extensions/`) && row.includes('dist/server.cjs'),
    )
    .map((row) => Number(row.split(' ')[0]));
}
