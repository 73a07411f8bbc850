import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toConnectionString } from '../../../src/connections/connection-string.ts';
import { isPrivateHost } from '../../../src/database/private-host.ts';
import { parseTarget } from '../../../src/database/target.ts';

test.each([
  'localhost',
  '127.0.0.1',
  '::1',
  '/tmp',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.1',
  '192.168.1.1',
  '169.254.1.1',
  '100.64.0.1',
  'fd00::1',
  'fe80::1',
  'db',
  'db.internal',
  'nas.local',
  'shop.test',
  'host.docker.internal',
  '/var/run/postgresql',
  '127.8.8.8',
  '::ffff:10.1.2.3',
  'DB.Local.',
])('%s is private', (host) => {
  expect(isPrivateHost(host)).toBe(true);
});

test.each([
  'db.example.com',
  '8.8.8.8',
  '172.32.0.1',
  '192.169.0.1',
  '2001:db8::1',
  'internal.example.com',
  'db.localhost.example',
  '10.0.0.1.example.com',
  'localhost.evil.example',
  '127.0.0.1.example.com',
  '100.128.0.1',
])('%s is not', (host) => {
  expect(isPrivateHost(host)).toBe(false);
});

const name = fc
  .string({ minLength: 1, maxLength: 20, unit: 'binary' })
  .filter((text) => !/[\0\p{Cs}]/u.test(text));
const host = fc.oneof(
  fc.constantFrom('localhost', '::1', '10.0.0.1', '/tmp', '/var/run/my sockets', 'db.example.com'),
  fc.domain(),
);
const file = fc.option(fc.constantFrom('/etc/ca.pem', 'a b&c.pem', 'system'), { nil: null });

test('a connection string reads back as its target', () => {
  fc.assert(
    fc.property(
      host,
      fc.integer({ min: 1, max: 65_535 }),
      name,
      name,
      fc.record({ ca: file, cert: file, key: file }),
      (place, port, database, user, tlsFiles) => {
        const text = toConnectionString({
          host: place,
          port,
          database,
          user,
          tls: 'verify',
          tlsChosenBy: 'default',
          tlsFiles,
        });
        const read = parseTarget(text);
        expect(read.kind === 'target' ? read.target : read.sentence).toMatchObject({
          host: place,
          port,
          database,
          user,
          tlsFiles,
        });
      },
    ),
  );
});
