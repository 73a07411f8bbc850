import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret } from '../../../../src/database/secret.ts';
import { SavedConnections } from '../../../../src/editor/connections/saved-connections.ts';
import { readSavedState } from '../../../../src/editor/connections/saved-state.ts';
import { spoilt, strangeValue } from '../../../support/spoilt.ts';
import { aTarget as target } from '../../../support/a-target.ts';

const shop = { name: 'shop', target };
const other = { name: 'reports', target: { ...target, database: 'other' } };

function createStore() {
  const state = new Map<string, unknown>();
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
  return { saved: new SavedConnections(memento, storage), state, secrets };
}

test('the password goes to the secret storage only', async () => {
  const { saved, state, secrets } = createStore();
  await saved.save(shop, new Secret('hunter2'));
  expect(JSON.stringify([...state])).not.toContain('hunter2');
  expect([...secrets.values()]).toEqual(['hunter2']);
  expect((await saved.secretOf(target))?.reveal()).toBe('hunter2');
});

test.each([{ host: 'evil.example' }, { port: 6432 }, { database: 'other' }, { user: 'root' }])(
  'with another %j the password is not found',
  async (change) => {
    const { saved } = createStore();
    await saved.save(shop, new Secret('hunter2'));
    expect(await saved.secretOf({ ...target, ...change })).toBeNull();
  },
);

test('saving again moves to the front and does not double; forgetting leaves nothing', async () => {
  const { saved, secrets } = createStore();
  await saved.save(shop, new Secret('one'));
  await saved.save(other, null);
  await saved.save(shop, null);
  expect(saved.list().map(({ name }) => name)).toEqual(['shop', 'reports']);
  await saved.forget(target);
  expect([saved.list().length, secrets.size]).toEqual([1, 0]);
});

test('editing keeps the place in the list, and takes the old password along only for the same host, port, database and user', async () => {
  const { saved, secrets } = createStore();
  await saved.save(shop, new Secret('one'));
  await saved.save(other, new Secret('two'));
  await saved.replace(
    shop,
    { name: 'renamed', target: { ...target, tls: 'verify' } },
    new Secret('one'),
  );
  expect([saved.list().map(({ name }) => name), [...secrets.values()]]).toEqual([
    ['reports', 'renamed'],
    ['one', 'two'],
  ]);
  const moved = { name: 'renamed', target: { ...target, host: 'db.example.com' } };
  await saved.replace(shop, moved, null);
  expect([saved.list().map((each) => each.target.host), [...secrets.values()]]).toEqual([
    ['localhost', 'db.example.com'],
    ['two'],
  ]);
});

test('editing one into the place of another leaves one', async () => {
  const { saved, secrets } = createStore();
  await saved.save(shop, new Secret('one'));
  await saved.save(other, new Secret('two'));
  await saved.replace(shop, { name: 'both', target: other.target }, new Secret('three'));
  expect([saved.list().map(({ name }) => name), [...secrets.values()]]).toEqual([
    ['both'],
    ['three'],
  ]);
});

test('connections of before, which had no name, are called like their database', () => {
  expect(readSavedState([target])).toEqual([{ name: 'shop', target }]);
});

test.each([
  undefined,
  null,
  7,
  'text',
  {},
  [null],
  [7],
  [{}],
  [{ name: 'a' }],
  [{ name: 'a', target: 7 }],
  [{ ...target, port: '5432' }],
  [{ ...target, port: 70_000 }],
  [{ ...target, tls: 'maybe' }],
  [{ ...target, host: '' }],
])('a state that cannot be read holds none: %j', (raw) => {
  expect(readSavedState(raw)).toEqual([]);
});

test('what can be read stays, beside what cannot; fields that are missing take their defaults', () => {
  expect(
    readSavedState([7, { name: 3, target: { ...target, tlsFiles: 'x', tlsChosenBy: 'nobody' } }]),
  ).toEqual([{ name: 'shop', target: { ...target, tlsChosenBy: 'connection string' } }]);
});

test('whatever is kept, what is read is read again as itself', () => {
  const kept = fc.array(fc.oneof(spoilt([target, shop]), strangeValue));
  fc.assert(
    fc.property(fc.oneof(kept, fc.anything()), (raw) => {
      const read = readSavedState(raw);
      expect(readSavedState(read)).toEqual(read);
      expect(read.every(({ name }) => name !== '')).toBe(true);
    }),
    { numRuns: 500 },
  );
});
