import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../support/fresh-database.ts';
import { expectFigures } from '../../support/figures.ts';
import { hear } from '../../support/heard.ts';
import { runNodeWith } from '../../support/run-process.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import {
  monitorFigures,
  type MonitorWorld,
  type Place,
  type Reports,
  type Turn,
} from './monitor-figures.ts';

const root = join(import.meta.dirname, '../../..');
const register = pathToFileURL(join(root, 'monitor/dist/register.js')).href;
const application = join(root, 'test/fixtures/monitor-figures-app.mjs');
const lines = readFileSync(application, 'utf8').split('\n');
const settings = { heldMs: 300, alertWaiting: 4 };

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
});

afterAll(() => database.drop());

interface NotedTurn {
  readonly askedAt: number;
  readonly isOpening: boolean;
  readonly isServed: boolean;
  readonly from: string;
  readonly releasedFrom?: string;
  readonly outAt?: number;
  readonly gaveUpAt?: number;
  readonly backAt?: number;
  readonly pid?: number;
  readonly port?: number;
}

interface Notes {
  readonly pid: number;
  readonly ppid: number;
  readonly startedAt: number;
  readonly endAt: number;
  readonly madeAt: string;
  readonly turns: readonly NotedTurn[];
  readonly mistakes: readonly (NotedTurn & {
    readonly at: number;
    readonly releasedFrom: string;
    readonly misusedFrom: string;
  })[];
}

/** The places of a stack that was noted on the line before a call of one of these. */
function placesOf(stack: string, calls: readonly string[]): readonly Place[] {
  const [first, ...callers] = [...stack.matchAll(/monitor-figures-app\.mjs:(\d+):(\d+)/gu)].map(
    ([, line, column]) => ({ line: Number(line), column: Number(column) }),
  );
  if (first === undefined) return [];
  const text = lines[first.line] ?? '';
  const column = Math.max(...calls.map((call) => text.indexOf(call))) + 1;
  return [{ line: first.line + 1, column }, ...callers];
}

function worldOf(notes: Notes, looks: readonly number[]): MonitorWorld {
  const { pid, ppid, startedAt, endAt, madeAt } = notes;
  const [made = { line: 0, column: 0 }] = placesOf(madeAt, ['new pg.Pool']);
  const ofDay = (at: number) => startedAt + at;
  const order = notes.turns
    .flatMap(({ outAt }) => outAt ?? [])
    .toSorted((one, other) => one - other);
  const turns = notes.turns.map(({ askedAt, outAt, gaveUpAt, backAt, from, ...others }): Turn => ({
    ...others,
    askedAt: ofDay(askedAt),
    from: placesOf(from, ['connect()']),
    ...(outAt === undefined ? {} : { outAt: ofDay(outAt), checkout: order.indexOf(outAt) + 1 }),
    ...(gaveUpAt === undefined ? {} : { gaveUpAt: ofDay(gaveUpAt) }),
    ...(backAt === undefined ? {} : { backAt: ofDay(backAt) }),
  }));
  return {
    ...{ pid, ppid, startedAt, looks, turns, madeAt: made, endAt: ofDay(endAt), ...settings },
    ...{ port: Number(new URL(database.url).port), max: 2, timeoutMs: 400, cut: 1 },
    mistakes: notes.mistakes.map(({ at, from, releasedFrom, misusedFrom }) => ({
      at: ofDay(at),
      from: placesOf(from, ['connect()']),
      releasedFrom: placesOf(releasedFrom, ['release()']),
      misusedFrom: placesOf(misusedFrom, ['release()', 'query(']),
    })),
  };
}

test('every figure of a monitor is what the application notes down itself', async () => {
  await using heard = await hear();
  await using folder = await createTemporaryFolder();
  const file = join(folder.path, 'notes.json');
  const running = runNodeWith(['--import', register, application], root, {
    DATABASE_URL: database.url,
    FIGURES_FILE: file,
    POOLGUARD_SOCKET: heard.path,
    POOLGUARD_TOKEN: heard.token,
    POOLGUARD_HELD_MS: String(settings.heldMs),
    POOLGUARD_ALERT_WAITING: String(settings.alertWaiting),
  });
  await heard.until('ending');
  heard.listener.cut(1);
  await heard.until('cut');
  expect(await running).toEqual({ code: 0, stdout: '', stderr: '' });
  await heard.until('exit');
  const all = heard.reports.map(([, report]) => report);
  const reports: Reports = Object.fromEntries(
    all.map(({ kind }) => [kind, all.filter((report) => report.kind === kind)]),
  );
  const looks = reports.look?.map(({ look: { at } }) => at) ?? [];
  const notes = JSON.parse(readFileSync(file, 'utf8')) as Notes;
  expectFigures(reports, monitorFigures, worldOf(notes, looks));
});
