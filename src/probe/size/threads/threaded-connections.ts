import type { EventLoopUtilization } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { cancelOwnStatements } from '../../../database/probe-server.ts';
import type { TransactionCounts } from '../../../database/transaction-tally.ts';
import type { RandomSource } from '../../random.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Workload } from '../../workload/workload.ts';
import type { ConnectionsOptions } from '../load-connections.ts';
import { addTimes, type LaneCounts, type Lanes, type StatementTimes } from '../lanes.ts';
import {
  counterCount,
  counterPlaces,
  type ThreadAnswer,
  type ThreadCommand,
  type ThreadOrder,
} from './thread-messages.ts';

/** The sessions of a probe spread over threads, each with an event loop of its own. */
export interface ThreadedConnections {
  readonly pids: readonly number[];
  readonly lanes: Lanes;
  readonly eventLoops: () => readonly EventLoopUtilization[];
  /** How late the latest of the event loops was, as a 99th percentile in milliseconds. */
  readonly lagP99Ms: () => number;
  /** Ends statements that still run, closes every session and ends the threads. Never rejects. */
  close(): Promise<void>;
}

export interface ThreadedOptions extends ConnectionsOptions {
  readonly threads: number;
  readonly workload: Workload;
  readonly random: RandomSource;
}

/** Drawn for each thread, which runs them in turn: enough that no cache holds them by their order. */
const drawnStatements = 5000;
/** A thread that does not close its sessions in this time is ended, and they with it. */
const closeWithinMs = 1500;

/** Opens all sessions, or none. Lane 0 is the first thread's, lane 1 the second's, and so on in turn. Rejects, as its lanes do, with what broke a thread. */
export async function openThreadedConnections(
  options: ThreadedOptions,
): Promise<Refusal | { readonly kind: 'connections'; readonly connections: ThreadedConnections }> {
  const { size, threads: wanted, signal, observer, tally, limits, onLost } = options;
  const count = Math.min(wanted, size);
  const errors = new Map<string, number>();
  const onError = (code: string) => errors.set(code, (errors.get(code) ?? 0) + 1);
  const threads: Thread[] = [];
  const close = async () => {
    await cancelOwnStatements(observer);
    await Promise.all(threads.map((thread) => thread.close()));
  };
  while (threads.length < count && !signal.aborted) {
    const thread = startThread(toOrder(options, share(size, threads.length, count)), {
      onError,
      onLost,
      onBreach: (sentence) => limits.onBreach?.(sentence),
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
  const pids = (await Promise.all(threads.map(({ ready }) => ready))).flatMap((answer) =>
    answer.kind === 'ready' ? answer.pids : [],
  );
  const lanes: Lanes = {
    setSize: async (wantedSize) =>
      void (await Promise.all(
        threads.map((thread, index) => thread.setSize(share(wantedSize, index, count), wantedSize)),
      )),
    read: () =>
      addCounts(
        threads.map(({ counters }) => counters),
        errors,
      ),
    readTimes: () => addTimes(threads.flatMap((thread) => thread.readTimes())),
  };
  const lagP99Ms = () =>
    Math.max(...threads.map(({ counters }) => counters[counterPlaces.lagP99Ms] ?? 0));
  return {
    kind: 'connections',
    connections: {
      pids,
      lanes,
      eventLoops: () => threads.map(({ eventLoop }) => eventLoop()),
      lagP99Ms,
      close,
    },
  };
}

/** How many of the first `size` lanes belong to this thread. */
function share(size: number, thread: number, threads: number): number {
  return Math.max(0, Math.ceil((size - thread) / threads));
}

function toOrder(
  { request, limits: { onBreach: _, ...limits }, startup, workload, random }: ThreadedOptions,
  size: number,
): ThreadOrder {
  return {
    target: request.target,
    password: request.secret?.reveal() ?? null,
    size,
    limits,
    startup,
    statements: Array.from({ length: drawnStatements }, () => workload.next(random)),
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
