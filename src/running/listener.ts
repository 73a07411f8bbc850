import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Report } from '../../monitor/report.ts';
import { bounds, command, hearMonitor } from './monitor-connection.ts';
import { closeToOthers, createSocketPlace, type SocketPlace } from './socket-place.ts';
import { watchedEnvironment } from './watched-environment.ts';

/** What the monitors that connect to a listener say. */
export interface ListenerEvents {
  /** Reports of one connected thread, its `hello` first (without its token). They are well formed; what they claim may still be anything. */
  readonly onReport: (key: string, report: Report) => void;
  /** The thread's connection is gone, with or without an `exit` before. */
  readonly onGone: (key: string) => void;
}

/** A place on this machine where monitors report: a socket that only this user may open. */
export interface Listener extends AsyncDisposable {
  /** What an application needs in its environment to be watched and to report here. `NODE_OPTIONS` is added to what `environment` has. */
  variables(
    environment: Readonly<Record<string, string | undefined>>,
  ): Readonly<Record<string, string>>;
  /** Asks a pool of a connected thread for another `max`. False when the thread is gone. */
  setMax(key: string, pool: number, max: number): boolean;
  /** Asks every connected thread for what happened up to now; answers which were asked. */
  cut(cut: number): readonly string[];
  /** How many connections were refused: without the token, of another version, or one too many. */
  strangers(): number;
}

export interface ListenOptions extends ListenerEvents {
  /** The bundle of `monitor/register.ts`, which the application loads first. */
  readonly registerPath: string;
  /** Where the socket's folder is made, best first; without it, where the system keeps temporary things. */
  readonly folders?: readonly string[];
}

/**
 * Opens a socket for monitors. Nothing of it is left behind: not at its disposal, not at the end of this process, not on Linux when that is
 * killed; elsewhere the next listener removes what a killed one left.
 * @throws A sentence when no socket can be made.
 */
export async function listen({
  registerPath,
  folders,
  ...events
}: ListenOptions): Promise<Listener> {
  const token = randomBytes(24).toString('hex');
  const welcomed = new Map<string, Socket>();
  const sockets = new Set<Socket>();
  let strangers = 0;
  let nextKey = 1;
  const server = createServer((socket) => {
    const key = `app-${nextKey++}`;
    sockets.add(socket);
    hearMonitor(socket, token, {
      onWelcome: () => welcomed.set(key, socket),
      onReport: (report) => events.onReport(key, report),
      onStranger: () => (strangers += 1),
    });
    socket.once('close', () => {
      sockets.delete(socket);
      if (welcomed.delete(key)) events.onGone(key);
    });
  });
  server.maxConnections = bounds.connections;
  server.on('drop', () => (strangers += 1));
  const place = await open(server, await createSocketPlace(folders));
  return {
    variables: (environment) =>
      watchedEnvironment({ registerPath, socketPath: place.path, token }, environment),
    setMax: (key, pool, max) => {
      const socket = welcomed.get(key);
      return socket !== undefined && command(socket, { kind: 'set-max', pool, max });
    },
    cut: (cut) =>
      [...welcomed].flatMap(([key, socket]) =>
        command(socket, { kind: 'cut', cut }) ? [key] : [],
      ),
    strangers: () => strangers,
    [Symbol.asyncDispose]: async () => {
      await close(server, sockets);
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Where it listens then. */
async function open(server: Server, place: SocketPlace): Promise<SocketPlace> {
  try {
    server.listen(place.path);
    await once(server, 'listening');
    return await closeToOthers(place);
  } catch (error) {
    await place[Symbol.asyncDispose]();
    throw error;
  }
}

/** Also waits for each connection's own end, so that everybody has been reported by then. */
async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = [server, ...sockets].map((each) => once(each, 'close'));
  server.close();
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
}
