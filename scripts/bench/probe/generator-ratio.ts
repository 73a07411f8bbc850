import pg from 'pg';
import { median } from 'simple-statistics';
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
  { title: 'prepared point selects', sql: pointStatement, clients: 4, goal: 0.45 },
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

async function runOwn(url: string, sql: string, size: number, seconds: number): Promise<number> {
  const clients = Array.from({ length: size }, () => new pg.Client({ connectionString: url }));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const next = () => ({
      name: 'bench',
      text: sql,
      ...(sql.includes('$1') && { values: [1 + Math.floor(Math.random() * items)] }),
    });
    await Promise.all(clients.map((client) => client.query(next())));
    const started = performance.now();
    let completed = 0;
    const work = async (client: pg.Client) => {
      while (performance.now() - started < seconds * 1000) {
        await client.query(next());
        completed += 1;
      }
    };
    await Promise.all(clients.map(work));
    return (completed / (performance.now() - started)) * 1000;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
