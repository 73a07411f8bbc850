import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOfFile } from '../../src/lint/file-code.ts';
import { linkCode } from '../../src/linking/linked-code.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { inspected } from '../support/inspected.ts';
import { lookOnce } from '../support/activity-watch.ts';
import { runOn } from '../support/run-on.ts';

const folder = join(import.meta.dirname, 'linked');
const files = await Promise.all(
  (await readdir(folder)).map(async (path) => ({
    path,
    text: await readFile(join(folder, path), 'utf8'),
  })),
);

interface Opened {
  readonly end: () => PromiseLike<unknown>;
  readonly [call: string]: () => PromiseLike<unknown>;
}

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
  await runOn(
    database.url,
    'CREATE TABLE users (id integer, name text); CREATE TABLE orders (id integer, "user" integer); CREATE TABLE "Categories" (id integer, name text)',
  );
});

afterAll(() => database.drop());

/** What the comment at the end of a call's line says: how it is found, and which calls may have sent it where that is not only this one. */
function expectedIn(text: string) {
  const lines = text.split('\n');
  const lineOf = (name: string) => lines.findIndex((line) => line.startsWith(`    ${name}: `)) + 1;
  return lines.flatMap((line) => {
    const [, name, match, all] = /^ {4}(\w+): .*\/\/ (\w+)((?: \w+)*)$/u.exec(line) ?? [];
    if (name === undefined || all === undefined) return [];
    const names = all === '' ? [name] : all.trim().split(' ');
    return [{ name, match, lines: names.map(lineOf) }];
  });
}

function codeOf(path: string, text: string) {
  const place = { uri: `file:///${path}`, path, isAside: false };
  const { statements, queries } = codeOfFile(inspected(text, join(folder, path)), false);
  return linkCode({
    statements: statements.map((each) => ({ ...place, ...each })),
    queries: queries.map((each) => ({ ...place, ...each })),
    pools: [],
    isCut: false,
  });
}

describe.each(files)('$path', ({ path, text }) => {
  const code = codeOf(path, text);
  let app: Opened;

  beforeAll(async () => {
    const module = (await import(join(folder, path))) as {
      readonly open: (url: string) => Opened | Promise<Opened>;
    };
    app = await module.open(database.url);
  });

  afterAll(() => app.end());

  test.each(expectedIn(text))(
    '$name is linked to its line: $match',
    async ({ name, match, lines }) => {
      await app[name]?.();
      const latest = [...(await lookOnce(database.url)).sessions]
        .filter(({ isOwn, query }) => !isOwn && query !== '')
        .sort((a, b) => (a.queryAgeMs ?? 0) - (b.queryAgeMs ?? 0))[0];
      expect(code.placeOf(latest?.query ?? '')).toMatchObject({
        label: lines.map((line) => `${path}:${line}`).join(' or '),
        match,
      });
    },
  );
});
