import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeclaredPool, PoolOption } from '../../../rules/index.ts';
import { inspected } from '../../support/inspected.ts';

const header = "import pg, { Pool } from 'pg';\n";

function poolsIn(code: string): readonly DeclaredPool[] {
  return inspected(header + code).pools();
}

/** `20`, `20 unless POOL_MAX`, `default 10`, `?` */
function said(option: PoolOption | undefined): string {
  if (option === undefined || option.kind === 'unknown') return '?';
  if (option.kind === 'default') return `default ${option.value}`;
  return option.kind === 'literal'
    ? String(option.value)
    : `${option.value} unless ${option.variable}`;
}

function maxIn(code: string): string {
  return said(poolsIn(code)[0]?.options.max);
}

describe('the name of a pool', () => {
  it.each([
    ['const pool = new Pool();', 'pool'],
    ['export const db = new pg.Pool();', 'db'],
    [
      'let pool: Pool | undefined; export function get() { pool ??= new Pool(); return pool; }',
      'pool',
    ],
    ['class Database { private readonly db = new Pool(); }', 'this.db'],
    ['class Database { #db = new Pool(); }', 'this.#db'],
    ['class Database { db; constructor() { this.db = new Pool(); } }', 'this.db'],
    ['module.exports.pool = new Pool();', 'module.exports.pool'],
    ['export default new Pool();', 'default'],
    ['const pools = { main: new Pool() };', 'main'],
    ['globalThis.pgPool = globalThis.pgPool ?? new Pool();', 'globalThis.pgPool'],
    ['export const createPool = () => new Pool();', undefined],
    ["const provider = { provide: 'POOL', useValue: new Pool() };", undefined],
    [
      'const provider = { provide: "POOL", useFactory: () => { const pool = new Pool({ max: 3 }); return pool; } };',
      'pool',
    ],
    ['const db = drizzle(new Pool());', undefined],
  ])('%s', (code, name) => {
    expect(poolsIn(code).map((pool) => pool.name)).toEqual([name]);
  });
});

describe('max', () => {
  it.each([
    ['new Pool()', 'default 10'],
    ['new Pool', 'default 10'],
    ['new Pool({})', 'default 10'],
    ["new Pool({ connectionString: 'postgres://localhost/x?max=5' })", 'default 10'],
    ['new Pool({ max: 0 })', 'default 10'],
    ['new Pool({ max: undefined })', 'default 10'],
    ['new Pool({ max: 20 })', '20'],
    ["new Pool({ 'max': 20 })", '20'],
    ['new Pool({ max: 1_0 })', '10'],
    ["new Pool({ max: '20' })", '20'],
    ['new Pool({ max: 4 * 5 })', '20'],
    ['new Pool({ max: 20 } satisfies pg.PoolConfig)', '20'],
    ['new Pool({ max: 20 } as const)', '20'],
    ['new Pool({ poolSize: 7 })', '7'],
    ['new Pool({ max: 0, poolSize: 7 })', '7'],
    ['new Pool({ max: 3, poolSize: 7 })', '3'],
    ['new Pool({ max: Number(process.env.POOL_MAX ?? 20) })', '20 unless POOL_MAX'],
    ["new Pool({ max: parseInt(process.env.POOL_MAX || '20', 10) })", '20 unless POOL_MAX'],
    ["new Pool({ max: Number.parseInt(process.env['POOL_MAX'] ?? '20') })", '20 unless POOL_MAX'],
    ['new Pool({ max: Number(process.env.POOL_MAX) || 20 })', '20 unless POOL_MAX'],
    ["new Pool({ max: +(process.env.POOL_MAX ?? '20') })", '20 unless POOL_MAX'],
    [
      'new Pool({ max: process.env.POOL_MAX ? Number(process.env.POOL_MAX) : 20 })',
      '20 unless POOL_MAX',
    ],
    ['new Pool({ max: config.poolMax ?? 20 })', '20 unless config.poolMax'],
    ['new Pool({ max: Number(process.env.POOL_MAX) })', '?'],
    ["new Pool({ max: parseInt(process.env.POOL_MAX || '20', 16) })", '?'],
    ["new Pool({ max: envInt('POOL_MAX', 20) })", '?'],
    ['new Pool({ max: isProduction ? 20 : 5 })', '?'],
    ['new Pool({ max })', '?'],
    ['new Pool({ get max() { return 20; } })', '?'],
    ['new Pool({ [name]: 20 })', '?'],
    ['new Pool({ ...config })', '?'],
    ['new Pool({ max: 20, ...config })', '?'],
    ['new Pool({ ...config, max: 20 })', '20'],
    ['new Pool({ ...(isProduction ? { ssl: true } : {}), host })', 'default 10'],
    ['new Pool({ ...(isProduction && { max: 50 }) })', '?'],
    ['new Pool(config)', '?'],
    ['new Pool(configOf())', '?'],
  ])('%s is %s', (expression, expected) => {
    expect(maxIn(`export const pool = ${expression};`)).toBe(expected);
  });

  it.each([
    ['const config = { max: 20 };\nexport const pool = new Pool(config);', '20'],
    ['const base = { max: 20 };\nexport const pool = new Pool({ ...base, host: "x" });', '20'],
    [
      'const config = { max: 20 };\nconfig.max = Number(process.env.X);\nexport const pool = new Pool(config);',
      '?',
    ],
    [
      'const config: Record<string, unknown> = { max: 20 };\nconfig[key] = 1;\nexport const pool = new Pool(config);',
      '?',
    ],
    [
      'const config = { max: 20 };\nObject.assign(config, others);\nexport const pool = new Pool(config);',
      '?',
    ],
    ['const max = 20;\nexport const pool = new Pool({ max });', '20'],
    ['let max = 20;\nmax = 30;\nexport const pool = new Pool({ max });', '?'],
    [
      "const { POOL_MAX = '20' } = process.env;\nexport const pool = new Pool({ max: Number(POOL_MAX) });",
      '20 unless POOL_MAX',
    ],
    [
      'const max = Number(process.env.POOL_MAX ?? 20);\nexport const pool = new Pool({ max });',
      '20 unless POOL_MAX',
    ],
  ])('%s is %s', (code, expected) => {
    expect(maxIn(code)).toBe(expected);
  });
});

