import { expect, test } from 'vitest';
import { Secret } from '../../../../src/database/secret.ts';
import type { ConnectionTarget } from '../../../../src/database/target.ts';
import { PoolerRoles } from '../../../../src/editor/pooler/pooler-roles.ts';
import { expectToRead } from '../../../support/spoilt.ts';

const target: ConnectionTarget = {
  host: 'localhost',
  port: 6432,
  database: 'shop',
  user: 'app',
  tls: 'off',
  tlsChosenBy: 'default',
  tlsFiles: { ca: null, cert: null, key: null },
};
const own = new Secret('hunter2');

function createStore(kept?: unknown) {
  const state = new Map<string, unknown>([['poolguard.poolerRoles', kept]]);
  const secrets = new Map<string, string>();
  const memento = {
    get: <T>(key: string, otherwise?: T) => (state.get(key) ?? otherwise) as T,
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  };
  const storage = {
    get: (key: string) => Promise.resolve(secrets.get(key)),
    store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)),
    delete: (key: string) => Promise.resolve(void secrets.delete(key)),
  };
  return { roles: new PoolerRoles(memento, storage), state, secrets };
}

test("the connection's own role looks, as long as no other is named", async () => {
  const { roles } = createStore();
  const { target: console, secret } = await roles.choose({ target, secret: own });
  expect(console).toMatchObject({
    host: 'localhost',
    port: 6432,
    database: 'pgbouncer',
    user: 'app',
  });
  expect(secret?.reveal()).toBe('hunter2');
});

test('another role has a password of its own, in the secret storage only', async () => {
  const { roles, state } = createStore();
  await roles.use(target, 'stats', new Secret('watchword'));
  const { target: console, secret } = await roles.choose({ target, secret: own });
  expect([console.user, secret?.reveal()]).toEqual(['stats', 'watchword']);
  expect(JSON.stringify([...state])).not.toContain('watchword');
});

test.each([{ host: 'evil.example' }, { port: 5432 }])(
  'it is not sent to another %j',
  async (change) => {
    const { roles } = createStore();
    await roles.use(target, 'stats', new Secret('watchword'));
    const { target: console, secret } = await roles.choose({
      target: { ...target, ...change },
      secret: own,
    });
    expect([console.user, secret?.reveal()]).toEqual(['app', 'hunter2']);
  },
);

test('a role without a password never gets that of the connection', async () => {
  const { roles } = createStore();
  await roles.use(target, 'stats', null);
  expect((await roles.choose({ target, secret: own })).secret).toBeNull();
});

test('forgotten, nothing of it is left; nor when no saved connection leads there', async () => {
  const { roles, secrets } = createStore();
  await roles.use(target, 'stats', new Secret('watchword'));
  await roles.forget(target);
  expect([roles.userOf(target), secrets.size]).toEqual([undefined, 0]);
  await roles.use(target, 'stats', new Secret('watchword'));
  await roles.keepOnly([{ ...target, database: 'other' }]);
  expect(roles.userOf(target)).toBe('stats');
  await roles.keepOnly([{ ...target, port: 5432 }]);
  expect([roles.userOf(target), secrets.size]).toEqual([undefined, 0]);
});

test('whatever a broken state holds, a role is a text, and forgetting the others goes through', async () => {
  const place = '["localhost",6432]';
  expectToRead(['stats'], (user) => createStore({ [place]: user }).roles.userOf(target));
  for (const kept of [7, [], { place: 'stats' }, { '[7,7]': 'stats' }, { [place]: 7 }]) {
    const { roles } = createStore(kept);
    expect(roles.userOf(target)).toBeUndefined();
    await roles.keepOnly([]);
  }
});
