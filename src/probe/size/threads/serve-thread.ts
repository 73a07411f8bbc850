import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MessagePort } from 'node:worker_threads';
import { connectSessions } from '../../../database/connect.ts';
import { Secret } from '../../../database/secret.ts';
import { nothingSql } from '../../../database/sql/server.sql.ts';
import { createTally } from '../../../database/transaction-tally.ts';
import type { Workload } from '../../workload/workload.ts';
import { createLanes } from '../lanes.ts';
import {
  counterPlaces,
  type ThreadAnswer,
  type ThreadCommand,
  type ThreadOrder,
} from './thread-messages.ts';

/** The generator's side of a thread: connects, and lets as many connections work as it is told. */
export async function serveThread(port: MessagePort, order: ThreadOrder): Promise<void> {
  const say = (answer: ThreadAnswer) => port.postMessage(answer);
  const { target, password, size, limits, startup } = order;
  const tally = createTally();
  const ending = new AbortController();
  port.on('message', ({ kind }: ThreadCommand) => kind === 'close' && ending.abort());
  const answer = await connectSessions(
    size,
    target,
    password === null ? null : new Secret(password),
    {
      ...limits,
      onBreach: (sentence) => say({ kind: 'breach', sentence }),
      startup,
      tally,
      signal: ending.signal,
    },
  );
  if (answer.kind === 'failed') {
    say({ kind: 'refused', sentence: answer.failure.sentence });
    return port.close();
  }
  const { sessions } = answer;
  for (const session of sessions) session.onLost(({ sentence }) => say({ kind: 'lost', sentence }));

  const counters = new Float64Array(order.counters);
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const now = () => performance.timeOrigin + performance.now();
  const onDone = (code: string | null) => {
    if (code !== null) return say({ kind: 'error', code });
    counters[counterPlaces.completed] = (counters[counterPlaces.completed] ?? 0) + 1;
    counters[counterPlaces.lastAt] = now();
  };
  const lanes = createLanes({
    sessions,
    workload: inTurnOf(order),
    random: () => 0,
    clock: { now },
    onDone,
  });
  const close = async () => {
    await Promise.all(sessions.map((session) => session.settle().then(() => session.close())));
    lag.disable();
    say({ kind: 'closed', transactions: tally.read() });
    port.close();
  };
  port.on('message', (command: ThreadCommand) => {
    if (command.kind === 'close') return void close();
    counters[counterPlaces.lagP99Ms] = lag.percentile(99) / 1e6;
    void lanes
      .setSize(command.size, command.of)
      .then(() => say({ kind: 'settled', turn: command.turn, times: lanes.readTimes() }));
  });
  if (ending.signal.aborted) return close();
  say({ kind: 'ready', pids: sessions.flatMap(({ pid }) => (pid === null ? [] : [pid])) });
}

/** Each statement in turn, and from the first again. */
function inTurnOf({ statements }: ThreadOrder): Pick<Workload, 'next'> {
  let at = 0;
  return { next: () => statements[at++ % statements.length] ?? { text: nothingSql } };
}
