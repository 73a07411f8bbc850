import { expect, test } from 'vitest';
import { matchRoutes, readRoute, type Route } from '../../../src/linking/match-route.ts';

const routes: readonly Route[] = [
  { method: 'GET', path: '/users' },
  { method: 'GET', path: '/users/me' },
  { method: 'GET', path: '/users/:id' },
  { method: 'DELETE', path: '/users/:id' },
  { method: 'ALL', path: '/health' },
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/shops/{shop}/orders/[order]' },
];

test.each<readonly [asked: string, answers: readonly string[]]>([
  ['GET /users/:id', ['GET /users/:id']],
  ['GET /users/42', ['GET /users/:id']],
  ['get /users/me', ['GET /users/me']],
  ['/users/42', ['GET /users/:id', 'DELETE /users/:id']],
  ['DELETE /users/42?force=1', ['DELETE /users/:id']],
  ['POST /health', ['ALL /health']],
  ['GET /api/v1/users/42', ['GET /users/:id']],
  ['GET /shops/1/orders/2', ['GET /shops/{shop}/orders/[order]']],
  ['GET /', ['GET /']],
  ['PUT /users/42', []],
])('%s', (text, answers) => {
  const asked = readRoute(text);
  if (asked === null) throw new Error('It is a route.');
  expect(matchRoutes(asked, routes).map(({ method, path }) => `${method} ${path}`)).toEqual(
    answers,
  );
});

test.each(['src/users.ts', 'users', 'GET users', ''])('%j is no route', (text) => {
  expect(readRoute(text)).toBeNull();
});
