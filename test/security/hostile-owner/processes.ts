import { describe, expect, test } from 'vitest';
import { addActivityCommand } from '../../../src/cli/activity.ts';
import { runNode } from '../../support/run-process.ts';
import type { Count } from './counts.ts';
import type { HostileServer } from './hostile-server.ts';
import { trustedOwners, namedStatements, plantedFunctions, sleepy } from './jobs/probes.ts';
import { runCommand } from './jobs/run-command.ts';
import { leftToPath } from './own-statements.ts';
import type { Place } from './places.ts';
import { readSeen } from './seen.ts';

const place: Place = { role: 'analyst', path: 'direct' };

const allowed = [
  '--allow-functions',
  plantedFunctions.join(','),
  ...trustedOwners.flatMap((name) => ['--trust-owner', name]),
];

/** The command line as it ships; a probe measures in a process of its own, and with threads. */
const commands = [
  ['activity'],
  [
    'probe',
    '--yes',
    '--allow-production',
    '--seconds',
    '5',
    '--max',
    '2',
    '--threads',
    '2',
    '--no-validate',
    ...allowed,
    '--sql',
    sleepy,
  ],
] as const;

/** The same as of the traps, for what is not run within the process of a test. */
export function describeProcesses(serverOf: () => HostileServer, count: Count): void {
  describe('the command line', () => {
    test('activity --watch calls nothing that was planted', async () => {
      const server = serverOf();
      await server.log.read();
      const over = new AbortController();
      const onOutput = (soFar: string) => soFar.split('\n').length > 3 && over.abort();
      await runCommand(
        addActivityCommand,
        ['activity', server.url(place), '--watch', '1', '--json'],
        { signal: over.signal, onOutput },
      );
      const { called, statements } = await readSeen(server);
      count(place, { jobs: 1, statements: statements.length, called: called.length });
      expect(called).toEqual([]);
      expect(await leftToPath(statements, [])).toEqual([]);
    });

    test.each(
      commands.map((args) => ({
        name: args.filter((arg) => /^[a-z-]+$/.test(arg)).join(' '),
        args,
      })),
    )('$name calls nothing that was planted', async ({ args: [command, ...flags] }) => {
      const server = serverOf();
      await server.log.read();
      const { code, stderr } = await runNode(
        ['dist/cli.js', command, server.url(place), ...flags],
        process.cwd(),
      );
      const { called, statements } = await readSeen(server);
      count(place, { jobs: 1, statements: statements.length, called: called.length });
      expect(called).toEqual([]);
      expect(await leftToPath(statements, namedStatements)).toEqual([]);
      // 1 where so busy a machine gives no clear answer.
      expect([0, 1], stderr).toContain(code);
    });
  });
}
