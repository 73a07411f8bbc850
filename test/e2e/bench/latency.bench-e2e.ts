import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { generateService, neighbours } from '../../../scripts/bench/generated-service.ts';
import { startEditor, type Editor } from '../support/editor.ts';
import { openFile, runCommand } from '../support/quick-pick.ts';
import { countUnderlines, startWatch, timeUntil } from './underline-watch.ts';

/** What `npm run bench -- --only vscode` reads; times in ms. */
export interface EditorLatencies {
  readonly activations: readonly number[];
  readonly firstUnderlines: readonly number[];
  /** The same with an extension that underlines the first line of every file, and does nothing else. */
  readonly bareUnderlines: readonly number[];
  readonly keystrokes: readonly number[];
}

/** What the tests leave out is a part of what people wait for. */
const asPeopleHaveIt = {
  'typescript.tsserver.useSyntaxServer': 'auto',
  'typescript.disableAutomaticTypeAcquisition': false,
};
const windows = 3;
const warmUp = 10;
const keystrokes = 60;

const leak = `export async function first() {
  const client = await pool.connect();
  return lost;
}
`;
const handedOn = leak.replace('lost', 'client');

/** At the top of the file, so that it is on the screen. */
function serviceOf(lines: number, top: string): string {
  const [imports = '', ...rest] = generateService(lines, Math.round(lines / 33)).split('\n\n');
  return [imports, top, ...rest].join('\n\n');
}

const files = {
  'package.json': '{ "name": "shop-api", "type": "module", "dependencies": { "pg": "^8" } }',
  'src/orders.ts': serviceOf(500, leak),
  'src/stock.ts': serviceOf(2000, handedOn),
  ...Object.fromEntries(Object.entries(neighbours).map(([name, text]) => [`src/${name}`, text])),
};

test('latencies in VS Code', { timeout: 600_000 }, async () => {
  const latencies = {
    activations: [] as number[],
    firstUnderlines: [] as number[],
    bareUnderlines: [] as number[],
    keystrokes: [] as number[],
  };
  for (let window = 1; window <= windows; window++) {
    latencies.bareUnderlines.push(await bareUnderline());
    const editor = await startEditor(files, { settings: asPeopleHaveIt });
    try {
      const { page } = editor;
      latencies.firstUnderlines.push(await firstUnderline(editor));
      if (window === windows) latencies.keystrokes.push(...(await typeInto(page)));
      latencies.activations.push(await activationTime(page));
    } finally {
      await editor.stop();
    }
  }
  expect(latencies.keystrokes).toHaveLength(keystrokes);
  const path = process.env['POOLGUARD_BENCH_RESULT'];
  if (path !== undefined)
    await writeFile(path, JSON.stringify(latencies satisfies EditorLatencies));
  process.stdout.write(`${JSON.stringify(latencies)}\n`);
});

async function firstUnderline(editor: Editor): Promise<number> {
  const { page } = editor;
  await untilExtensionsRun(editor);
  await startWatch(page);
  return timeUntil(
    page,
    () => openFile(page, 'orders.ts'),
    (count) => count > 0,
  );
}

async function bareUnderline(): Promise<number> {
  const editor = await startEditor(files, {
    settings: asPeopleHaveIt,
    instead: 'poolguard-test.bare',
  });
  try {
    return await firstUnderline(editor);
  } finally {
    await editor.stop();
  }
}

/** What the editor itself starts with each window is no wait of ours; its log tells when that is done. */
async function untilExtensionsRun(editor: Editor): Promise<void> {
  await expect
    .poll(async () => (await editor.writtenText()).includes('Eager extensions activated'), {
      timeout: 60_000,
      interval: 200,
    })
    .toBe(true);
}

/** One keystroke makes `client` a name of something else, so that the client is lost; the next takes that back. */
async function typeInto(page: Page): Promise<readonly number[]> {
  await openFile(page, 'stock.ts');
  await page.locator('.view-line', { hasText: 'return client;' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const clean = await countUnderlines(page);
  const times: number[] = [];
  for (let stroke = 0; stroke < warmUp + keystrokes; stroke++) {
    const isLeak = stroke % 2 === 0;
    times.push(
      await timeUntil(
        page,
        () => page.keyboard.press(isLeak ? 'x' : 'Backspace'),
        (count) => (isLeak ? count > clean : count === clean),
      ),
    );
  }
  return times.slice(warmUp);
}

/** As the editor itself tells it. */
async function activationTime(page: Page): Promise<number> {
  await runCommand(page, 'Developer: Show Running Extensions');
  const row = page
    .locator('.runtime-extensions-editor .monaco-list-row', { hasText: /poolguard/iu })
    .first();
  await row.waitFor();
  const text = await row.locator('.activation-time').innerText();
  const found = /(?<ms>\d+)\s*ms/u.exec(text)?.groups?.['ms'];
  if (found === undefined) throw new Error(`VS Code tells no activation time: ${text}`);
  return Number(found);
}
