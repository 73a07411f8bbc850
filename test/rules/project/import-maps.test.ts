import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const db = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
const use = `export async function f() {
  const c = await pool.connect();
  try {
    await pool.query('x');
    //    ^^^^^^^^^^^^^^^ query
  } finally { c.release(); }
}`;
const silent = use.replace(/ *\/\/.*\n/u, '');

describe('an import map names', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'files, by what their names begin with',
      filename: 'src/api/a.ts',
      files: { 'deno.json': '{ "imports": { "@/": "./src/" } }', 'src/db/pool.ts': db },
      code: `import { pool } from '@/db/pool.ts';\n${use}`,
    },
    {
      name: 'one file, in a configuration with comments',
      filename: 'a.ts',
      files: { 'deno.jsonc': '{ // ours\n "imports": { "db": "./pool.ts" }, }', 'pool.ts': db },
      code: `import { pool } from 'db';\n${use}`,
    },
    {
      name: 'and nothing else does, as far as is known',
      filename: 'a.ts',
      files: { 'deno.json': '{ "imports": { "dep:pg": "https://example.test/pg.ts", "x": 1 } }' },
      code: `import { pool } from '@/db/pool.ts';\n${silent.replace('pool.connect', 'other.connect')}`,
    },
  ]);
});

describe('a driver is known', () => {
  checkRule('require-pool-error-handler', [
    {
      name: 'by an import map',
      filename: 'a.ts',
      files: { 'deno.json': '{ "imports": { "dep:pg": "npm:pg@^8.12" } }' },
      code: `import pg from 'dep:pg';
export const pool = new pg.Pool();
//                  ^^^^^^^^^^^^^ pool`,
    },
    {
      name: 'in another file, by a map of its own',
      filename: 'src/a.ts',
      files: {
        'deno.json': '{ "importMap": "./import_map.json" }',
        'import_map.json': '{ "imports": { "~/": "./src/", "postgres": "npm:pg" } }',
        'src/driver.ts': "export { Pool as Connections } from 'postgres';",
      },
      code: `import { Connections } from '~/driver.ts';
export const pool = new Connections();
//                  ^^^^^^^^^^^^^^^^^ pool`,
    },
    {
      name: 'with its version',
      filename: 'a.ts',
      code: `import { Pool } from 'npm:pg@8.16.0';
export const pool = new Pool();
//                  ^^^^^^^^^^ pool`,
    },
    {
      name: 'but not where a map names something else',
      filename: 'a.ts',
      files: { 'deno.json': '{ "imports": { "dep:pg": "https://example.test/pg.ts", "x": 1 } }' },
      code: `import pg from 'dep:pg';\nexport const pool = new pg.Pool();`,
    },
    {
      name: 'but not by a name without a map',
      filename: 'a.ts',
      code: `import pg from 'dep:pg';\nexport const pool = new pg.Pool();`,
    },
  ]);
});

describe('a specifier names a package of npm', () => {
  checkRule('no-external-await-while-holding', [
    {
      name: 'of a scope, and a part of it',
      code: `
import { Send } from 'npm:@aws-sdk/client-sqs@3';
import { setTimeout as sleep } from 'node:timers/promises';
async function f() {
  const c = await pool.connect();
  try {
    await new Send().send();
  //^^^^^^^^^^^^^^^^^^^^^^^ held
    await sleep(1000);
  //^^^^^^^^^^^^^^^^^ held
  } finally { c.release(); }
}`,
    },
  ]);
});
