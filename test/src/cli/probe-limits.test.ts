import { Command } from 'commander';
import { expect, test } from 'vitest';
import {
  addLimitOptions,
  addSharingOptions,
  readLimits,
  readSharing,
  type LimitFlags,
  type SharingFlags,
} from '../../../src/cli/probe/options/limit-options.ts';

const io = {
  env: { HOME: '/nowhere', USER: 'somebody' },
  cwd: '/nowhere',
  stderr: { write: () => undefined, isTTY: false },
};

function parse(...args: readonly string[]): LimitFlags & SharingFlags {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addLimitOptions(command);
  addSharingOptions(command);
  return command.parse(args, { from: 'user' }).opts<LimitFlags & SharingFlags>();
}

test('one pool unless told otherwise', async () => {
  expect(await readLimits(parse(), io)).toEqual({ max: 32, server: null });
  expect(readSharing(parse())).toEqual({ workers: 1, instances: 1, deployOverlap: 0 });
});

test.each([
  ['0.25', 0.25],
  ['25%', 0.25],
  ['1', 1],
])('an overlap of %s', (text, deployOverlap) => {
  expect(
    readSharing(parse('--workers', '4', '--instances', '3', '--deploy-overlap', text)),
  ).toEqual({ workers: 4, instances: 3, deployOverlap });
});

test.each(['2', '-1', '101%', 'half'])('an overlap of %s is refused', (text) => {
  expect(() => parse('--deploy-overlap', text)).toThrow(
    'It must be a share from 0 to 1, such as 0.25 or 25%.',
  );
});

test('the server behind a pooler', async () => {
  expect(
    await readLimits(parse('--server', 'postgres://app@localhost:5432/shop'), io),
  ).toMatchObject({ server: { target: { port: 5432, database: 'shop' } } });
});

test('an address that cannot be read is named without its password', async () => {
  const reading = readLimits(parse('--server', 'mysql://app:hidden-password@localhost/shop'), io);
  await expect(reading).rejects.toThrow(/^--server: .*must start with postgres/);
  await expect(reading).rejects.not.toThrow(/hidden-password/);
});
