import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { notified } from './support/notifications.ts';
import { createRole, urlAs } from './support/postgres.ts';
import { chooseRow, openFile, runCommand } from './support/quick-pick.ts';
import { pressUntil, screenshot, showConnected } from './support/workbench.ts';

let editor: Editor;
const clients: pg.Client[] = [];
const password = 'once-upon-a-midnight-dreary';

beforeAll(async () => {
  await createRole('clerk', password);
  editor = await startEditor({
    'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
  });
});

afterAll(async () => {
  await editor.stop();
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
});

test('a statement is cancelled and a session terminated from the palette, each asked back', async () => {
  const { page } = editor;
  const report = (await connectAs('month-end')).query('SELECT pg_sleep(600)').then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
  const leaky = await connectAs('leaky-api');
  const lost = new Promise<string>((resolve) =>
    leaky.on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message)),
  );
  await leaky.query('BEGIN; SELECT count(*) FROM pg_class');

  await openFile(page, 'package.json');
  const view = await showConnected(page, urlAs('clerk', password));
  await view.locator('[data-pool*=month-end]').waitFor();

  await runCommand(page, "Cancel a session's statement");
  await chooseRow(page, 'month-end');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  const text = await dialog.innerText();
  expect(text).toMatch(/End what session \d+ of month-end runs\?/);
  expect(text).toMatch(/user clerk, application month-end, database clerk at 127\.0\.0\.1:\d+/);
  expect(text).toContain('Statement: SELECT pg_sleep(600)');
  expect(await dialog.getByRole('button').allInnerTexts()).toEqual(
    expect.arrayContaining(['Copy details', 'Cancel the statement', 'Terminate instead', 'Cancel']),
  );
  await dialog.getByRole('button', { name: 'Cancel the statement' }).click();
  expect(await report).toBe('57014');
  await notified(page, /of month-end: its statement has stopped\./u);

  await runCommand(page, 'Terminate a session');
  await chooseRow(page, 'leaky-api');
  await dialog.getByText('of leaky-api?').waitFor();
  expect(await dialog.innerText()).toMatch(
    /State: idle in transaction for [\s\S]* its open transaction is rolled back/,
  );
  await screenshot(page, 'terminate.png');
  await dialog.getByRole('button', { name: 'Terminate the session' }).click();
  expect(await lost).toBe('57P01');
  await notified(page, /of leaky-api is gone; its connection is free\./u);
  await expect.poll(() => view.locator('[data-pool*=leaky-api]').count()).toBe(0);
});

test.each([
  ['Enter', /^The session was left as it is; its details are in the clipboard\.$/u],
  ['Escape', null],
])('%s ends nothing', async (key, said) => {
  const { page } = editor;
  const spared = await connectAs(`spared-api-${key}`);
  await spared.query('BEGIN');
  const view = await showConnected(page, urlAs('clerk', password));
  await view.locator(`[data-pool*=spared-api-${key}]`).waitFor();
  await runCommand(page, 'Terminate a session');
  await chooseRow(page, `spared-api-${key}`);
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByText(`of spared-api-${key}?`).waitFor();
  await pressUntil(page, key, dialog, 'hidden');
  if (said !== null) await notified(page, said);
  expect((await spared.query<{ answer: number }>('SELECT 42 AS answer')).rows).toEqual([
    { answer: 42 },
  ]);
});

async function connectAs(application: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlAs('clerk', password),
    application_name: application,
  });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}
