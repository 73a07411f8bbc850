import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'test/libraries/applications');
const register = pathToFileURL(join(root, 'monitor/dist/register.js')).href;

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
});

afterAll(() => database.drop());

/** An application that does what it is told, with what it and the monitor have said. */
function start(file: string) {
  const app = spawn(process.execPath, ['--import', register, file], {
    cwd: folder,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      POOLGUARD_HELD_MS: '100',
      POOLGUARD_PRINT_MS: '50',
    },
    timeout: 80_000,
  });
  let said = '';
  for (const stream of [app.stdout, app.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (said += more));
  return {
    said: () => said,
    act: async (...acts: readonly string[]) => {
      for (const act of acts) {
        app.stdin.write(`${act}\n`);
        if (act !== 'exit') await expect.poll(() => said).toContain(`${act}\n`);
      }
    },
    ended: once(app, 'close'),
  };
}

/** `knex.mjs:12:`, of the line that a comment marks. */
function marked(file: string, comment: string): string {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return `${file}:${lines.findIndex((line) => line.endsWith(`// ${comment}`)) + 1}:`;
}

describe('the pool of an unchanged application', () => {
  test.each([
    ['knex.mjs', 'Knex'],
    ['objection.mjs', 'Knex'],
    ['mikro-orm.mjs', 'Knex'],
    ['typeorm.mjs', 'pg'],
    ['sequelize.mjs', 'Sequelize'],
    ['sequelize-7.mjs', 'Sequelize'],
    ['postgres.mjs', 'postgres.js'],
    ['postgres.cjs', 'postgres.js'],
  ])('%s: of %s', async (file, library) => {
    const { said, act, ended } = start(file);
    await act('query');

    expect(said()).toContain(`shop: watched, pool of ${library}, max 2, created at`);
    await act('hold', 'leak');
    const held = (comment: string) =>
      new RegExp(
        String.raw`held for more than 100 ms, backend \d+, acquired at ${marked(file, comment)}\d+`,
        'u',
      );
    await expect.poll(said).toMatch(held('lend'));
    await expect.poll(said).toMatch(held('leak'));
    await expect.poll(said).toMatch(/total 2, idle 0, waiting 0/u);
    await act('wait');
    await expect.poll(said).toMatch(/total 2, idle 0, waiting 1/u);
    expect(said()).not.toContain('served');
    await act('letGo');
    await expect.poll(said).toContain('served');
    await expect.poll(said).toMatch(/total 2, idle 1, waiting 0/u);
    await act('exit');
    expect(await ended).toEqual([0, null]);
    expect(said()).toMatch(
      new RegExp(
        String.raw`1 checkout never released\n.* acquired at ${marked(file, 'leak')}\d+`,
        'u',
      ),
    );
    expect(said()).not.toMatch(/error: a client|monitor failed/u);
  });
});
