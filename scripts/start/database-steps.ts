import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { createActivitySource } from '../../src/database/read-activity.ts';
import { parseTarget } from '../../src/database/target.ts';
import { sizeDefaults, workloadOf } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { runProbe } from '../../src/probe/run-probe.ts';
import type { EmbeddedServer } from '../embedded-server.ts';

/** Creates an empty database on the throw-away server, with an ordinary role of its own that owns it. Gives that role's connection string. */
export async function createDatabase(server: EmbeddedServer, name: string): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query(
      `CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(password)}`,
    );
    // So that a look at the server hides nothing.
    await client.query(`GRANT pg_monitor TO ${client.escapeIdentifier(name)}`);
    await client.query(
      `CREATE DATABASE ${client.escapeIdentifier(name)} OWNER ${client.escapeIdentifier(name)}`,
    );
  } finally {
    await client.end();
  }
  const url = new URL(server.url(name));
  return Object.assign(url, { username: name, password }).href;
}

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
  statement: string,
  doing: (text: string) => void,
  signal: AbortSignal,
): Promise<SizeResult> {
  const processPath = fileURLToPath(new URL('probe.cjs', import.meta.url));
  const onEvent = (event: ProbeEvent) => {
    if (event.kind === 'progress') doing(`${Math.round(event.fraction * 100)} % ${event.doing}`);
  };
  const last = await runProbe(
    { ...sizeDefaults, ...targetOf(databaseUrl), workload: workloadOf(statement) },
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
