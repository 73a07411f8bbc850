import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const outer = `
import { prisma } from './db';
import { find } from './find';
export async function run(id) {
  await prisma.$transaction(async (tx) => {
    await tx.user.update({ where: { id } });
    await find(id);
//        ^^^^^^^^ outsideInHelper
  });
}`;

const silent = outer.replace(/^\/\/.*\n/mu, '');

/** A module whose client nobody can look into. */
const unreadable =
  "import { PrismaClient } from './not-generated';\nexport const prisma = new PrismaClient();\n";

describe('one export of one module is one handle, whoever imports it', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'also where nothing is known of it',
      filename: 'sample.ts',
      code: outer,
      files: {
        'db.ts': unreadable,
        'find.ts':
          "import { prisma as db } from './db';\nexport async function find(id) { return await db.user.findMany({ where: { id } }); }\n",
      },
    },
    {
      name: 'and in a package that is not there',
      filename: 'sample.ts',
      code: outer.replace('./db', '@shop/database'),
      files: {
        'find.ts':
          "import { prisma } from '@shop/database';\nexport async function find(id) { return await prisma.user.findMany({ where: { id } }); }\n",
      },
    },
    {
      name: 'while another export, and one of another module, may be another',
      filename: 'sample.ts',
      code: silent,
      files: {
        'db.ts': unreadable,
        'reports.ts': unreadable,
        'find.ts':
          "import { prisma } from './reports';\nexport async function find(id) { return await prisma.user.findMany({ where: { id } }); }\n",
      },
    },
    {
      name: 'through a helper that a package keeps the results of',
      filename: 'sample.ts',
      code: outer,
      files: {
        'db.ts': unreadable,
        'find.ts':
          "import { cache } from 'react';\nimport { prisma } from './db';\nexport const find = cache(async (id) => await prisma.user.findMany({ where: { id } }));\n",
      },
    },
  ]);
});

describe('the alias of a framework that has not written its configuration yet', () => {
  checkRule('no-nested-checkout', [
    {
      name: '$lib of SvelteKit',
      filename: 'sample.ts',
      code: outer.replace('./db', '$lib/server/db').replace('./find', '$lib/find'),
      files: {
        'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }',
        'src/lib/server/db.ts': unreadable,
        'src/lib/find.ts':
          "import { prisma } from './server/db';\nexport async function find(id) { return await prisma.user.findMany({ where: { id } }); }\n",
      },
    },
  ]);
});

describe('a function that makes a pool for each of its calls', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'gives two calls nothing to wait for in each other',
      filename: 'sample.ts',
      code: `
import postgres from 'postgres';
async function connect(max) {
  const db = postgres('postgres://localhost', { max });
  await db\`SELECT 1\`;
  return db;
}
async function withSnapshot(capture) {
  const holder = await connect(1);
  return holder.begin(async (tx) => capture(await tx\`SELECT pg_export_snapshot()\`));
}
export async function sync() {
  async function capture(snapshot) {
    const workers = await connect(5);
    return workers\`SELECT \${snapshot}\`;
  }
  return withSnapshot(capture);
}`,
    },
  ]);
});
