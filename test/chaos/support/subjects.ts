import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../../scripts/embedded-server.ts';
import type { Arena } from './arena.ts';
import { cliSubject, cliPath, startProgram, type Subject } from './subject.ts';

const fast = [
  '--sql',
  'SELECT pg_sleep(0.004)',
  '--max',
  '4',
  '--yes',
  '--output',
  'report.json',
] as const;
/** Over in no time on a good line. */
const brief = { spanMs: 500, lateMs: 40 } as const;
const application = fileURLToPath(new URL('./application.mjs', import.meta.url));

/** A row each; faults are crossed with them. */
export const subjects = {
  activity: cliSubject('activity', 'server', () => ['activity'], brief),
  activityJson: cliSubject('activity --json', 'server', () => ['activity', '--json'], brief),
  activityWatch: cliSubject('activity --watch', 'server', () => ['activity', '--watch', '0.5'], {
    spanMs: 1500,
    pulse: /Live at/,
  }),
  activityWatchJson: cliSubject(
    'activity --watch --json',
    'server',
    () => ['activity', '--watch', '0.5', '--json'],
    { spanMs: 1500, pulse: /"takenAt"/ },
  ),
  activityPooled: cliSubject('activity through a pooler', 'pooler', () => ['activity'], brief),
  watchPooled: cliSubject(
    'activity --watch through a pooler',
    'pooler',
    () => ['activity', '--watch', '0.5'],
    { spanMs: 1500, pulse: /Live at/ },
  ),
  pooler: cliSubject('pooler', 'pooler', () => ['pooler'], brief),
  poolerWatch: cliSubject('pooler --watch', 'pooler', () => ['pooler', '--watch', '0.5'], {
    spanMs: 1500,
    pulse: /Live at/,
  }),
  probe: cliSubject(
    'probe',
    'server',
    () => ['probe', ...fast, '--seconds', '5', '--no-validate'],
    { spanMs: 3000 },
  ),
  probePooled: cliSubject(
    'probe through a pooler',
    'pooler',
    () => ['probe', ...fast, '--seconds', '5', '--no-validate'],
    { spanMs: 3000 },
  ),
  probeRamp: cliSubject(
    'probe ramp',
    'server',
    () => ['probe', 'ramp', ...fast, '--sizes', '2,4', '--rates', '50,200', '--seconds', '5'],
    { spanMs: 3000 },
  ),
  probeCompare: cliSubject(
    'probe compare',
    'server',
    () => ['probe', 'compare', ...fast, '--callers', '4,12', '--pool', '4', '--seconds', '5'],
    { spanMs: 3000 },
  ),
  probeConnect: cliSubject(
    'probe connect',
    'server',
    () => [
      'probe',
      'connect',
      '--yes',
      '--output',
      'report.json',
      '--times',
      '60',
      '--concurrent',
      '4',
      '--seconds',
      '5',
    ],
    { spanMs: 2500 },
  ),
  sweep: sweepSubject(),
} as const;

/** An application with a pool, of which the sweep and the application itself are connected through the relay. */
function sweepSubject(): Subject {
  return {
    name: 'sweep',
    way: 'server',
    spanMs: 4000,
    start: async (arena: Arena) => {
      const port = await findFreePort();
      const args = [
        'sweep',
        '--start',
        `"${process.execPath}" "${application}"`,
        '--url',
        `http://127.0.0.1:${port}/`,
        '--sizes',
        '2,4',
        '--users',
        '10',
        '--seconds',
        '1',
        '--passes',
        '1',
        '--think',
        '20',
        '--ready-timeout',
        '8',
        '--stop-timeout',
        '2',
        '--yes',
        '--output',
        'report.json',
      ];
      return startProgram(
        {
          args: [cliPath, ...args],
          environment: { DATABASE_URL: arena.url, PORT: String(port) },
          report: 'report.json',
        },
        arena,
      );
    },
  };
}
