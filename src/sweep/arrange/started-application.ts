import { type Application, startApplication } from '../app/application.ts';
import { awaitReady } from '../app/await-ready.ts';
import { quoteLines } from '../app/end-words.ts';
import type { MachineUse } from '../app/keeper-messages.ts';
import { isPortTaken, type LocalPort } from '../app/local-port.ts';
import type { SweepRequest, SweepEnvironment } from '../sweep-request.ts';
import type { ServerWatch } from '../watch/server-watch.ts';

export interface Arranged {
  readonly kind: 'arranged';
  readonly application: Application;
  /** What the machine did since it was arranged; grows. */
  readonly uses: MachineUse[];
  /** The server's time before the application was started; null where nobody looks at the server. */
  readonly since: string | null;
}

export type ArrangeAnswer =
  | Arranged
  | { readonly kind: 'problem'; readonly sentence: string }
  | { readonly kind: 'cancelled' };

/** A way to bring an application to a pool size. */
export interface Arrangement {
  /** The application is ready and its pool is of this size. */
  arrange(max: number, doing: (words: string) => void): Promise<ArrangeAnswer>;
  /** Whatever was started is gone. A sentence when it had to be forced; null else. Safe to call twice. */
  end(graceMs: number): Promise<string | null>;
}

export interface StartParts {
  readonly request: SweepRequest;
  readonly around: Pick<SweepEnvironment, 'keeperPath' | 'clock' | 'signal' | 'environment'>;
  /** What the listener wants in the environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly server: ServerWatch;
  readonly port: LocalPort;
}

/** For an application that is stopped because the user cancelled, or because it never got ready. */
export const shortGraceMs = 400;
const portMs = 5000;
const portLookMs = 50;

/** Starts the application and waits until it answers; stops it again when it does not. */
export async function startReady(
  { request, around, variables, server, port }: StartParts,
  own: Readonly<Record<string, string>>,
  doing: (words: string) => void,
): Promise<ArrangeAnswer> {
  const { clock, signal, environment, keeperPath } = around;
  const since = await server.now();
  const uses: MachineUse[] = [];
  if (!(await awaitFreePort(port, around)))
    return signal.aborted
      ? { kind: 'cancelled' }
      : {
          kind: 'problem',
          sentence: `Port ${port.port} is still in use, although the application has ended: one of its child processes has left its process group.`,
        };
  const application = startApplication({
    keeperPath,
    command: request.command,
    folder: request.folder,
    environment: { ...environment, ...variables, ...own },
    onUse: (use) => void uses.push(use),
  });
  const { http, readyUrl, readyTimeoutMs } = request;
  const readiness = await awaitReady({
    application,
    request: http,
    readyUrl,
    timeoutMs: readyTimeoutMs,
    clock,
    signal,
    onWait: (seconds) => doing(`waiting for ${readyUrl ?? http.url} (${seconds} s)`),
  });
  if (readiness.kind === 'ready') return { kind: 'arranged', application, uses, since };
  const end = await application.stop(shortGraceMs);
  if (readiness.kind === 'cancelled') return readiness;
  return {
    kind: 'problem',
    sentence: readiness.hasLines
      ? readiness.sentence
      : `${readiness.sentence}${quoteLines(end.lastLines)}`,
  };
}

/** The kernel may take a moment to let go of a port. */
async function awaitFreePort(
  port: LocalPort,
  { clock, signal }: StartParts['around'],
): Promise<boolean> {
  const untilMs = clock.now() + portMs;
  while (!signal.aborted) {
    if (!(await isPortTaken(port))) return true;
    if (clock.now() > untilMs) return false;
    await clock.wait(portLookMs, signal);
  }
  return false;
}

/** What to note when an application had to be forced; null when it ended by itself. */
export function describeForce(wasKilled: boolean, graceMs: number): string | null {
  return wasKilled
    ? `The application did not end within ${Math.round(graceMs / 100) / 10} s of SIGTERM, so it was killed. Deploys may be slow for the same reason.`
    : null;
}

/** Starts the application anew for each size, which it reads from a variable. */
export function arrangeByRestart(parts: StartParts, variable: string): Arrangement {
  let running: Application | null = null;
  const end = async (graceMs: number) => {
    const ending = running;
    running = null;
    return ending === null ? null : describeForce((await ending.stop(graceMs)).wasKilled, graceMs);
  };
  return {
    end,
    arrange: async (max, doing) => {
      await end(parts.request.stopTimeoutMs);
      doing(`starting with ${variable}=${max}`);
      const answer = await startReady(parts, { [variable]: String(max) }, doing);
      if (answer.kind === 'arranged') running = answer.application;
      return answer;
    },
  };
}
