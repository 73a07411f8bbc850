import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { leakingFile } from './support/leaking-file.ts';
import { createRole, ownSessions, urlAs } from './support/postgres.ts';
import { chooseRow, openFile, runCommand } from './support/quick-pick.ts';
import { findWebview, showConnected } from './support/workbench.ts';

const password = 'killed-host-of-a-test';

let editor: Editor;
afterEach(() => editor.stop());

test('an extension host that is killed leaves no session and no process; the one that comes after it works', async () => {
  await createRole('killed', password);
  editor = await startEditor(
    { 'load.ts': leakingFile, 'package.json': '{ "dependencies": { "pg": "^8" } }' },
    { settings: { 'poolguard.activity.intervalSeconds': 1 } },
  );
  const { page } = editor;
  await openFile(page, 'load.ts');
  await page.locator('.squiggly-error').first().waitFor();
  await showConnected(page, urlAs('killed', password));
  expect(await ownSessions()).toBe(1);

  const before = processes();
  const [host] = before.filter(({ command }) => command.includes('--type=extensionHost'));
  const children = before.filter(
    ({ command }) => command.includes('/dist/server.cjs') || command.includes('/dist/probe.cjs'),
  );
  expect(children.length).toBeGreaterThan(0);
  if (host === undefined)
    throw new Error(`No extension host among ${before.map(({ command }) => command).join('\n')}`);
  process.kill(host.id, 'SIGKILL');
  await expect.poll(ownSessions, { interval: 100 }).toBe(0);
  const wereThere = new Set([host, ...children].map(({ id }) => id));
  await expect.poll(() => processes().filter(({ id }) => wereThere.has(id))).toEqual([]);

  await expect
    .poll(
      () =>
        processes().some(
          ({ id, command }) => command.includes('--type=extensionHost') && id !== host.id,
        ) || restart(),
    )
    .toBe(true);
  await expect
    .poll(() => processes().filter(({ command }) => command.includes('/dist/server.cjs')).length)
    .toBe(1);
  await page.locator('.squiggly-error').first().waitFor();
  await runCommand(page, 'Poolguard: Connect to a saved database');
  await chooseRow(page, 'killed');
  await (await findWebview(page, 'poolguard-pools-view')).locator('[data-kind=live]').waitFor();
  await expect.poll(ownSessions).toBe(1);
});

/** A host that was killed is started again by the editor, or by whoever answers its question. */
async function restart(): Promise<boolean> {
  const button = editor.page
    .locator('.monaco-dialog-box .monaco-button, .notifications-toasts .monaco-button', {
      hasText: /Reload|Restart/,
    })
    .first();
  if (await button.isVisible()) await button.click();
  return false;
}

interface Process {
  readonly id: number;
  readonly command: string;
}

/** What runs for this editor; others may run on the same machine. */
function processes(): readonly Process[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {
    encoding: 'utf8',
    maxBuffer: 16_000_000,
  })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row));
  const all = rows.flatMap((row) =>
    row === null ? [] : [{ id: Number(row[1]), parent: Number(row[2]), command: row[3] ?? '' }],
  );
  const below = (id: number): typeof all =>
    all.filter(({ parent }) => parent === id).flatMap((each) => [each, ...below(each.id)]);
  // Those whose parent has gone are known by the folder that they were started from.
  const ours = new Set([
    ...below(editor.keeperId ?? -1),
    ...all.filter(({ command }) => command.includes(`${dirname(editor.folder)}/extensions/`)),
  ]);
  return [...ours];
}
