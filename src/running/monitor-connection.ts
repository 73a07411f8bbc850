import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Command, Report } from '../../monitor/report.ts';
import { splitLines } from '../../monitor/reporters/lines.ts';
import { readReport } from './read-report.ts';

/** What one connection may ask of us. An `exit` with many checkouts is the longest line that a monitor writes. */
export const bounds = {
  introduceMs: 2_000,
  lineLength: 512 * 1024,
  linesPerSecond: 5_000,
  connections: 256,
} as const;

export interface ConnectionEvents {
  /** The monitor has shown the token; its `hello` comes as its first report. */
  readonly onWelcome: () => void;
  readonly onReport: (report: Report) => void;
  /** It was no monitor of ours, and has been disconnected. */
  readonly onStranger: () => void;
}

/**
 * Hears one connection. Whoever does not begin with a `hello` that knows the token, within two seconds, is disconnected without an
 * answer; so is who sends a line without end. Lines that are no reports are passed over. Who talks too fast is heard with rests.
 */
export function hearMonitor(socket: Socket, token: string, events: ConnectionEvents): void {
  let isWelcome = false;
  const refuse = (): void => {
    if (!isWelcome && !socket.destroyed) events.onStranger();
    socket.destroy();
  };
  const introduction = setTimeout(refuse, bounds.introduceMs);
  const hear = (line: string): void => {
    if (socket.destroyed) return;
    const report = readReport(line);
    if (isWelcome) {
      if (report !== null && report.kind !== 'hello') events.onReport(report);
      return;
    }
    if (report?.kind !== 'hello' || !isSame(report.token, token)) return refuse();
    clearTimeout(introduction);
    isWelcome = true;
    events.onWelcome();
    command(socket, { kind: 'welcome' });
    // Nobody behind the listener has a use for the token.
    events.onReport({ ...report, token: '' });
  };
  const keepPace = pace(socket);
  const takeText = splitLines(bounds.lineLength, (line) => (keepPace(), hear(line)), refuse);
  socket.setEncoding('utf8').on('data', (chunk) => takeText(String(chunk)));
  // A connection that breaks is over; `close` follows and tells.
  socket.on('error', () => undefined).once('close', () => clearTimeout(introduction));
}

/** False when the monitor can no longer be told. */
export function command(socket: Socket, what: Command): boolean {
  if (!socket.writable) return false;
  socket.write(`${JSON.stringify(what)}\n`);
  return true;
}

/** Takes as long for every wrong token. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** To be called for each line: reads no more for the rest of a second in which too many came. */
function pace(socket: Socket): () => void {
  let lines = 0;
  let timer: NodeJS.Timeout | null = null;
  const nextSecond = (): void => {
    timer = null;
    lines = 0;
    socket.resume();
  };
  socket.once('close', () => clearTimeout(timer ?? undefined));
  return () => {
    lines += 1;
    timer ??= setTimeout(nextSecond, 1_000);
    if (lines === bounds.linesPerSecond) socket.pause();
  };
}
