/** Files by their paths. */
type Files = Readonly<Record<string, string>>;

/** A reader of files of a workspace, and files that are hard on it: of about `n` parts, of which one leads to the next. */
export interface HostileWorkspace {
  readonly reader: string;
  /** `user.ts` or `user.js` is what is linted. */
  readonly files: (n: number) => Files;
  /** So many parts are a size at which what grows too fast shows. */
  readonly parts: number;
}

const times = (n: number): readonly number[] => Array.from({ length: n }, (_, at) => at);

const pool = `import { Pool } from 'pg';
export const pool = new Pool();
export class Base { async take() { return pool.connect(); } }
export async function run(client) { await client.query('SELECT 1'); }
`;
const user = (from: string): string => `import { pool, Base, run } from '${from}';
export async function f() { const client = await pool.connect(); await run(client); }
export class Own extends Base { async f() { const client = await this.take(); await client.query('SELECT 1'); } }
`;

/** `user.ts` imports of `a0`, each of which hands on the next, and the last of them the pool. */
function handing(n: number, each: (next: string) => string): Files {
  return {
    ...Object.fromEntries(
      times(n).map((at) => [`a${at}.ts`, each(at === n - 1 ? './pool' : `./a${at + 1}`)]),
    ),
    'pool.ts': pool,
    'user.ts': user('./a0'),
  };
}

/** On each level two files hand on both of the next. */
function diamond(n: number, ending: string, both: (one: string, other: string) => string): Files {
  return Object.fromEntries(
    times(n).flatMap((at) =>
      ['a', 'b'].map((side) => [
        `${side}${at}${ending}`,
        both(`./a${at + 1}${ending}`, `./b${at + 1}${ending}`),
      ]),
    ),
  );
}

const required = {
  'pool.js': "const { Pool } = require('pg'); exports.pool = new Pool();",
  'user.js':
    "const { pool, other } = require('./a0'); exports.f = async () => { const client = await pool.connect(); await client.query('x'); other(client); };",
};

function inFunction(argument: string): Files {
  return {
    'user.ts': `import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function f(a) { const client = await pool.connect(); await client.query(${argument}); }`,
  };
}

export const hostileWorkspaces: readonly HostileWorkspace[] = [
  {
    reader: 'export * from two modules that do the same',
    parts: 20,
    files: (n) => ({
      ...diamond(n, '.ts', (one, other) => `export * from '${one}'; export * from '${other}';`),
      [`a${n}.ts`]: "export * from './pool';",
      'pool.ts': pool,
      'user.ts': user('./a0'),
    }),
  },
  {
    reader: 'export * from each module of a circle',
    parts: 8,
    files: (n) => ({
      ...handing(n, () =>
        times(n)
          .map((at) => `export * from './a${at}';`)
          .join('\n'),
      ),
      [`a${n - 1}.ts`]: "export * from './a0'; export * from './pool';",
    }),
  },
  {
    reader: 'export * along a chain',
    parts: 60,
    files: (n) => handing(n, (next) => `export * from '${next}';`),
  },
  {
    reader: 'names exported along a chain',
    parts: 60,
    files: (n) => handing(n, (next) => `export { pool, Base, run } from '${next}';`),
  },
  {
    reader: 'names imported and exported along a chain',
    parts: 60,
    files: (n) =>
      handing(
        n,
        (next) => `import { pool, Base, run } from '${next}'; export { pool, Base, run };`,
      ),
  },
  {
    reader: 'values of values along a chain of modules',
    parts: 150,
    files: (n) =>
      handing(
        n,
        (next) =>
          `import { pool as p, Base as B, run as r } from '${next}'; export const pool = p; export class Base extends B {} export async function run(c) { await r(c); }`,
      ),
  },
  {
    reader: 'module.exports made of two others',
    parts: 20,
    files: (n) => ({
      ...diamond(
        n,
        '.js',
        (one, other) => `module.exports = { ...require('${one}'), ...require('${other}') };`,
      ),
      [`a${n}.js`]: "module.exports = { ...require('./pool') };",
      ...required,
    }),
  },
  {
    reader: 'extends of tsconfig.json',
    parts: 40,
    files: (n) => ({
      ...diamond(n, '.json', (one, other) => JSON.stringify({ extends: [one, other] })),
      'tsconfig.json': '{ "extends": "./a0.json" }',
      'pool.ts': pool,
      'user.ts': `import '@/x';\n${user('./pool')}`,
    }),
  },
  {
    reader: 'conditions of package.json',
    parts: 200,
    files: (n) => ({
      'package.json': `{ "name": "x", "imports": { "#pool": ${'{ "a": '.repeat(n)}"./pool.ts"${' }'.repeat(n)} } }`,
      'pool.ts': pool,
      'user.ts': user('#pool'),
    }),
  },
  {
    reader: 'patterns of workspaces',
    parts: 40,
    files: (n) => ({
      'package.json': JSON.stringify({
        name: 'x',
        workspaces: ['packages/**', ...times(8).map((at) => `packages/*${at}`)],
      }),
      ...Object.fromEntries(
        times(n).map((at) => [`packages/p${at}/package.json`, `{ "name": "p${at}" }`]),
      ),
      'pool.ts': pool,
      'user.ts': `import 'p0';\n${user('./pool')}`,
    }),
  },
  {
    reader: 'sums',
    parts: 200,
    files: (n) =>
      inFunction(
        times(n)
          .map((at) => `'a${at}'`)
          .join(' + '),
      ),
  },
  { reader: 'members of members', parts: 200, files: (n) => inFunction(`a${'.b'.repeat(n)}`) },
  {
    reader: 'choices in choices',
    parts: 200,
    files: (n) => inFunction(`${'a ? 1 : '.repeat(n)}2`),
  },
  {
    reader: 'parentheses',
    parts: 200,
    files: (n) => inFunction(`${'('.repeat(n)}a${')'.repeat(n)}`),
  },
];
