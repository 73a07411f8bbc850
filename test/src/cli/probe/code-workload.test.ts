import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCodeWorkload } from '../../../../src/cli/probe/code-workload.ts';
import { createCodeReader } from '../../../../src/lint/code-reader.ts';
import { poolguard } from '../../../../src/lint/analyser.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

const files = {
  'package.json': '{ "type": "module", "dependencies": { "pg": "8", "express": "5" } }',
  'src/db.ts': `
    import pg from 'pg';
    export const pool = new pg.Pool({ max: 5 });
    export async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } finally {
        client.release();
      }
    }`,
  'src/users/repository.ts': `
    import { pool, inTransaction } from '../db.ts';
    export class Users {
      async find(id: string) {
        return (await pool.query('SELECT * FROM users WHERE id = $1', [id])).rows[0];
      }
      async byName(name: string, order: string) {
        return (await pool.query(\`SELECT * FROM users WHERE name = $1 ORDER BY \${order}\`, [name])).rows;
      }
    }
    export async function rename(id: string, name: string) {
      return inTransaction(async (client) => {
        await client.query('UPDATE users SET name = $1 WHERE id = $2', [name, id]);
        await client.query('UPDATE users SET name = $1 WHERE id = $2', [name, id]);
      });
    }`,
  'src/users/routes.ts': `
    import { Router } from 'express';
    import { Users, rename } from './repository.ts';
    const users = new Users();
    async function showUser(request, response) {
      response.json(await users.find(request.params.id));
    }
    export const router = Router();
    router.get('/', async (request, response) => {
      response.json(await users.byName(request.query.name, request.query.order));
    });
    router.get('/:id', showUser);
    router.put('/:id', async (request, response) => {
      await rename(request.params.id, request.body.name);
      response.json(await users.find(request.params.id));
    });`,
  'src/orders/routes.ts': `
    import { Router } from 'express';
    import { pool } from '../db.ts';
    export const router = Router();
    router.get('/:id', async (request, response) => {
      response.json((await pool.query('SELECT * FROM orders WHERE id = $1', [request.params.id])).rows);
    });
    router.route('/totals').get(async (request, response) => {
      response.json((await pool.query('SELECT sum(total) FROM orders')).rows);
    });`,
  'src/client.ts': `
    import axios from 'axios';
    import { pool } from './db.ts';
    export const report = (total) => axios.get('/orders/totals', { params: { total } });`,
  'app/api/stock/[id]/route.ts': `
    import { pool } from '../../../../src/db.ts';
    export async function GET() {
      const { rows } = await pool.query('SELECT count(*) FROM stock');
      return Response.json(rows);
    }`,
};

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await createTemporaryFolder(files);
});

afterAll(() => folder[Symbol.asyncDispose]());

function read(asked: string) {
  return readCodeWorkload(asked, folder.path, createCodeReader(poolguard));
}

test('a route has what its handler sends, over classes, functions and files', async () => {
  expect(await read('PUT /users/:id')).toEqual({
    kind: 'code',
    from: 'PUT /users/:id',
    statements: [
      { text: 'UPDATE users SET name = $1 WHERE id = $2', weight: 2 },
      { text: 'SELECT * FROM users WHERE id = $1', weight: 1 },
    ],
    notes: [
      expect.stringMatching(/^PUT \/users\/:id is PUT \/:id in src\/users\/routes\.ts:\d+\.$/),
    ],
  });
});

test('several routes that may answer are named, and the file chooses among them', async () => {
  await expect(read('GET /users/42')).rejects.toThrow(
    /several routes may answer GET \/users\/42: GET \/:id in src\/orders\/routes\.ts:\d+, GET \/:id in src\/users\/routes\.ts:\d+\. Name the file too/,
  );
  expect(await read('GET /users/42 in src/users/routes.ts')).toMatchObject({
    statements: [{ text: 'SELECT * FROM users WHERE id = $1', weight: 1 }],
  });
});

test.each([
  ['GET /orders/totals', 'SELECT sum(total) FROM orders'],
  ['GET /api/stock/7', 'SELECT count(*) FROM stock'],
])('%s', async (asked, text) => {
  expect(await read(asked)).toMatchObject({ statements: [{ text, weight: 1 }] });
});

test('what the code fills in is left out with a sentence', async () => {
  await expect(read('GET / in src/users/routes.ts')).rejects.toThrow(
    'GET / sends no statement whose text the code writes. Left out of GET /: 1 statement of which the code fills in a part when it runs.',
  );
});

test('a file has its statements', async () => {
  expect(await read('src/users/repository.ts')).toMatchObject({
    from: 'src/users/repository.ts',
    statements: [
      { text: 'SELECT * FROM users WHERE id = $1', weight: 1 },
      { text: 'UPDATE users SET name = $1 WHERE id = $2', weight: 2 },
    ],
    notes: [
      'Left out of src/users/repository.ts: 1 statement of which the code fills in a part when it runs.',
    ],
  });
});

test('a route that there is not is answered with those that there are', async () => {
  await expect(read('PATCH /users')).rejects.toThrow(
    /no route answers PATCH \/users\. The code has GET .* in app\/api\/stock\/\[id\]\/route\.ts:\d+, /,
  );
});

test('a file that there is not', async () => {
  await expect(read('src/none.ts')).rejects.toThrow(
    "--from-code: src/none.ts does not exist. Name a file, or a route such as 'GET /users/:id'.",
  );
});
