import { expect, test } from 'vitest';
import { inspected } from '../../support/inspected.ts';

const pool = "import { Pool } from 'pg'; const pool = new Pool();";

/** `GET /users: SELECT 1; SELECT 2` */
function routes(text: string, path?: string): readonly string[] {
  return inspected(`${pool}\n${text}`, path)
    .routes()
    .map(({ method, path: written, statements, built }) =>
      `${method} ${written}: ${statements.map(({ pieces }) => pieces.join('…')).join('; ')}${built > 0 ? ` and ${built} built` : ''}`.trim(),
    );
}

test.each<readonly [what: string, text: string, found: readonly string[]]>([
  [
    'Express, with what stands before the handler',
    `async function authenticate(request, response, next) { await pool.query('SELECT 1 FROM sessions'); next(); }
     app.get('/users', authenticate, async (request, response) => response.json(await pool.query('SELECT 1 FROM users')));`,
    ['GET /users: SELECT 1 FROM sessions; SELECT 1 FROM users'],
  ],
  [
    'a chain of methods',
    `router.route('/users').get(list).post(add);
     async function list() { return pool.query('SELECT 1 FROM users'); }
     async function add() { return pool.query('INSERT INTO users DEFAULT VALUES'); }`,
    ['POST /users: INSERT INTO users DEFAULT VALUES', 'GET /users: SELECT 1 FROM users'],
  ],
  [
    'Fastify',
    `fastify.route({ method: ['GET', 'HEAD'], url: '/users/:id', handler: async (request) => pool.query('SELECT 1 FROM users') });
     fastify.delete('/users/:id', async () => pool.query('DELETE FROM users'));`,
    [
      'GET /users/:id: SELECT 1 FROM users',
      'HEAD /users/:id: SELECT 1 FROM users',
      'DELETE /users/:id: DELETE FROM users',
    ],
  ],
  [
    'Koa and Hono',
    `router.get('/a', async (ctx) => { ctx.body = await pool.query('SELECT 1 FROM a'); });
     app.all('/b', async (c) => c.json(await pool.query('SELECT 1 FROM b')));`,
    ['GET /a: SELECT 1 FROM a', 'ALL /b: SELECT 1 FROM b'],
  ],
  [
    "Nest's controllers, over a service",
    `class Users { find() { return pool.query('SELECT 1 FROM users'); } }
     @Controller('users') class UsersController {
       private readonly users = new Users();
       @Get(':id') find() { return this.users.find(); }
       @Post() add() { return pool.query('INSERT INTO users DEFAULT VALUES'); }
     }`,
    ['GET /users/:id: SELECT 1 FROM users', 'POST /users: INSERT INTO users DEFAULT VALUES'],
  ],
  [
    'wrapped handlers, and functions that are handed on',
    `app.get('/a', asyncHandler(async () => { await inTransaction(work); }));
     async function inTransaction(run) { return run(); }
     async function work() { return pool.query('SELECT 1 FROM a'); }`,
    ['GET /a: SELECT 1 FROM a'],
  ],
  [
    'functions that call each other',
    `app.get('/a', one);
     async function one() { await pool.query('SELECT 1 FROM a'); return two(); }
     async function two() { return one(); }`,
    ['GET /a: SELECT 1 FROM a'],
  ],
  [
    'what is no route',
    `cache.get('users'); app.use('/users', router); map.delete('/users'); axios.get('/users');`,
    [],
  ],
])('%s', (_, text, found) => {
  expect(routes(text)).toEqual(found);
});

test.each<readonly [what: string, text: string, found: readonly string[], path: string]>([
  [
    'a file of Next.js',
    `export async function GET() { return Response.json(await pool.query('SELECT 1 FROM users')); }
     export const POST = async () => Response.json(await pool.query('INSERT INTO users DEFAULT VALUES'));`,
    [
      'GET /api/users/[id]: SELECT 1 FROM users',
      'POST /api/users/[id]: INSERT INTO users DEFAULT VALUES',
    ],
    '/project/app/(shop)/api/users/[id]/route.ts',
  ],
  [
    'a file of SvelteKit',
    `export async function GET() { return new Response(await pool.query('SELECT 1 FROM users')); }`,
    ['GET /users: SELECT 1 FROM users'],
    '/project/src/routes/users/+server.ts',
  ],
])('%s', (_, text, found, path) => {
  expect(routes(text, path)).toEqual(found);
});

test('queries that a library builds are counted', () => {
  expect(
    routes(`import knexOf from 'knex'; const knex = knexOf({ client: 'pg' });
      app.get('/users', async (request, response) => response.json(await knex('users').where({ id: 1 })));`),
  ).toEqual(['GET /users:  and 1 built']);
});
