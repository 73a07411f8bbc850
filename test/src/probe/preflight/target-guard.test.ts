import { expect, test } from 'vitest';
import { findProductionSigns, isPrivateHost, type GuardedTarget } from '../../../../src/probe/preflight/target-guard.ts';

const quietServer = { inRecovery: false, clusterName: '', railsEnvironment: null, activeOthers: 0 };
const development: GuardedTarget = { host: 'localhost', database: 'shop', nodeEnvironment: undefined, server: quietServer };

test.each([
  ['localhost', true], ['db', true], ['postgres', true], ['127.0.0.1', true], ['127.8.8.8', true], ['10.1.2.3', true], ['172.16.0.1', true], ['172.31.255.1', true],
  ['192.168.1.5', true], ['100.100.1.1', true], ['::1', true], ['fd00::1', true], ['fe80::1', true], ['/var/run/postgresql', true], ['db.local', true], ['host.docker.internal', true],
  ['172.32.0.1', false], ['8.8.8.8', false], ['100.128.0.1', false], ['2001:db8::1', false], ['db.example.com', false], ['127.0.0.1.example.com', false], ['localhost.example.com', false],
])('%s is private: %s', (host, expected) => {
  expect(isPrivateHost(host)).toBe(expected);
});

test('a development database shows no sign of production', () => {
  expect(findProductionSigns(development)).toEqual([]);
  expect(findProductionSigns({ ...development, host: 'oliver', database: 'delivery_products' })).toEqual([]);
});

const suspicious: readonly (readonly [Partial<GuardedTarget>, RegExp])[] = [
  [{ host: 'shop.abc.eu-west-1.rds.amazonaws.com' }, /hosted database/],
  [{ host: 'shop.postgres.database.azure.com' }, /hosted database/],
  [{ host: 'db.example.com' }, /neither this machine nor in a private network/],
  [{ host: 'prod-db' }, /host name prod-db sounds/],
  [{ host: 'db-primary.internal' }, /host name db-primary\.internal sounds/],
  [{ database: 'shop_production' }, /database name shop_production sounds/],
  [{ database: 'live' }, /database name live sounds/],
  [{ nodeEnvironment: 'production' }, /NODE_ENV/],
  [{ server: { ...quietServer, inRecovery: true } }, /replica/],
  [{ server: { ...quietServer, clusterName: 'main-prod' } }, /calls itself main-prod/],
  [{ server: { ...quietServer, railsEnvironment: 'production' } }, /ar_internal_metadata/],
  [{ server: { ...quietServer, activeOthers: 11 } }, /11 other sessions/],
];

test.each(suspicious)('%o is refused', (change, reason) => {
  const signs = findProductionSigns({ ...development, ...change });
  expect(signs).toHaveLength(1);
  expect(signs[0]).toMatch(reason);
});
