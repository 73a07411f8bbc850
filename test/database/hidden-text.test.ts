import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addProbeCommand } from '../../src/cli/probe/probe.ts';
import { addReportCommand } from '../../src/cli/report.ts';
import { exportSessions, type ExportFormat } from '../../src/activity/export-sessions.ts';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { renderReport } from '../../src/report/html.ts';
import { runInProcess } from '../support/cli-run.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { rawHidden } from '../support/hostile-text.ts';
import { buildProbe } from '../support/probe-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** C1, a mark that reorders, no width at all, a tag. The server keeps them in names and statements; of an application_name it keeps ASCII only. */
const marks = '\u009B31m\u202E\u200B\u{E0041}';
const shownMarks = '\\u009b31m\\u202e\\u200b\\u{e0041}';
const query = `SELECT 'hidden ${marks}' AS "a${marks}"`;

let database: FreshDatabase;
let roles: readonly string[];
let clients: readonly pg.Client[];

beforeAll(async () => {
  database = await createFreshDatabase();
  const name = `r_${database.name.slice(-6)}`;
  roles = [name, `${name}\u200B`, `${name}${marks}`];
  for (const role of roles) await asSuperuser(`CREATE ROLE "${role}" LOGIN PASSWORD 'p'`);
  clients = await Promise.all(
    roles.map(async (role) => {
      const client = new pg.Client({ connectionString: as(role), application_name: `app${marks}` });
      await client.connect();
      await client.query('BEGIN');
      await client.query(query);
      return client;
    }),
  );
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
  for (const role of roles) await asSuperuser(`DROP ROLE "${role}"`);
});

function as(role: string): string {
  const url = new URL(database.url);
  url.username = encodeURIComponent(role);
  url.password = 'p';
  return url.href;
}

/** What one look prints, or as many as are asked for. */
function activity(...args: readonly string[]) {
  const stop = new AbortController();
  const onOutput = (text: string) => {
    if (text.includes('\n')) stop.abort();
  };
  return runInProcess(['activity', ...args], {
    env: { DATABASE_URL: database.url },
    ...(args.includes('--watch') && { signal: stop.signal, onOutput }),
  });
}

function ours({ sessions }: ActivityReport) {
  return sessions.filter(({ user }) => roles.includes(user ?? ''));
}

test.each([[['--json']], [['--watch', '0.5', '--json']]])(
  'activity %j hides nothing, and is read back as the server has it',
  async (args) => {
    const { stdout } = await activity(...args);
    expect(stdout).not.toMatch(rawHidden);
    const report = JSON.parse(stdout.split(/\n(?=\{)/)[0] ?? '') as ActivityReport;
    expect(
      ours(report)
        .map(({ user }) => user)
        .sort(),
    ).toEqual([...roles].sort());
    expect(new Set(ours(report).map((session) => session.query))).toEqual(new Set([query]));
  },
);

test('the table shows each of them, so that roles that look alike do not', async () => {
  const { stdout } = await activity();
  expect(stdout).not.toMatch(rawHidden);
  const [plain = '', zeroWidth = ''] = roles;
  for (const name of [plain, `${plain}\\u200b`])
    expect(stdout).toMatch(new RegExp(`idle in transaction .* ${name.replace('\\', '\\\\')} `));
  expect(stdout).not.toContain(zeroWidth);
  expect(stdout).toContain(`SELECT 'hidden ${shownMarks}'`);
});

test('exports show them as escapes', async () => {
  const report = JSON.parse((await activity('--json')).stdout) as ActivityReport;
  for (const format of ['csv', 'markdown'] satisfies ExportFormat[]) {
    const text = exportSessions(report, ours(report), { format, statements: 'whole' });
    expect(text).not.toMatch(rawHidden);
    expect(text).toContain(`hidden ${shownMarks}`);
  }
  expect(
    JSON.parse(exportSessions(report, ours(report), { format: 'json', statements: 'whole' })),
  ).toMatchObject({ sessions: ours(report) });
  const page = renderReport({
    title: 'x',
    madeAt: report.takenAt,
    madeBy: 'poolguard',
    files: [],
    activity: report,
    application: null,
    loads: [],
    probe: null,
  });
  expect(page).not.toMatch(rawHidden);
  expect(page).not.toMatch(/&#(?:x(?:9b|202e|200b|e0041)|155|8238|8203|917569);/iu);
  expect(page).toContain(`hidden ${shownMarks}`);
});

test('plan and result of a probe name its statement and its role in the same way, in every format, and a saved result is read back', async () => {
  const role = roles.at(-1) ?? '';
  await using folder = await createTemporaryFolder();
  const file = join(folder.path, 'result.json');
  const built = await buildProbe();
  const poolguard = (...args: readonly string[]) =>
    runInProcess(args, {
      cwd: folder.path,
      env: { DATABASE_URL: as(role) },
      commands: [(program, io) => addProbeCommand(program, io, built.quickPath), addReportCommand],
    });
  const probe = ['probe', '--sql', query, '--max', '2', '--trust-owner', database.name];
  const plan = await poolguard(...probe, '--dry-run', '--format', 'json');
  expect(JSON.parse(plan.stdout)).toMatchObject({ place: { user: role }, statements: [query] });
  const texts = [plan.stdout, (await poolguard(...probe, '--dry-run')).stdout];
  const measured = await poolguard(...probe, '--yes', '--seconds', '5', '--output', file);
  // 1 says that the machine was too busy to tell.
  expect([0, 1]).toContain(measured.code);
  const saved = await readFile(file, 'utf8');
  expect(JSON.parse(saved)).toMatchObject({ workload: { statements: [{ text: query }] } });
  for (const format of ['terminal', 'markdown', 'html', 'json'] as const)
    texts.push((await poolguard('report', file, '--format', format)).stdout);
  expect(texts.filter((text) => !text.includes('\\u009b31m\\u202e\\u200b'))).toEqual([]);
  expect(
    [...texts, saved, measured.stdout, measured.stderr].filter((text) => rawHidden.test(text)),
  ).toEqual([]);
  await built.remove();
});
