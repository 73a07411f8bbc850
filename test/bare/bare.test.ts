import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { toInstall } from '../../src/publication.ts';
import { cloneInto } from './clone.ts';
import { runIn } from './run-in.ts';
import { findSurroundings, freshClone } from './surroundings.ts';

test.concurrent.for(findSurroundings())('npm start and npm test for $name', async (environment) => {
  await using clone = await cloneInto(environment);
  const run = (...args: readonly string[]) => runIn(clone, environment, ['npm', ...args]);

  const tour = await run('start', '--', '--seconds', '2');
  expect(tour, tour.said).toMatchObject({
    code: 0,
    said: expect.stringContaining('The report:') as string,
  });

  const tests = await run(
    'test',
    '--',
    'test/support/embedded-server.integration.test.ts',
    'test/support/pgbouncer.integration.test.ts',
  );
  const { lacks } = environment;
  expect(tests, tests.said).toMatchObject({
    code: lacks === undefined ? 0 : 1,
    said: expect.stringMatching(lacks ?? /Tests {2}2 passed/) as string,
  });
});

const leak = `import pg from 'pg';
const pool = new pg.Pool();
export async function listUsers() {
  const client = await pool.connect();
  return (await client.query('SELECT * FROM users')).rows;
}
`;

test.concurrent('a fresh clone: npm start, packages for a project, npm test', async () => {
  await using clone = await cloneInto(freshClone);
  const run = (command: string, folder?: string) =>
    runIn(clone, freshClone, command.split(' '), folder);

  const tour = await run('npm start -- --seconds 2');
  expect(tour, tour.said).toMatchObject({
    code: 0,
    said: expect.stringContaining('The report:') as string,
  });
  // Nobody waits for an installation of which nothing is seen, or of which npm warns.
  expect(tour.said).toMatch(/\n\u2026 Install \d+ packages\n[^]*\n\u2713 Install \d+ packages \d/u);
  expect(tour.said).not.toMatch(/npm warn/iu);
  const announced = /a download of (\d+) MB and takes (\d+) MB on disk/u.exec(tour.said) ?? [];
  const home = clone.env['HOME'] ?? '';
  const taken = [join(home, '.npm/_cacache'), join(clone.path, 'node_modules')].map(megabytesIn);
  for (const [index, megabytes] of taken.entries())
    expect(Number(announced[index + 1]) / megabytes, `${megabytes} MB`).toBeCloseTo(1, 0.5);

  const packed = await run('npm run package');
  expect(packed, packed.said).toMatchObject({ code: 0 });
  const project = join(dirname(clone.path), 'project');
  await mkdir(join(project, 'src'), { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'src/users.js'), leak);
  const install = `npm install --save-dev ${toInstall('poolguard', false)} ${toInstall('eslint-plugin-poolguard', false)}`;
  expect(await readFile(join(clone.path, 'docs/getting-started.md'), 'utf8')).toContain(
    `\n${install}\n`,
  );
  const installed = await run(install, project);
  expect(installed, installed.said).toMatchObject({ code: 0 });
  expect(await run('npx poolguard lint src', project)).toMatchObject({
    code: 1,
    said: expect.stringContaining('poolguard/no-unreleased-client') as string,
  });

  const tests = await run('npm test -- test/support/embedded-server.integration.test.ts');
  expect(tests, tests.said).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Install \d+ packages[^]*Tests {2}1 passed/u) as string,
  });
});

function megabytesIn(folder: string): number {
  return Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
}
