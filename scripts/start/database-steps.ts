import { fileURLToPath } from 'node:url';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { createActivitySource } from '../../src/database/read-activity.ts';
import { parseTarget } from '../../src/database/target.ts';
import { sizeDefaults, workloadOf } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { runProbe } from '../../src/probe/run-probe.ts';

/** One look at the server's sessions, over a connection that is closed again. */
export async function lookAtSessions(
  databaseUrl: string,
  signal: AbortSignal,
): Promise<ActivityReport> {
  const { target, secret } = targetOf(databaseUrl);
  const opened = await createActivitySource(target, secret).open(signal);
  if (opened.kind !== 'opened')
    throw new Error(`The server's sessions cannot be read. ${opened.failure.sentence}`);
  try {
    const answer = await opened.reader.read();
    if (answer.kind !== 'report')
      throw new Error(`The server's sessions cannot be read. ${answer.failure.sentence}`);
    return answer.report;
  } finally {
    await opened.reader.close();
  }
}

/** Probes pool sizes for one statement; `doing` hears what the probe is at. */
export async function probePoolSizes(
  databaseUrl: string,
  { statement, seconds }: { readonly statement: string; readonly seconds: number },
  doing: (text: string) => void,
  signal: AbortSignal,
): Promise<SizeResult> {
  const processPath = fileURLToPath(new URL('probe.cjs', import.meta.url));
  const onEvent = (event: ProbeEvent) => {
    if (event.kind === 'progress') doing(`${Math.round(event.fraction * 100)} % ${event.doing}`);
  };
  const last = await runProbe(
    { ...sizeDefaults, ...targetOf(databaseUrl), seconds, workload: workloadOf(statement) },
    { signal, onEvent, processPath },
  );
  signal.throwIfAborted();
  if (last.kind !== 'result')
    throw new Error(
      last.kind === 'failed'
        ? `The probe could not run. ${last.sentence}`
        : 'The probe ended without a result.',
    );
  return last.result;
}

function targetOf(databaseUrl: string) {
  const parsed = parseTarget(databaseUrl);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return { target: parsed.target, secret: parsed.secret };
}
