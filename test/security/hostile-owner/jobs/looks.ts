import { expect } from 'vitest';
import { addActivityCommand } from '../../../../src/cli/activity.ts';
import { addPoolerCommand } from '../../../../src/cli/pooler.ts';
import { connectSession } from '../../../../src/database/connect.ts';
import { measureConnection } from '../../../../src/database/measure-connection.ts';
import { endThrough } from '../../../../src/database/end-through.ts';
import { openServerWatch } from '../../../../src/sweep/watch/server-watch.ts';
import { lookOnce, watchActivity } from '../../../support/activity-watch.ts';
import { runCommand } from './run-command.ts';
import { accessTo } from '../../../support/access-to.ts';
import type { Job, Workplace } from './job.ts';

/** Looks three times, as sidebar, panel and the tools for language models do. */
async function watchThrice({ url }: Workplace): Promise<void> {
  let seen = 0;
  await using watching = watchActivity(url);
  const state = await watching.until(
    ({ kind }) => (kind === 'live' && ++seen === 3) || kind === 'lost',
  );
  expect(state.kind, JSON.stringify(state)).toBe('live');
}

async function activity(work: Workplace, ...flags: readonly string[]): Promise<void> {
  const { code, stdout } = await runCommand(addActivityCommand, ['activity', work.url, ...flags]);
  expect(code).toBe(0);
  expect(stdout).toContain('shop-holder');
}

async function pooler({ url }: Workplace): Promise<void> {
  const { code } = await runCommand(addPoolerCommand, ['pooler', url]);
  expect(code).toBe(0);
}

async function testConnection({ url }: Workplace): Promise<void> {
  const { target, secret } = accessTo(url);
  const answer = await connectSession(target, secret);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  const measured = await measureConnection(answer.session, () => performance.now());
  await answer.session.close();
  expect(measured.kind, JSON.stringify(measured)).toBe('facts');
}

/** The owner may not signal the sessions of others, and is told whose they are. */
async function endSessions({ url, place }: Workplace): Promise<void> {
  const report = await lookOnce(url);
  const session = report.sessions.find((each) => each.application === 'shop-runner');
  const expected =
    place.role === 'mallory' ? ['hidden', 'not-allowed'] : ['ended', 'runs-nothing', 'moved-on'];
  for (const action of ['cancel', 'terminate'] as const) {
    const open = accessTo(url);
    const request = {
      action,
      pid: session?.pid ?? 0,
      backendStart: session?.backendStart ?? '',
      seenAt: report.takenAt,
    };
    const outcome = await endThrough(undefined, open, request, new AbortController().signal);
    expect(expected, JSON.stringify(outcome)).toContain(outcome.kind);
  }
}

async function sweepReads({ url }: Workplace): Promise<void> {
  const { target, secret } = accessTo(url);
  const asked = {
    database: { target, secret, isAsked: true },
    databaseHint: null,
    allowProduction: true,
    workers: 1,
    instances: 1,
    deployOverlap: 0,
  };
  const watch = await openServerWatch(asked, {
    environment: {},
    signal: new AbortController().signal,
  });
  if (watch.kind === 'refused') throw new Error(watch.sentence);
  const since = await watch.now();
  expect(await watch.read(['shop-runner'], since ?? '')).not.toBeNull();
  await watch.close();
}

/** Everything that only looks, and what is done to a session. */
export const looks: readonly Job[] = [
  { name: 'activity', run: (work) => activity(work) },
  { name: 'activity --json', run: (work) => activity(work, '--json') },
  { name: 'sidebar, panel and tools', run: watchThrice },
  { name: 'pooler', paths: ['session', 'transaction', 'statement'], run: pooler },
  { name: 'test of a connection', run: testConnection },
  { name: 'cancel and terminate', run: endSessions },
  { name: 'sweep', run: sweepReads },
];
