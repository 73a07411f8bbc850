import { describe } from 'vitest';
import { checkRule, type Sample } from '../support/marked.ts';

interface Names {
  /** Of the file that gives clients, without extension. */
  readonly file: string;
  readonly fn: string;
  readonly held: string;
}

/** One name each of what speaks of databases, and of what speaks of nothing. */
const namings: readonly Names[] = [
  { file: 'pool', fn: 'getClient', held: 'client' },
  { file: 'db', fn: 'getConn', held: 'conn' },
  { file: 'a', fn: 'f', held: 'x' },
  { file: 'weather', fn: 'forecast', held: 'umbrella' },
];

/** The same sample under each naming. */
function underAnyName(
  name: string,
  sampleOf: (names: Names) => Omit<Sample, 'name'>,
  rule = 'no-unreleased-client',
): void {
  checkRule(
    rule,
    namings.map((names) => ({
      name: `${name}: ${Object.values(names).join(', ')}`,
      header: '',
      ...sampleOf(names),
    })),
  );
}

const pg = ({ fn }: Names): string =>
  `import { Pool } from 'pg';\nconst p = new Pool();\nexport async function ${fn}() {\n  return p.connect();\n}\n`;

/** The mark under the call of `fn` behind `before`. */
const mark = (before: string, { fn }: Names, messageId: string): string =>
  `//${' '.repeat(before.length - 2)}${'^'.repeat(fn.length + 2)} ${messageId}`;

const leakingCaller = (names: Names): string => {
  const { file, fn, held } = names;
  const before = `  const ${held} = await `;
  return `
import { ${fn} } from './${file}';
export async function run() {
${before}${fn}();
${mark(before, names, 'notReleasedOnThrow')}
  await ${held}.query('BEGIN');
  ${held}.release();
}
`;
};

describe('whatever things are called', () => {
  underAnyName('a getter of another file', (names) => ({
    code: leakingCaller(names),
    files: { [`${names.file}.ts`]: pg(names) },
  }));

  underAnyName('through a chain of exports', (names) => ({
    code: leakingCaller({ ...names, file: 'index' }),
    files: {
      'index.ts': `export * from './second';\n`,
      'second.ts': `export { ${names.fn} } from './${names.file}';\n`,
      [`${names.file}.ts`]: pg(names),
    },
  }));

  underAnyName('a getter of another package of the repository', (names) => ({
    code: leakingCaller(names).replace(`'./${names.file}'`, "'@a/b'"),
    files: {
      'package.json': '{ "workspaces": ["packages/*"] }',
      'packages/b/package.json': '{ "name": "@a/b", "main": "src/index.ts" }',
      'packages/b/src/index.ts': pg(names),
    },
  }));

  underAnyName('a getter that is handed on', (names) => ({
    code: leakingCaller(names),
    files: {
      [`${names.file}.ts`]: `import { g } from './last';\nexport async function ${names.fn}() {\n  const it = await g();\n  return it;\n}\n`,
      'last.ts': pg({ ...names, fn: 'g' }),
    },
  }));

  underAnyName('a getter of mysql2', (names) => ({
    code: leakingCaller(names),
    files: {
      [`${names.file}.ts`]: `import mysql from 'mysql2/promise';\nconst p = mysql.createPool({});\nexport const ${names.fn} = () => p.getConnection();\n`,
    },
  }));

  underAnyName('a getter of TypeORM', (names) => {
    const { file, fn, held } = names;
    const before = `  const ${held} = `;
    return {
      code: `
import { ${fn} } from './${file}';
export async function run() {
${before}${fn}();
${mark(before, names, 'notReleasedOnThrow')}
  await ${held}.startTransaction();
  await ${held}.commitTransaction();
  await ${held}.release();
}
`,
      files: {
        [`${file}.ts`]: `import { DataSource } from 'typeorm';\nconst s = new DataSource({ type: 'postgres' });\nexport const ${fn} = () => s.createQueryRunner();\n`,
      },
    };
  });

  underAnyName('a method of an object of another file', (names) => {
    const { file, fn, held } = names;
    const before = `  const ${held} = await `;
    return {
      code: `
import { o } from './${file}';
export async function run() {
${before}o.${fn}();
${mark(before, { ...names, fn: `o.${fn}` }, 'notReleasedOnThrow')}
  await ${held}.query('BEGIN');
  ${held}.release();
}
`,
      files: {
        [`${file}.ts`]: `import { Pool } from 'pg';\nclass C {\n  readonly p = new Pool();\n  async ${fn}() {\n    return this.p.connect();\n  }\n}\nexport const o = new C();\n`,
      },
    };
  });

  underAnyName('a client that only other functions use', (names) => {
    const { file, fn, held } = names;
    const before = `  const ${held} = await `;
    return {
      code: `
import { ${fn} } from './${file}';
import { g } from './g';
export async function run() {
${before}${fn}();
${mark(before, names, 'neverReleased')}
  await g(${held});
}
`,
      files: {
        [`${file}.ts`]: pg(names),
        'g.ts':
          "import type { PoolClient } from 'pg';\nexport async function g(y: PoolClient) {\n  await y.query('SELECT 1');\n}\n",
      },
    };
  });

  underAnyName('a client that is dropped at once', (names) => ({
    code: `
import { ${names.fn} } from './${names.file}';
export async function run() {
  await ${names.fn}();
${mark('  await ', names, 'neverReleased')}
}
`,
    files: { [`${names.file}.ts`]: pg(names) },
  }));

  underAnyName(
    'a client that is lent to a callback',
    ({ file, fn, held }) => ({
      code: `
import { ${fn} } from './${file}';
export async function run() {
  return ${fn}(async (${held}) => {
    ${held}.release();
    ${held}.release();
//  ${'^'.repeat(held.length + 10)} releasedAgain
  });
}
`,
      files: {
        [`${file}.ts`]:
          "import { Pool } from 'pg';\nconst p = new Pool();\nexport async function " +
          fn +
          '(use) {\n  const y = await p.connect();\n  return use(y);\n}\n',
      },
    }),
    'no-double-release',
  );
});

describe('a pool whose class has another name', () => {
  checkRule('require-connection-timeout', [
    {
      name: 'imported under it',
      header: '',
      code: `
import { Pool as P } from 'pg';
export const it = new P({ max: 4 });
//                ^^^^^^^^^^^^^^^^^ missing
`,
    },
    {
      name: 'exported under it',
      header: '',
      code: `
import { P } from './a';
export const it = new P({ max: 4 });
//                ^^^^^^^^^^^^^^^^^ missing
`,
      files: { 'a.ts': "export { Pool as P } from 'pg';\n" },
    },
  ]);
});

describe('a statement under a name that says nothing', () => {
  checkRule('no-transaction-on-pool', [
    {
      name: 'of another file',
      code: `
import { a, b } from './c';
export async function run() {
  await pool.query(a);
//      ^^^^^^^^^^^^^ begins
  await pool.query('INSERT INTO t VALUES (1)');
  await pool.query(b);
}
`,
      files: { 'c.ts': "export const a = 'BEGIN';\nexport const b = 'COMMIT';\n" },
    },
  ]);
});

describe('what leads nowhere stays silent', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'the same calls of a package that is no driver',
      header: '',
      code: `
import { getConn } from './db';
export async function run() {
  const conn = await getConn();
  await conn.query('BEGIN');
  conn.release();
}
`,
      files: {
        'db.ts': "import { connect } from 'elsewhere';\nexport const getConn = () => connect();\n",
      },
    },
  ]);
});
