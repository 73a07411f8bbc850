import { median } from 'simple-statistics';
import { connectSessions } from '../../../src/database/connect.ts';
import type { DatabaseSession } from '../../../src/database/session.ts';
import { parseTarget } from '../../../src/database/target.ts';
import { items, pointStatement } from './fixtures.ts';
import { runPgbench, writeScript } from './brute-force.ts';

/** The probe's generator beside pgbench with one thread, in turn. */
export interface GeneratorRatio {
  readonly title: string;
  readonly clients: number;
  readonly goal: number;
  /** Statements per second, medians. */
  readonly own: number;
  readonly pgbench: number;
  /** Median of the ratios of each round. */
  readonly ratio: number;
}

const cases = [
  { title: 'prepared point selects', sql: pointStatement, clients: 4, goal: 0.5 },
  { title: 'a statement of 3 ms', sql: 'SELECT pg_sleep(0.003)', clients: 8, goal: 0.9 },
];

export async function compareGenerators(
  url: string,
  {
    rounds,
    seconds,
    scratch,
    progress,
  }: { rounds: number; seconds: number; scratch: string; progress: (text: string) => void },
): Promise<readonly GeneratorRatio[]> {
  const ratios: GeneratorRatio[] = [];
  for (const { title, sql, clients, goal } of cases) {
    const script = await writeScript(sql, scratch);
    const pairs: { own: number; pgbench: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      progress(`generator: ${title}, round ${round + 1} of ${rounds}`);
      const own = await runOwn(url, sql, clients, seconds);
      pairs.push({ own, pgbench: await runPgbench({ url, script, size: clients, seconds }) });
    }
    const typical = (read: (pair: { own: number; pgbench: number }) => number) =>
      median(pairs.map(read));
    ratios.push({
      title,
      clients,
      goal,
      own: typical(({ own }) => own),
      pgbench: typical(({ pgbench }) => pgbench),
      ratio: typical(({ own, pgbench }) => own / pgbench),
    });
  }
  return ratios;
}

/** What a probe's connections run is undone: the cost of that is part of the ratio. */
async function runOwn(url: string, sql: string, size: number, seconds: number): Promise<number> {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const opened = await connectSessions(size, parsed.target, parsed.secret, { runs: 'workload' });
  if (opened.kind === 'failed') throw new Error(opened.failure.sentence);
  const { sessions } = opened;
  try {
    const next = () => ({
      name: 'bench',
      text: sql,
      ...(sql.includes('$1') && { values: [String(1 + Math.floor(Math.random() * items))] }),
    });
    await Promise.all(sessions.map((session) => session.run(next())));
    const started = performance.now();
    let completed = 0;
    const work = async (session: DatabaseSession) => {
      while (performance.now() - started < seconds * 1000) {
        const answer = await session.run(next());
        if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
        completed += 1;
      }
    };
    await Promise.all(sessions.map(work));
    return (completed / (performance.now() - started)) * 1000;
  } finally {
    await Promise.all(sessions.map((session) => session.settle().then(() => session.close())));
  }
}
