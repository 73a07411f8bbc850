import { connect, type Socket } from 'node:net';
import { quietly } from '../quietly.ts';
import type { Command, Report } from '../report.ts';
import type { CreateReporter } from '../reporter.ts';
import { splitLines } from './lines.ts';
import { createOutbox } from './outbox.ts';

export interface SocketOptions {
  /** A Unix domain socket, or a named pipe of Windows. */
  readonly path: string;
  readonly token: string;
  /** Tells the person who looks at the application's terminal one sentence. */
  readonly say: (sentence: string) => void;
  /** Rests before each new attempt, in milliseconds; after the last one the reporter is silent. */
  readonly restsMs?: readonly number[];
  /** A listener that takes nothing for so long is given up, for what waits in the socket would keep the application from ending. */
  readonly stallMs?: number;
}

const socketTimes = {
  restsMs: [100, 250, 500, 1_000, 2_000, 4_000, 8_000],
  /** A connection that held so long makes the next attempts count from the first again. */
  soundMs: 10_000,
  stallMs: 5_000,
} as const;

const longestCommand = 4_096;
/** What never came back is told at the very end, when only what fits into the socket's own memory still leaves; what keeps a pool from its end is as much. */
const toldAtEnd = { checkouts: 100, places: 5 } as const;

/**
 * Reports as lines of JSON to a listener on this machine. Connects when there is something to tell beyond `hello`, so that a program that
 * merely starts the application is never heard of. Keeps no process alive and makes nobody wait: what cannot be sent is kept for a
 * while, looks for a shorter one.
 */
export function socketReporter({
  path,
  token,
  say,
  restsMs = socketTimes.restsMs,
  stallMs = socketTimes.stallMs,
}: SocketOptions): CreateReporter {
  return (onCommand) => {
    const outbox = createOutbox();
    let link: Link | null = null;
    let rest: NodeJS.Timeout | null = null;
    let isOver = false;
    const nextRest = createRests(restsMs);
    const lost = (undelivered: readonly Report[], heldMs: number): void => {
      link = null;
      if (isOver) return;
      outbox.giveBack(undelivered);
      const restMs = nextRest(heldMs);
      if (restMs !== undefined) rest = setTimeout(open, restMs).unref();
      else {
        isOver = true;
        quietly(say)(listenerIsGone(path));
      }
    };
    const open = quietly(() => {
      rest = null;
      link = openLink({
        path,
        stallMs,
        onCommand: quietly(onCommand),
        onReady: () => link?.send(outbox.take()),
        onLost: lost,
      });
      link.send(outbox.introduce().map((report) => withToken(report, token)));
    });
    return {
      tell: quietly((report: Report) => {
        if (isOver) return;
        outbox.add(report.kind === 'exit' || report.kind === 'ending' ? briefly(report) : report);
        if (link !== null) link.sendWhenReady(() => outbox.take());
        else if (rest === null && report.kind !== 'hello' && report.kind !== 'exit') open();
      }),
      stop: quietly(() => {
        isOver = true;
        clearTimeout(rest ?? undefined);
        if (link !== null) sendAll(link, () => outbox.take());
        link?.close();
      }),
    };
  };
}

/** How long to rest after a connection that held so long; undefined after the last attempt. */
function createRests(restsMs: readonly number[]): (heldMs: number) => number | undefined {
  let attempts = 0;
  return (heldMs) => {
    if (heldMs > socketTimes.soundMs) attempts = 0;
    return restsMs[attempts++];
  };
}

function listenerIsGone(path: string): string {
  return `The listener at ${path} is gone, so this application's pools are no longer reported. Restart the application from a terminal of the editor, or without POOLGUARD_SOCKET.`;
}

function withToken(report: Report, token: string): Report {
  return report.kind === 'hello' ? { ...report, token } : report;
}

function sendAll(link: Link, take: () => readonly Report[]): void {
  for (let reports = take(); reports.length > 0; reports = take()) link.send(reports);
}

function briefly(report: Extract<Report, { readonly kind: 'exit' | 'ending' }>): Report {
  return {
    ...report,
    out: report.out
      .slice(0, toldAtEnd.checkouts)
      .map((held) => ({ ...held, acquiredAt: held.acquiredAt.slice(0, toldAtEnd.places) })),
  };
}

interface LinkOptions {
  readonly path: string;
  readonly stallMs: number;
  readonly onCommand: (command: Command) => void;
  /** What was sent has left this process. */
  readonly onReady: () => void;
  readonly onLost: (undelivered: readonly Report[], heldMs: number) => void;
}

/** One connection, with at most one message on its way. */
interface Link {
  send(reports: readonly Report[]): void;
  sendWhenReady(take: () => readonly Report[]): void;
  close(): void;
}

function openLink({ path, stallMs, onCommand, onReady, onLost }: LinkOptions): Link {
  const socket: Socket = connect(path).unref().setEncoding('utf8');
  const since = performance.now();
  let underWay: readonly Report[] = [];
  let stall: NodeJS.Timeout | null = null;
  const sent = quietly((error?: Error | null) => {
    if (error) return;
    clearTimeout(stall ?? undefined);
    underWay = [];
    onReady();
  });
  const send = (reports: readonly Report[]): void => {
    if (reports.length === 0) return;
    const lines = reports.map((report) => `${JSON.stringify(report)}\n`).join('');
    clearTimeout(stall ?? undefined);
    underWay = [...underWay, ...reports];
    stall = setTimeout(() => socket.destroy(), stallMs).unref();
    socket.write(lines, sent);
  };
  const takeText = splitLines(
    longestCommand,
    (line) => {
      const command = readCommand(line);
      if (command !== null) onCommand(command);
    },
    () => undefined,
  );
  socket.on('data', (chunk) => takeText(String(chunk)));
  // Why it failed does not matter: `close` follows.
  socket
    .on('error', () => undefined)
    .once('close', () => {
      clearTimeout(stall ?? undefined);
      onLost(underWay, performance.now() - since);
    });
  return {
    send,
    sendWhenReady: (take) => {
      if (underWay.length === 0) send(take());
    },
    close: () => socket.end(),
  };
}

/** A command out of a line of a listener; null for anything else. */
export function readCommand(line: string): Command | null {
  const value = parse(line);
  if (typeof value !== 'object' || value === null) return null;
  const { kind, pool, max, cut } = value as Readonly<Record<string, unknown>>;
  switch (kind) {
    case 'welcome':
      return { kind };
    case 'cut':
      return isWhole(cut, 0) ? { kind, cut } : null;
    case 'set-max':
      return isWhole(pool, 0) && isWhole(max, 1) && max <= largestMax ? { kind, pool, max } : null;
    default:
      return null;
  }
}

/** More than any server accepts (`max_connections` ends at 262143). */
const largestMax = 262_143;

function isWhole(value: unknown, lowest: number): value is number {
  return Number.isSafeInteger(value) && typeof value === 'number' && value >= lowest;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
