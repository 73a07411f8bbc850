import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type ExampleName = 'leaky-api' | 'healthy-api';

export interface ExampleApp {
  readonly name: ExampleName;
  /** For example "http://127.0.0.1:41234". */
  readonly url: string;
  /** Asks the service to end by SIGTERM, as a process manager does, and gives its exit code. Safe to call twice. */
  stop(): Promise<number | null>;
}

export interface ExampleAppOptions {
  readonly databaseUrl: string;
  readonly poolMax: number;
  /** How long the stand-in for the payment provider and the carrier takes. */
  readonly standInDelayMs: number;
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Ends the service when the process that started it is gone, even by SIGKILL. */
const endWithOwner = `data:text/javascript,${encodeURIComponent("process.once('disconnect', () => process.exit(1)); process.channel.unref();")}`;

/** Starts `examples/<name>`, bundled by the build as `dist/examples/<name>.js`, on a free port. Throws with its last words when it ends before it listens. */
export async function startExample(
  name: ExampleName,
  { databaseUrl, poolMax, standInDelayMs, environment }: ExampleAppOptions,
): Promise<ExampleApp> {
  // The path holds from scripts/start/ and from dist/, where this code is bundled.
  const root = new URL(
    import.meta.url.includes('/scripts/start/') ? '../../' : '../',
    import.meta.url,
  );
  const child = fork(fileURLToPath(new URL(`dist/examples/${name}.js`, root)), {
    // A group of its own: Ctrl-C reaches the owner only, which then ends the service in its turn.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: ['--import', endWithOwner],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      POOL_MAX: String(poolMax),
      STAND_IN_DELAY_MS: String(standInDelayMs),
      ...environment,
    },
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([listeningUrl(child), ended.then(() => null)]);
  if (url === null)
    throw new Error(
      `examples/${name} ended before it listened. Run \`npm start\` in its folder to see why.`,
    );
  return {
    name,
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

/** The address that the service prints; both its streams are read to the end, so that it never blocks on a full pipe. */
function listeningUrl(child: ChildProcess): Promise<string> {
  child.stderr?.resume();
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /listens on (\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}
