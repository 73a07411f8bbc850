import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pc from 'picocolors';
import { emptyActivity, nextActivity } from '../../src/activity/activity-model.ts';
import { defaultThresholds } from '../../src/activity/thresholds.ts';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { describeActivity } from '../../src/cli/activity-text.ts';
import { formats } from '../../src/report/formats.ts';
import type { LoadFigures, ReportInput } from '../../src/report/report-input.ts';
import { startEmbeddedServer, type EmbeddedServer } from '../embedded-server.ts';
import { createOrdinaryDatabase } from '../ordinary-database.ts';
import { lookAtSessions, probePoolSizes } from './database-steps.ts';
import { startExample, type ExampleName } from './example-app.ts';
import { heldTable } from './held-table.ts';
import { lintExample } from './lint-example.ts';
import { loadTable } from './load-table.ts';
import { runLoad, type LoadPlan } from './load.ts';
import { watchPools } from './pool-watch.ts';
import type { Steps } from '../steps.mjs';

export interface TourOptions {
  readonly root: string;
  readonly load: LoadPlan;
  readonly version: string;
  readonly signal: AbortSignal;
}

/** The statement whose pool is sized: what the services' busiest route asks. */
const listUsers = 'SELECT id, email, name FROM users ORDER BY created_at DESC, id LIMIT 100';
const standInDelayMs = 150;
/** Half of what the stand-in takes: whoever waits for it with a client is reported. */
const outForLongMs = 75;
/** A load of seconds calls for less patience than a day's work. */
const thresholds = { ...defaultThresholds, idleInTransactionMs: 1_000 };

/** Shows what Poolguard does on two real services and a real PostgreSQL, and leaves nothing of it running. */
export async function takeTour(steps: Steps, options: TourOptions): Promise<ReportInput> {
  const { root, version, signal } = options;
  const lint = (name: ExampleName) =>
    steps.run(`Lint examples/${name}`, (doing) =>
      lintExample(join(root, 'examples', name), root, doing, signal),
    );
  const leakyLint = await lint('leaky-api');
  steps.say(leakyLint.printed);
  steps.say((await lint('healthy-api')).printed);
  signal.throwIfAborted();
  const server = await steps.run('Start PostgreSQL 18 in a temporary folder', () =>
    startEmbeddedServer(),
  );
  try {
    await using watch = await watchPools({
      registerPath: join(root, 'dist/pool-watch.cjs'),
      folder: server.directory,
      heldMs: outForLongMs,
    });
    const leaky = await runService('leaky-api', server, steps, options, watch.variables);
    steps.say(
      `What its own pool said, with \`poolguard-monitor\` inside: clients that were out for more than ${outForLongMs} ms.\n${heldTable(watch.lines(), leakyLint.files, root)}`,
    );
    steps.say(
      describeActivity(nextActivity(emptyActivity, leaky.activity, { thresholds }), {
        isColored: pc.isColorSupported,
        columns: 120,
        listsAll: false,
      }),
    );
    const healthy = await runService('healthy-api', server, steps, options);
    steps.say(loadTable([leaky.figures, healthy.figures]));
    const probe = await steps.run('Measure which pool size the database rewards', (doing) =>
      probePoolSizes(
        healthy.databaseUrl,
        { statement: listUsers, seconds: Math.min(15, Math.max(5, 2 * options.load.seconds)) },
        doing,
        signal,
      ),
    );
    steps.say(formats.terminal.write(probe, { isColored: pc.isColorSupported, columns: 120 }));
    return {
      title: 'Poolguard on two order services',
      madeAt: new Date().toISOString(),
      madeBy: `poolguard ${version}`,
      files: leakyLint.files,
      activity: leaky.activity,
      application: 'leaky-api',
      loads: [leaky.figures, healthy.figures],
      probe,
    };
  } finally {
    await server.stop();
  }
}

interface ServiceRun {
  readonly databaseUrl: string;
  readonly figures: LoadFigures;
  readonly activity: ActivityReport;
}

async function runService(
  name: ExampleName,
  server: EmbeddedServer,
  steps: Steps,
  { load, signal }: TourOptions,
  environment?: Readonly<Record<string, string>>,
): Promise<ServiceRun> {
  signal.throwIfAborted();
  const databaseUrl = await createOrdinaryDatabase(server.url(), name);
  const app = await steps.run(`Start examples/${name} with a pool of ${load.poolMax}`, () =>
    startExample(name, {
      databaseUrl,
      poolMax: load.poolMax,
      standInDelayMs,
      ...(environment && { environment }),
    }),
  );
  try {
    return await steps.run(
      `Send it the requests of ${load.callers} callers for ${load.seconds} s`,
      async () => {
        const [figures, activity] = await Promise.all([
          runLoad(app, load, signal),
          lookLate(databaseUrl, load, signal),
        ]);
        return { databaseUrl, figures, activity };
      },
    );
  } finally {
    await app.stop();
  }
}

/** Half-way through the load, the unhappy paths have had their time. */
async function lookLate(
  databaseUrl: string,
  { seconds }: LoadPlan,
  signal: AbortSignal,
): Promise<ActivityReport> {
  await sleep(seconds * 850, undefined, { signal });
  return lookAtSessions(databaseUrl, signal);
}
