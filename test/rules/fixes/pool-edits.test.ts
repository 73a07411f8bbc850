import { describe, expect, it } from 'vitest';
import { edited, inspected } from '../../support/inspected.ts';

const header = "import { Pool, type PoolConfig } from 'pg';\n";
const values = { max: 15, connectionTimeoutMillis: 3000, idleTimeoutMillis: 60_000 };
const all = 'max: 15, connectionTimeoutMillis: 3000, idleTimeoutMillis: 60000';

/** The text with the numbers written into its only pool; it parses, and the pool has them. */
function written(text: string, wanted: Partial<typeof values> = values): string | undefined {
  const file = inspected(header + text);
  const [pool] = file.pools();
  const edits = pool === undefined ? undefined : file.poolEdits(pool, wanted);
  if (edits === undefined) return undefined;
  const after = inspected(edited(header + text, edits));
  expect(after.problems.filter(({ rule }) => rule === null)).toEqual([]);
  expect(after.pools()[0]?.options).toMatchObject(
    Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, { value }])),
  );
  return after.text.slice(header.length);
}

describe('writes the numbers', () => {
  it.each([
    ['new Pool();', `new Pool({ ${all} });`],
    ['new Pool;', `new Pool({ ${all} });`],
    ['new Pool( );', `new Pool({ ${all} });`],
    ['new Pool({});', `new Pool({ ${all} });`],
    ["new Pool({ host: 'x' });", `new Pool({ host: 'x', ${all} });`],
    ["new Pool({ host: 'x', });", `new Pool({ host: 'x', ${all}, });`],
    [
      'new Pool({ max: 10, idleTimeoutMillis: 1 });',
      'new Pool({ max: 15, idleTimeoutMillis: 60000, connectionTimeoutMillis: 3000 });',
    ],
    [
      'new Pool({ max: 4 * 5, connectionTimeoutMillis: null, idleTimeoutMillis: undefined });',
      'new Pool({ max: 15, connectionTimeoutMillis: 3000, idleTimeoutMillis: 60000 });',
    ],
    ["new Pool({ host: 'x' } as const);", `new Pool({ host: 'x', ${all} } as const);`],
    [
      "new Pool({ host: 'x' } satisfies PoolConfig);",
      `new Pool({ host: 'x', ${all} } satisfies PoolConfig);`,
    ],
    [
      'new Pool({\n  host,\n});',
      'new Pool({\n  host,\n  max: 15,\n  connectionTimeoutMillis: 3000,\n  idleTimeoutMillis: 60000,\n});',
    ],
    [
      'new Pool({\n\thost\n});',
      'new Pool({\n\thost,\n\tmax: 15,\n\tconnectionTimeoutMillis: 3000,\n\tidleTimeoutMillis: 60000\n});',
    ],
    [
      'new Pool({\r\n  host,\r\n});',
      'new Pool({\r\n  host,\r\n  max: 15,\r\n  connectionTimeoutMillis: 3000,\r\n  idleTimeoutMillis: 60000,\r\n});',
    ],
    [
      'new Pool({\r\n  host // the host\r\n});',
      'new Pool({\r\n  host, // the host\r\n  max: 15,\r\n  connectionTimeoutMillis: 3000,\r\n  idleTimeoutMillis: 60000\r\n});',
    ],
    [
      'new Pool({\n  host, // the host\n});',
      'new Pool({\n  host, // the host\n  max: 15,\n  connectionTimeoutMillis: 3000,\n  idleTimeoutMillis: 60000,\n});',
    ],
    [
      'new Pool({\n  host, /* the\n host */\n});',
      'new Pool({\n  host,\n  max: 15,\n  connectionTimeoutMillis: 3000,\n  idleTimeoutMillis: 60000, /* the\n host */\n});',
    ],
    [
      'new Pool({ host,\n  port });',
      `new Pool({ host,\n  port,\n  max: 15,\n  connectionTimeoutMillis: 3000,\n  idleTimeoutMillis: 60000 });`,
    ],
    [
      'const config = {\n  host,\n};\nnew Pool(config);',
      'const config = {\n  host,\n  max: 15,\n  connectionTimeoutMillis: 3000,\n  idleTimeoutMillis: 60000,\n};\nnew Pool(config);',
    ],
    [
      'class Database {\n  constructor(private readonly pool = new Pool({ host })) {}\n}',
      `class Database {\n  constructor(private readonly pool = new Pool({ host, ${all} })) {}\n}`,
    ],
    [
      'new Pool({ ...(isProduction ? { ssl } : {}) });',
      `new Pool({ ...(isProduction ? { ssl } : {}), ${all} });`,
    ],
  ])('%j', (before, after) => {
    expect(written(before)).toBe(after);
  });

  it.each([
    ['new Pool({ poolSize: 5 });', 'new Pool({ poolSize: 15 });'],
    [
      'new Pool({ max: Number(process.env.POOL_MAX ?? 20) });',
      'new Pool({ max: Number(process.env.POOL_MAX ?? 15) });',
    ],
    [
      "new Pool({ max: parseInt(process.env.POOL_MAX || '20', 10) });",
      "new Pool({ max: parseInt(process.env.POOL_MAX || '15', 10) });",
    ],
    ['const size = 5;\nnew Pool({ max: size });', 'const size = 15;\nnew Pool({ max: size });'],
    [
      "const { POOL_MAX = '20' } = process.env;\nnew Pool({ max: +POOL_MAX });",
      "const { POOL_MAX = '15' } = process.env;\nnew Pool({ max: +POOL_MAX });",
    ],
    ['new Pool({ ...config, max: 5 });', 'new Pool({ ...config, max: 15 });'],
    ['new Pool({ max: 15 });', 'new Pool({ max: 15 });'],
  ])('where max is written: %j', (before, after) => {
    expect(written(before, { max: 15 })).toBe(after);
  });
});

describe('is not done', () => {
  it.each([
    ['where a spread may have it', 'new Pool({ ...config });'],
    ['where a spread comes behind', 'new Pool({ max: 5, ...config });'],
    ['where the configuration is not known', 'new Pool(config);'],
    ['where the value is computed', 'new Pool({ max: sizeOf() });'],
    [
      'where two pools share the object',
      'const config = { max: 5 };\nnew Pool(config);\nnew Pool(config);',
    ],
    ['where others can get at the object', 'export const config = { max: 5 };\nnew Pool(config);'],
    [
      'where a constant is used elsewhere',
      'const size = 5;\nnew Pool({ max: size });\nconsole.log(size);',
    ],
    ['where a comment stands for the options', 'new Pool(/* none */);'],
  ])('%s', (_, text) => {
    expect(written(text, { max: 15 })).toBeUndefined();
  });

  it.each([[-1], [1.5], [Number.NaN], [Infinity]])('with %d', (max) => {
    expect(written('new Pool();', { max })).toBeUndefined();
  });
});
