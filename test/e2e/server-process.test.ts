import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { leakingFile } from './support/leaking-file.ts';
import { languageStatusIs, openFile, runCommand } from './support/workbench.ts';

const patience = { timeout: 60_000 };

let editor: Editor;
afterEach(() => editor.stop());

test(
  'a server that is killed comes back, each time later, and says so once; one that dies again and again is left until it is started by hand',
  { timeout: 240_000 },
  async () => {
    editor = await startEditor({
      'load.ts': leakingFile,
      'package.json': '{ "dependencies": { "pg": "^8" } }',
    });
    const { page } = editor;
    await openFile(page, 'load.ts');
    const squiggle = page.locator('.squiggly-error').first();
    await squiggle.waitFor(patience);
    const killed: number[] = [];
    for (const seconds of [1, 2, 4, 8, 16]) {
      const killedAt = await killServer(killed);
      if (seconds === 1) await toasts(page, 'is being started again').waitFor(patience);
      if (seconds === 1) await squiggle.waitFor({ state: 'detached', ...patience });
      await expect
        .poll(() => servers().some((id) => !killed.includes(id)), { ...patience, interval: 50 })
        .toBe(true);
      expect(performance.now() - killedAt).toBeGreaterThan(seconds * 1000 - 100);
      if (seconds === 1) await squiggle.waitFor(patience);
    }
    await killServer(killed);
    await toasts(page, 'ended unexpectedly 6 times in a row').waitFor(patience);
    await squiggle.waitFor({ state: 'detached', ...patience });
    expect(servers()).toEqual([]);
    await runCommand(page, 'Notifications: Show Notifications');
    const told = page.locator('.notifications-center .notification-list-item', {
      hasText: 'Poolguard',
    });
    await expect.poll(() => told.count(), patience).toBe(2);
    await told
      .filter({ hasText: '6 times in a row' })
      .locator('.monaco-button', { hasText: 'Start it again' })
      .click();
    await squiggle.waitFor(patience);
    expect(servers()).toHaveLength(1);
    await editor.stop();
    await expect.poll(servers, patience).toEqual([]);
  },
);

test(
  'a project without a pool driver has no server, until a driver is named',
  { timeout: 180_000 },
  async () => {
    editor = await startEditor({
      'load.ts': leakingFile.replace("'pg'", "'./db'"),
      'package.json': '{ "dependencies": { "express": "^5" } }',
    });
    const { page } = editor;
    await openFile(page, 'load.ts');
    // The extension is active and has looked: its language status says so.
    await languageStatusIs(page, 'Poolguard: Nothing to check: no pool driver in sight');
    expect(servers()).toEqual([]);
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(leakingFile);
    await page.locator('.squiggly-error').first().waitFor(patience);
    expect(servers()).toHaveLength(1);
  },
);

/** When the one server that lives was killed, in milliseconds. */
async function killServer(killed: number[]): Promise<number> {
  const living = () => servers().filter((id) => !killed.includes(id));
  await expect.poll(() => living().length, patience).toBe(1);
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

function toasts(page: Page, text: string) {
  return page.locator('.notifications-toasts .notification-list-item', { hasText: text });
}
