import type { EventLoopUtilization } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { cancelOwnStatements } from '../../../database/probe-server.ts';
import type { TransactionCounts } from '../../../database/transaction-tally.ts';
import type { ExperimentContext } from '../../experiment-context.ts';
import type { Course } from '../../guarded-run.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { SizeRequest } from '../../request.ts';
import { addTimes, type LaneCounts, type StatementTimes } from '../lanes.ts';
import { type LoadConnections, toLoadLimits } from '../load-connections.ts';
import {
  counterCount,
  counterPlaces,
  type ThreadAnswer,
  type ThreadCommand,
  type ThreadOrder,
} from './thread-messages.ts';

/** Drawn for each thread, which runs them in turn: enough that no cache holds them by their order. */
const drawnStatements = 5000;
/** A thread that does not close its sessions in this time is ended, and they with it. */
const closeWithinMs = 1500;

/** Opens all sessions, or none, in threads with an event loop each. Lane 0 is the first thread's, lane 1 the second's, and so on in turn. Rejects, as its lanes do, with what broke a thread. */
export async function openThreadedConnections(
  course: Course<SizeRequest>,
): Promise<LoadConnections | Refusal> {
  const { context, signal, onLost } = course;
  const { request, seen, asker, tally, environment } = context;
  const size = seen.cap.size;
  const count = Math.min(request.threads, size);
  const errors = new Map<string, number>();
  const threads: Thread[] = [];
  const close = async () => {
    await cancelOwnStatements(asker);
    await Promise.all(threads.map((thread) => thread.close()));
  };
  while (threads.length < count && !signal.aborted) {
    const thread = startThread(toOrder(context, share(size, threads.length, count)), {
      onError: (code) => errors.set(code, (errors.get(code) ?? 0) + 1),
      onLost,
      onBreach: (sentence) => environment.onBreach?.(sentence),
      onTransactions: (counts) => tally.add(counts),
    });
    threads.push(thread);
    let isReady = false;
    try {
      const answer = await thread.ready;
      isReady = answer.kind === 'ready';
      if (answer.kind === 'refused') return refuse(answer.sentence);
    } finally {
      if (!isReady) await close();
    }
  }
  const ready = await Promise.all(threads.map((thread) => thread.ready));
  const counters = threads.map((thread) => thread.counters);
  return {
    kind: 'connections',
    pids: ready.flatMap((answer) => (answer.kind === 'ready' ? answer.pids : [])),
    lanes: {
      setSize: async (wanted) =>
        void (await Promise.all(
          threads.map((thread, index) => thread.setSize(share(wanted, index, count), wanted)),
        )),
      read: () => addCounts(counters, errors),
      readTimes: () => addTimes(threads.flatMap((thread) => thread.readTimes())),
    },
    threads: {
      eventLoops: () => threads.map(({ eventLoop }) => eventLoop()),
      lagP99Ms: () => Math.max(...counters.map((each) => each[counterPlaces.lagP99Ms] ?? 0)),
    },
    session: null,
    close,
  };
}

/** How many of the first `size` lanes belong to this thread. */
function share(size: number, thread: number, threads: number): number {
  return Math.max(0, Math.ceil((size - thread) / threads));
}

function toOrder(context: ExperimentContext, size: number): ThreadOrder {
  const { request, observer, workload, environment } = context;
  const { onBreach: _, ...limits } = toLoadLimits(context);
  return {
    target: request.target,
    password: request.secret?.reveal() ?? null,
    size,
    limits,
    startup: observer.startup,
    statements: Array.from({ length: drawnStatements }, () => workload.next(environment.random)),
    counters: new SharedArrayBuffer(counterCount * Float64Array.BYTES_PER_ELEMENT),
  };
}

interface Thread {
  readonly ready: Promise<Extract<ThreadAnswer, { kind: 'ready' | 'refused' }>>;
  readonly counters: Float64Array;
  readonly eventLoop: () => EventLoopUtilization;
  setSize(size: number, of: number): Promise<void>;
  readTimes(): readonly StatementTimes[];
  close(): Promise<void>;
}

interface ThreadListeners {
  readonly onTransactions: (counts: TransactionCounts) => void;
  readonly onError: (code: string) => void;
  readonly onLost: (sentence: string) => void;
  readonly onBreach: (sentence: string) => void;
}

/** The thread runs this very bundle, which sees that it is one; see `process.ts`. */
function startThread(
  order: ThreadOrder,
  { onError, onLost, onBreach, onTransactions }: ThreadListeners,
): Thread {
  const worker = new Worker(__filename, { workerData: order, execArgv: [] });
  const say = (command: ThreadCommand) => worker.postMessage(command);
  const settled = new Map<number, () => void>();
  const ended = new Promise<void>((resolve, reject) =>
    worker.once('exit', () => resolve()).once('error', reject),
  );
  const gone = ended.catch(() => undefined);
  let turn = 0;
  let times: readonly StatementTimes[] = [];
  const answered = new Promise<Extract<ThreadAnswer, { kind: 'ready' | 'refused' }>>((resolve) => {
    worker.on('message', (answer: ThreadAnswer) => {
      if (answer.kind === 'ready' || answer.kind === 'refused') resolve(answer);
      else if (answer.kind === 'settled') {
        ({ times } = answer);
        settled.get(answer.turn)?.();
      } else if (answer.kind === 'error') onError(answer.code);
      else if (answer.kind === 'lost') onLost(answer.sentence);
      else if (answer.kind === 'breach') onBreach(answer.sentence);
      else if (answer.kind === 'closed') onTransactions(answer.transactions);
    });
  });
  return {
    ready: Promise.race([
      answered,
      ended.then(() => refuse('A thread of the probe ended before it was connected.')),
    ]),
    counters: new Float64Array(order.counters),
    eventLoop: () => worker.performance.eventLoopUtilization(),
    readTimes: () => times,
    setSize: (size, of) => {
      const own = (turn += 1);
      const done = new Promise<void>((resolve) => settled.set(own, resolve));
      say({ kind: 'size', size, of, turn: own });
      return Promise.race([done, ended]).finally(() => settled.delete(own));
    },
    close: async () => {
      say({ kind: 'close' });
      const late = setTimeout(() => void worker.terminate(), closeWithinMs);
      await gone;
      clearTimeout(late);
    },
  };
}

function addCounts(
  counters: readonly Float64Array[],
  errors: ReadonlyMap<string, number>,
): LaneCounts {
  const read = (place: number) => counters.map((each) => each[place] ?? 0);
  const lastAt = Math.max(...read(counterPlaces.lastAt));
  return {
    completed: read(counterPlaces.completed).reduce((total, each) => total + each, 0),
    // The clocks of threads begin at their own start; since 1970 they agree.
    lastAt: lastAt === 0 ? null : lastAt - performance.timeOrigin,
    errors: Object.fromEntries(errors),
  };
}
