import { expect, test } from 'vitest';
import {
  describeRefusal,
  findProductionSigns,
  type GuardedTarget,
} from '../../../../src/probe/preflight/target-guard.ts';

const quietServer = {
  inRecovery: false,
  clusterName: '',
  activeOthers: 0,
  databaseBytes: 7_000_000,
};
const development: GuardedTarget = {
  host: 'localhost',
  database: 'shop',
  environment: { NODE_ENV: 'development' },
  server: quietServer,
};

test('a development database shows no sign of production', () => {
  expect(findProductionSigns(development)).toEqual([]);
  expect(
    findProductionSigns({ ...development, host: 'oliver', database: 'delivery_products' }),
  ).toEqual([]);
  expect(
    findProductionSigns({
      ...development,
      host: '/srv/live/socket',
      database: 'reproduction',
      environment: {},
      server: null,
    }),
  ).toEqual([]);
});

const suspicious: readonly (readonly [Partial<GuardedTarget>, RegExp])[] = [
  [{ host: 'shop.abc.eu-west-1.rds.amazonaws.com' }, /hosted database/],
  [{ host: 'shop.postgres.database.azure.com' }, /hosted database/],
  [{ host: 'db.example.com' }, /neither this machine nor in a private network/],
  [{ host: 'prod-db' }, /host name prod-db sounds/],
  [{ host: 'db-primary.internal' }, /host name db-primary\.internal sounds/],
  [{ database: 'shop_production' }, /database name shop_production sounds/],
  [{ database: 'live' }, /database name live sounds/],
  [{ database: 'shopProduction2' }, /database name shopProduction2 sounds/],
  [{ database: 'proddb' }, /database name proddb sounds/],
  [{ host: 'x.neon.tech' }, /hosted database \(Neon\)/],
  [{ host: 'DB.EU.RDS.amazonaws.com.' }, /hosted database \(Amazon Web Services\)/],
  [{ environment: { NODE_ENV: 'production' } }, /NODE_ENV is production/],
  [{ environment: { PGENV: 'prod' } }, /PGENV is prod/],
  [{ environment: { RAILS_ENV: 'Production' } }, /RAILS_ENV is Production/],
  [{ server: { ...quietServer, databaseBytes: 12 * 2 ** 30 } }, /holds 12 GB/],
  [{ server: { ...quietServer, clusterName: 'live\u001B[2J' } }, /calls itself live\\u001b\[2J/],
  [{ server: { ...quietServer, inRecovery: true } }, /replica/],
  [{ server: { ...quietServer, clusterName: 'main-prod' } }, /calls itself main-prod/],
  [{ server: { ...quietServer, activeOthers: 11 } }, /11 other sessions/],
];

test.each(suspicious)('%o is refused', (change, reason) => {
  const signs = findProductionSigns({ ...development, ...change });
  expect(signs).toHaveLength(1);
  expect(signs[0]).toMatch(reason);
});

test('each sign is a sentence, and the refusal says what to do', () => {
  const signs = findProductionSigns({
    host: 'prod.example.com',
    database: 'live',
    environment: { NODE_ENV: 'production' },
    server: { inRecovery: true, clusterName: 'primary', activeOthers: 99, databaseBytes: 2 ** 40 },
  });
  expect(signs).toHaveLength(8);
  for (const sign of signs) expect(sign).toMatch(/^\S.*\.$/);
  expect(describeRefusal(signs)).toMatch(/--allow-production\.$/);
});
