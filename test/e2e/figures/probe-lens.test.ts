import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from '../support/editor.ts';
import { createRole, urlAs } from '../support/postgres.ts';
import { openFile, quickRows } from '../support/quick-pick.ts';
import {
  chooseAction,
  clickUntil,
  showConnected,
  showProblems,
  showView,
} from '../support/workbench.ts';

/** Its statement waits for a lock, which one client holds as well as twenty; it holds it for long beside what a busy machine adds. */
const code = `import { Pool } from 'pg';
export const pool = new Pool({ max: 20, connectionTimeoutMillis: 5_000 });
pool.on('error', (error) => console.error('idle client', error));
export const wait = () => pool.query('SELECT pg_advisory_xact_lock(41), pg_sleep(0.03)');
`;

let editor: Editor;
const password = 'correct-horse-battery-staple';

beforeAll(async () => {
  await createRole('sleeper', password);
  editor = await startEditor({
    'src/db.ts': code,
    'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
  });
});

afterAll(() => editor.stop());

test('a lens asks once, with database, statement, seconds and connections; Cancel and Escape run nothing', async () => {
  const view = await connected();
  await openFile(editor.page, 'db.ts');
  // Over a pool the statement is the only one of the code, once that has been read.
  await lens('Probe this query').waitFor();
  await clickUntil(lens(/^Probe$/u), question());
  expect(await quickRows(editor.page).count()).toBe(0);
  expect(await question().innerText()).toMatch(
    /Probe the pool size on sleeper@127\.0\.0\.1:\d+\/sleeper\?[^]*SELECT pg_advisory_xact_lock\(41\), pg_sleep\(0\.03\)[^]*Opens up to \d+ of \d+ free connections for about \d+ seconds\./u,
  );
  expect(await question().getByRole('button').allInnerTexts()).toEqual(
    expect.arrayContaining(['Run the probe', 'Cancel']),
  );
  await question().getByRole('button', { name: 'Cancel' }).click();
  await view.locator('poolguard-button.start').waitFor();
  await clickUntil(
    lens('Probe this query'),
    question().getByText('SELECT pg_advisory_xact_lock(41)'),
  );
  await editor.page.keyboard.press('Escape');
  await question().waitFor({ state: 'detached' });
  await view.locator('poolguard-button.start').waitFor();
  expect(await view.locator('poolguard-curve, poolguard-probe-history').count()).toBe(0);
});

test('after one yes the sidebar shows the curve, the answer and its history, and the code a mark that a quick fix clears', async () => {
  const { page } = editor;
  const view = await connected();
  await openFile(page, 'db.ts');
  await clickUntil(lens('Probe this query'), question());
  await question().getByRole('button', { name: 'Run the probe' }).click();
  await view.getByRole('button', { name: 'Cancel' }).waitFor();
  await view.locator('poolguard-curve canvas').waitFor();
  await view.locator('.verdict').waitFor();
  expect(await view.locator('.verdict').innerText()).toContain('Locks were the bottleneck');
  const history = view.getByRole('table', { name: 'Probes of select pg_advisory_xact_lock' });
  await history.waitFor();
  const max = Number((await view.locator('.answer .max').innerText()).replace('max:', ''));
  expect(await history.locator('tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\s+${max}\\s+\\d+–\\d+\\s+\\d`, 'u'),
    ),
  ]);
  await showProblems(page);
  const mark = page.locator('.markers-panel .monaco-list-row', {
    hasText: 'this pool has max: 20.',
  });
  await mark.waitFor();
  expect(await mark.innerText()).toMatch(
    new RegExp(`Last probe on \\d{4}-\\d\\d-\\d\\d recommends ${max}\\b`, 'u'),
  );
  await mark.click();
  await chooseAction(page, `Set max to ${max}`);
  await page.locator('.view-line', { hasText: `max: ${max},` }).waitFor();
  await mark.waitFor({ state: 'detached' });
});

/** The view of the pool size, with the database connected. */
async function connected(): Promise<FrameLocator> {
  await showConnected(editor.page, urlAs('sleeper', password));
  return showView(editor.page, 'Pool size');
}

/** What asks before a probe runs. */
function question(): Locator {
  return editor.page.locator('.monaco-dialog-box');
}

function lens(says: string | RegExp): Locator {
  return editor.page.locator('.codelens-decoration a', { hasText: says }).first();
}