it('reads the timeouts as pg-pool does', () => {
  const options = poolsIn(
    'new Pool(); new Pool({ connectionTimeoutMillis: 5_000, idleTimeoutMillis: 30 * 1000 }); new Pool({ idleTimeoutMillis: null, connectionTimeoutMillis: undefined }); new Pool({ idleTimeoutMillis: 0, connectionTimeoutMillis: 0 })',
  ).map((pool) => pool.options);
  expect(
    options.map(({ connectionTimeoutMillis, idleTimeoutMillis }) => [
      said(connectionTimeoutMillis),
      said(idleTimeoutMillis),
    ]),
  ).toEqual([
    ['default 0', 'default 10000'],
    ['5000', '30000'],
    ['default 0', '0'],
    ['0', '0'],
  ]);
});

it('tells the application name, the driver and the places', () => {
  const [pool] = poolsIn(
    "export const pool = new Pool({\n  max: 5,\n  application_name: 'web',\n});",
  );
  expect(pool).toMatchObject({
    applicationName: 'web',
    driver: 'pg',
    place: { start: { line: 2, column: 20 }, end: { line: 5, column: 2 } },
    options: { max: { place: { start: { line: 3, column: 7 } } } },
  });
});

it('knows no defaults of a driver whose code differs, and no pools of other databases', () => {
  const text =
    "import { VercelPool } from '@vercel/postgres';\nimport { Pool as NeonPool } from '@neondatabase/serverless';\nimport { DataSource } from 'typeorm';\nimport { Pool } from 'my-pool';\nnew VercelPool({ max: 4 }); new VercelPool(); new NeonPool(); new DataSource({}); new Pool();";
  expect(
    inspected(text)
      .pools()
      .map(({ driver, options }) => [driver, said(options.max)]),
  ).toEqual([
    ['@vercel/postgres', '4'],
    ['@vercel/postgres', '?'],
    ['@neondatabase/serverless', 'default 10'],
  ]);
});

it('names the file of an option that is written in another one, and does not edit it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'config.ts'), 'export const config = { max: 12 };\n');
  const file = inspected(
    "import { Pool } from 'pg';\nimport { config } from './config';\nexport const pool = new Pool(config);\n",
    join(folder, 'pool.ts'),
  );
  const [pool] = file.pools();
  expect(pool?.options.max).toMatchObject({
    kind: 'literal',
    value: 12,
    file: join(folder, 'config.ts'),
  });
  expect(pool === undefined ? [] : file.poolEdits(pool, { max: 5 })).toBeUndefined();
  expect(pool === undefined ? [] : file.poolEdits(pool, { idleTimeoutMillis: 5 })).toBeUndefined();
});

describe('the application name of a pool', () => {
  it.each([
    ["new Pool({ application_name: 'web' })", 'web'],
    ["const name = 'web'; new Pool({ application_name: name })", 'web'],
    [
      "new Pool({ connectionString: 'postgres://app:secret@db/shop?sslmode=require&application_name=shop%20web' })",
      'shop web',
    ],
    [
      "new Pool({ connectionString: 'postgres://db/shop?application_name=address', application_name: 'option' })",
      'address',
    ],
    ["new Pool({ connectionString: process.env.DATABASE_URL, application_name: 'web' })", 'web'],
    ["new Pool({ fallback_application_name: 'web' })", 'web'],
    [
      "new Pool({ application_name: process.env.NAME, fallback_application_name: 'web' })",
      undefined,
    ],
    ["new Pool({ connectionString: 'postgres://db/shop?application_name=%E0%A4%A' })", undefined],
    ['new Pool({ application_name: `web-${process.pid}` })', undefined],
    ['new Pool()', undefined],
  ])('%s', (code, name) => {
    expect(poolsIn(`${code};`)[0]?.applicationName).toBe(name);
  });
});
