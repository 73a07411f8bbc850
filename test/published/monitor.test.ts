import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { hear } from '../support/heard.ts';
import { packedArtifacts } from '../support/packed-artifacts.ts';
import { installPacked, modules, ours } from '../support/packed-plugin.ts';
import { runNode, runNodeWith } from '../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

/** An application that loses one client, releases another twice, and ends. */
const app = (load: string) => `${load}
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 3, application_name: 'shop' });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function main() {
  await pool.connect();
  const client = await pool.connect();
  client.release();
  try { client.release(); } catch {}
  await pool.query('SELECT 1');
  await wait(600);
  process.exit(0);
}
main();
`;

const files = {
  'package.json': '{ "name": "shop", "type": "module" }',
  'app.mjs': app("import pg from 'pg';"),
  'app.cjs': app("const pg = require('pg');"),
  'asked.cjs': app(
    "const pg = require('pg');\nconst { watchPool } = require('poolguard-monitor');",
  ).replace('const wait', "watchPool(pool, { name: 'asked', heldMs: 100 });\nconst wait"),
  'asked.mjs': app("import pg from 'pg';\nimport { watchPool } from 'poolguard-monitor';").replace(
    'const wait',
    "watchPool(pool, { name: 'asked', heldMs: 100 });\nconst wait",
  ),
  'types/tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "skipDefaultLibCheck": true, "types": ["node"] }, "files": ["app.ts", "old.cts"] }',
  'types/app.ts':
    "import pg from 'pg';\nimport { watchPool, type MonitorOptions } from 'poolguard-monitor';\nimport 'poolguard-monitor/register';\nconst options: MonitorOptions = { heldMs: 1_000, report: ['console', 'otel'] };\nexport const waiting: number = watchPool(new pg.Pool(), options).counts().waiting;\n// @ts-expect-error There is no such option.\nwatchPool(new pg.Pool(), { held: 1 });\n",
  'types/old.cts':
    "import monitor = require('poolguard-monitor');\nimport pg = require('pg');\nmonitor.watchPool(new pg.Pool()).stop();\n",
};

let folder: TemporaryFolder;
let database: FreshDatabase;
beforeAll(async () => {
  [folder, database] = await Promise.all([createTemporaryFolder(files), createFreshDatabase()]);
  await installPacked(
    'poolguard-monitor',
    (await packedArtifacts()).folder,
    folder,
    ours('pg', '@types/pg', '@types/node', '@types/estree', 'pg-protocol', 'pg-types'),
  );
}, 240_000);
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

test('it needs no other package', async () => {
  const manifest = JSON.parse(
    await readFile(join(folder.path, 'node_modules/poolguard-monitor/package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  expect([manifest['dependencies'], manifest['peerDependenciesMeta']]).toEqual([
    undefined,
    { '@opentelemetry/api': { optional: true } },
  ]);
  for (const file of ['index.js', 'register.js']) {
    const text = await readFile(
      join(folder.path, 'node_modules/poolguard-monitor/dist', file),
      'utf8',
    );
    expect(
      [...text.matchAll(/\brequire\("(?<name>[^"]+)"\)/gu)]
        .map(({ groups }) => groups?.['name'] ?? '')
        .filter((name) => !name.startsWith('node:')),
    ).toEqual([]);
  }
});

test('its types suit ES modules and CommonJS', async () => {
  const { stdout } = await runNode(
    [join(modules, 'typescript/bin/tsc'), '-p', 'types'],
    folder.path,
  );
  expect(
    stdout.split('\n').filter((line) => /^(?:types|node_modules\/poolguard-monitor)\//u.test(line)),
  ).toEqual([]);
});

describe('an application that installed it', () => {
  const ways: readonly (readonly [way: string, args: readonly string[], name: string])[] = [
    ['an ES module with --import', ['--import', 'poolguard-monitor/register', 'app.mjs'], 'shop'],
    ['CommonJS with --import', ['--import', 'poolguard-monitor/register', 'app.cjs'], 'shop'],
    ['CommonJS with --require', ['--require', 'poolguard-monitor/register', 'app.cjs'], 'shop'],
    ['CommonJS with watchPool', ['asked.cjs'], 'asked'],
    ['an ES module with both', ['--import', 'poolguard-monitor/register', 'asked.mjs'], 'asked'],
  ];

  test.each(ways)('%s reports its pool, its mistake and its leak', async (_, args, name) => {
    await using heard = await hear();
    const { code, stderr } = await runNodeWith(args, folder.path, {
      DATABASE_URL: database.url,
      POOLGUARD_HELD_MS: '100',
      POOLGUARD_SOCKET: heard.path,
      POOLGUARD_TOKEN: heard.token,
    });
    expect([code, stderr]).toEqual([0, '']);
    const [exit] = await heard.until('exit');
    const [pool] = await heard.until('pool');
    const [held] = await heard.until('held');
    const [mistake] = await heard.until('mistake');
    const script = join(folder.path, args.at(-1) ?? '');
    const line =
      (await readFile(script, 'utf8'))
        .split('\n')
        .findIndex((text) => text.includes('await pool.connect')) + 1;
    expect(pool?.pool).toMatchObject({ name, max: 3 });
    expect(held?.held.acquiredAt[0]).toMatchObject({ file: script, line });
    expect(mistake?.mistake).toMatchObject({
      mistake: 'double-release',
      misusedAt: [{ file: script, line: line + 3 }],
    });
    expect(exit?.out.map(({ acquiredAt }) => acquiredAt[0]?.line)).toEqual([line]);
  });

  test('without a listener it tells on the console', async () => {
    const { stderr, stdout } = await runNodeWith(
      ['--import', 'poolguard-monitor/register', 'app.mjs'],
      folder.path,
      { DATABASE_URL: database.url, POOLGUARD_HELD_MS: '100' },
    );
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^\[poolguard\] .*app\.mjs/mu);
  });
});
