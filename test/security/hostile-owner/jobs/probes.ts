import { randomInt } from 'node:crypto';
import { conductProbe } from '../../../../src/probe/conduct-probe.ts';
import { createRandom } from '../../../../src/probe/random.ts';
import {
  commonDefaults,
  type CommonRequest,
  type ProbeRequest,
  type WorkloadRequest,
} from '../../../../src/probe/request.ts';
import type { ProbeEvent } from '../../../../src/probe/result.ts';
import { evil } from '../traps/notes.ts';
import { accessTo } from '../../../support/access-to.ts';
import { createQuickTime } from '../../../support/quick-clock.ts';
import type { Job, Workplace } from './job.ts';

/** Runs one probe in this process, twelve times as fast; less so on a machine that is too busy for that. */
export async function probeQuickly(request: ProbeRequest): Promise<ProbeEvent> {
  const last = await probeAt(request, 12);
  const isTooSlow =
    last.kind === 'failed' && last.sentence.includes('too long to compare pool sizes');
  return isTooSlow ? probeAt(request, 2) : last;
}

function probeAt(request: ProbeRequest, factor: number): Promise<ProbeEvent> {
  return conductProbe(request, {
    emit: () => undefined,
    signal: new AbortController().signal,
    enough: new AbortController().signal,
    ...createQuickTime(factor),
    random: createRandom(1),
    environment: {},
    probeId: randomInt(36 ** 6)
      .toString(36)
      .padStart(6, '0'),
    startedAt: new Date().toISOString(),
    confirm: () => Promise.resolve(true),
  });
}

/** A type of the owner's that has the name of one of the server's is reason enough to refuse any statement: so all of it is allowed, and still nothing may be called. */
export const plantedFunctions: readonly string[] = [
  `${evil}.noted`,
  `${evil}.help_itself`,
  'public.mood_text',
];

/** Until PostgreSQL 15 everybody may make things in `public`, so all are asked for. */
export const trustedOwners: readonly string[] = [
  'mallory',
  'analyst',
  'app',
  'third',
  'server:far',
];

/**
 * What all these probes have in common. The owner's table says "production", and a probe of it is what is wanted here; and
 * the owners are trusted, for what holds even so.
 */
export function commonRequest(
  url: string,
  workload: WorkloadRequest = { kind: 'stand-in' },
): CommonRequest {
  return {
    ...commonDefaults,
    ...accessTo(url),
    workload,
    max: 2,
    seconds: 5,
    allowProduction: true,
    allowFunctions: plantedFunctions,
    trustOwners: trustedOwners,
  };
}

/** Names everything as a careful person would, so that nothing of the owner's is asked for. */
const named = {
  kind: 'statements',
  statements: [
    {
      text: 'SELECT o.city, o.total FROM public.orders AS o WHERE o.id OPERATOR(pg_catalog.=) $1::integer',
      weight: 1,
      parameters: ['1..500'],
    },
  ],
} as const satisfies WorkloadRequest;

const writing = {
  kind: 'statements',
  statements: [
    {
      text: `UPDATE public.orders SET city = 'Oslo' WHERE id OPERATOR(pg_catalog.=) $1::integer`,
      weight: 1,
      parameters: ['1..500'],
    },
  ],
} as const satisfies WorkloadRequest;

/** Has no constant, which the statistics would not keep. */
const busy = 'SELECT pg_catalog.count(*) FROM public.orders AS o';

/** The statistics hold what the suite itself did, which calls traps on purpose: so they begin anew. */
async function probeTop(work: Workplace): Promise<void> {
  const { server, place } = work;
  await server.admin.query('SELECT stats.pg_stat_statements_reset()');
  const application = await server.connect(place.role, 'shop-reader');
  await application.query(busy);
  await application.end();
  await probe(size, { kind: 'top', count: 1 })(work);
}

/** Keeps no core busy, for the probe that takes its whole time. */
export const sleepy = 'SELECT pg_catalog.pg_sleep(0.01)';

/** What is probed by name; whatever else the server sees of Poolguard is its own. */
export const namedStatements: readonly string[] = [
  busy,
  sleepy,
  ...[named, writing].flatMap(({ statements }) => statements.map(({ text }) => text)),
];

type Shape = (common: CommonRequest) => ProbeRequest;

const size: Shape = (common) => ({ ...common, experiment: 'size', validate: true });
const users: Shape = (common) => ({
  ...common,
  experiment: 'users',
  stages: [{ seconds: 1.5, users: 3 }],
  thinkMs: 20,
  sizes: [1, 2],
});
const ramp: Shape = (common) => ({
  ...common,
  experiment: 'ramp',
  rates: [20, 40],
  sizes: [2],
  waitLimitMs: 5000,
  seconds: 5,
});
const compare: Shape = (common) => ({
  ...common,
  experiment: 'compare',
  callers: [2],
  poolSize: 2,
  seconds: 5,
});
const connect: Shape = (common) => ({
  ...common,
  experiment: 'connect',
  pooler: null,
  times: 3,
  concurrent: 2,
});

/** As a superuser it is refused, and tried once more with that role allowed, which the owner's own code may prevent. */
function probe(
  shape: Shape,
  workload?: WorkloadRequest,
  change: Partial<CommonRequest> = {},
): Job['run'] {
  return async ({ url, place }: Workplace) => {
    const request = shape({ ...commonRequest(url, workload), ...change });
    const last = await probeQuickly(request);
    if (place.role === 'boss') {
      if (last.kind !== 'failed' || !last.sentence.includes('superuser'))
        throw new Error(JSON.stringify(last));
      await probeQuickly({ ...request, allowRole: place.role });
    } else if (last.kind !== 'result' && last.kind !== 'plan')
      throw new Error(JSON.stringify(last));
  };
}

/** Every experiment, with a stand-in and with a statement; and the ways to say what is run. */
export const probes: readonly Job[] = [
  { name: 'probe --dry-run', run: probe(size, named, { dryRun: true }) },
  { name: 'probe', run: probe(size) },
  { name: 'probe --sql', run: probe(size, named) },
  { name: 'probe --top', run: probeTop },
  {
    name: 'probe --allow-writes',
    paths: ['direct'],
    run: probe(size, writing, { allowWrites: true }),
  },
  { name: 'probe users', run: probe(users) },
  { name: 'probe users --sql', run: probe(users, named) },
  { name: 'probe ramp', run: probe(ramp) },
  { name: 'probe ramp --sql', run: probe(ramp, named) },
  { name: 'probe compare', run: probe(compare) },
  { name: 'probe compare --sql', run: probe(compare, named) },
  { name: 'probe connect', run: probe(connect) },
];
