import { expect, test } from 'vitest';
import { Secret } from '../../../../src/database/secret.ts';
import type { ConnectionTarget } from '../../../../src/database/target.ts';
import { SavedConnections } from '../../../../src/editor/connections/saved-connections.ts';

const target: ConnectionTarget = { host: 'localhost', port: 5432, database: 'shop', user: 'app', tls: 'off', tlsChosenBy: 'default', tlsFiles: { ca: null, cert: null, key: null } };

function createStore() {
  const state = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const memento = { get: <T>(key: string, otherwise?: T) => (state.get(key) ?? otherwise) as T, update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)) };
  const storage = { get: (key: string) => Promise.resolve(secrets.get(key)), store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)), delete: (key: string) => Promise.resolve(void secrets.delete(key)) };
  return { saved: new SavedConnections(memento, storage), state, secrets };
}

test('the password goes to the secret storage only', async () => {
  const { saved, state, secrets } = createStore();
  await saved.save(target, new Secret('hunter2'));
  expect(JSON.stringify([...state])).not.toContain('hunter2');
  expect([...secrets.values()]).toEqual(['hunter2']);
  expect((await saved.secretOf(target))?.reveal()).toBe('hunter2');
});

test.each([{ host: 'evil.example' }, { port: 6432 }, { database: 'other' }, { user: 'root' }])('with another %j the password is not found', async (change) => {
  const { saved } = createStore();
  await saved.save(target, new Secret('hunter2'));
  expect(await saved.secretOf({ ...target, ...change })).toBeNull();
});

test('saving again moves to the front and does not double; forgetting leaves nothing', async () => {
  const { saved, secrets } = createStore();
  await saved.save(target, new Secret('one'));
  await saved.save({ ...target, database: 'other' }, null);
  await saved.save(target, null);
  expect(saved.list().map(({ database }) => database)).toEqual(['shop', 'other']);
  await saved.forget(target);
  expect([saved.list().length, secrets.size]).toEqual([1, 0]);
});
