import { symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import type { Evidence } from '../../../../src/running/evidence.ts';
import {
  shippedServer,
  startTestClient,
  type TestClient,
} from '../../../support/language-client.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

const leaky = `import { pool } from './db.js';

export async function leak(id) {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT $1', [id]);
  client.release();
  return rows;
}

export async function keep() {
  const client = await pool.connect();
  try {
    return await client.query('SELECT 2');
  } finally {
    client.release();
  }
}

export async function listen() {
  const client = await pool.connect();
  try {
    await client.query('LISTEN news');
    await new Promise(() => {});
  } finally {
    client.release();
  }
}

export async function meant() {
  const client = await pool.connect(); // eslint-disable-line poolguard/no-unreleased-client -- held for as long as the program runs, which is meant
  await client.query('SELECT 3');
}
`;
const db =
  "import pg from 'pg';\nexport const pool = new pg.Pool();\npool.on('error', console.error);\nexport function lend() {\n  return pool.connect();\n}\n";
const [leakLine, keepLine, listenLine, meantLine] = [4, 11, 20, 30];
const files = {
  'package.json': '{ "type": "module", "dependencies": { "pg": "^8" } }',
  'users.js': leaky,
  'db.js': db,
  'out/built.js': leaky,
};
const startedAt = Date.now() + 60_000;
const hour = 3_600_000;

let folder: TemporaryFolder;
let elsewhere: TemporaryFolder;
let client: TestClient;
let pushed: Map<string, Diagnostic[]>;
beforeAll(async () => {
  folder = await createTemporaryFolder(files);
  elsewhere = await createTemporaryFolder({ 'users.js': leaky });
  await symlink(folder.path, join(elsewhere.path, 'linked'));
  client = await start(folder.path);
  pushed = hearPushed(client);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});
beforeEach(async () => {
  client.settings = {};
  await tell([]);
  await client.open(uriOf('users.js'), leaky, 'javascript');
});

describe('a client that is out', () => {
  it('is the last sentence of the finding of its line, with the way that led there', async () => {
    const [before, ...others] = await diagnostics();
    await tell([
      held(leakLine, { count: 3, pids: [4711], stack: [placeAt(leakLine), placeAt(13, 25)] }),
    ]);
    const [after, ...more] = await diagnostics();
    expect(more).toEqual(others);
    expect(after).toEqual({
      ...before,
      message: `${textOf(before)} Seen at run time: checked out for more than 30 s in server.js (pid 4711), 3 of these now.`,
      relatedInformation: [
        ...(before?.relatedInformation ?? []),
        {
          location: {
            uri: uriOf('users.js'),
            range: expect.objectContaining({ start: { line: 12, character: 24 } }) as unknown,
          },
          message: 'Seen at run time: called from here.',
        },
      ],
      data: {
        evidence: [`held ${leakLine}`],
        alone: [expect.objectContaining({ code: 'held-at-run-time' })],
      },
    });
  });

  it('is a diagnostic of its own where nothing was found, and goes when the client comes back', async () => {
    await tell([held(keepLine)]);
    expect(await own()).toEqual([
      {
        source: 'Poolguard (running app)',
        code: 'held-at-run-time',
        severity: 3,
        range: {
          start: { line: keepLine - 1, character: 28 },
          end: { line: keepLine - 1, character: 35 },
        },
        message:
          'A client of leaky-api acquired here has been checked out for more than 30 s in server.js (pid 4711).',
        relatedInformation: [],
        data: { evidence: [`held ${keepLine}`], alone: [] },
      },
    ]);
    await tell([]);
    expect(await own()).toEqual([]);
  });

  it('warns when callers wait, and when clients pile up', async () => {
    await tell([held(keepLine, { isWaitedFor: true })]);
    expect(await own()).toMatchObject([
      {
        severity: 2,
        message: expect.stringContaining('while callers wait for the pool') as unknown,
      },
    ]);
    await tell([held(keepLine, { count: 2, longestMs: 60_000 })]);
    expect(await own()).toMatchObject([
      {
        severity: 2,
        message:
          '2 clients of leaky-api acquired here have been checked out for more than 1 min in server.js (pid 4711).',
      },
    ]);
  });

  it('belongs to the caller of a helper, when that is what a finding or the analysis speaks of', async () => {
    await tell([
      held(leakLine, {
        stack: [{ ...placeAt(5), file: join(folder.path, 'db.js'), column: 15 }, placeAt(leakLine)],
      }),
      held(keepLine, {
        stack: [{ ...placeAt(5), file: join(folder.path, 'db.js'), column: 15 }, placeAt(keepLine)],
      }),
    ]);
    const all = (await diagnostics()).filter(({ data }) => data !== undefined);
    expect(
      all.map(({ range, relatedInformation }): unknown => ({
        line: range.start.line + 1,
        last: relatedInformation?.at(-1),
      })),
    ).toEqual(
      [leakLine, keepLine].map((line) => ({
        line,
        last: expect.objectContaining({
          message: 'Seen at run time: the client is acquired here.',
          location: expect.objectContaining({ uri: uriOf('db.js') }) as unknown,
        }) as unknown,
      })),
    );
  });

  it.each([
    ['that listens', listenLine],
    ['of which a comment says that it is meant', meantLine],
  ])('is no news for one %s', async (_, line) => {
    await tell([held(line)]);
    expect(await own()).toEqual([]);
  });
});

it('a mistake has its place and where the client came from', async () => {
  await tell([
    {
      ...held(15),
      kind: 'double-release',
      stack: [placeAt(15, 12)],
      related: [
        { what: 'acquired', place: placeAt(keepLine) },
        { what: 'released', place: placeAt(6, 10) },
      ],
      count: 2,
      longestMs: 0,
    },
  ]);
  const [diagnostic] = await own();
  expect(diagnostic).toMatchObject({
    code: 'double-release-at-run-time',
    severity: 2,
    message:
      'A client of leaky-api was released here a second time in server.js (pid 4711), 2 times: it may have been in use elsewhere by then.',
  });
  expect(
    diagnostic?.relatedInformation?.map(({ message, location }) => [
      message,
      location.range.start.line + 1,
    ]),
  ).toEqual([
    ['Seen at run time: the client was acquired here.', keepLine],
    ['Seen at run time: it was released here.', 6],
  ]);
});

describe('after an edit', () => {
  const lines = async (text: string, evidence: Evidence) => {
    await tell([evidence]);
    await own();
    await client.change(uriOf('users.js'), 2, text);
    return (await own()).map(({ range }) => range.start.line + 1);
  };

  it('it is where the line is now', async () => {
    expect(await lines(`// What is new.\n${leaky}`, held(keepLine))).toEqual([keepLine + 1]);
  });

  it('nothing is said of a line that was changed', async () => {
    expect(
      await lines(
        leaky.replace(
          'keep() {\n  const client = await pool.connect();',
          'keep() {\n  const client = await  pool.connect();',
        ),
        held(keepLine),
      ),
    ).toEqual([]);
  });

  it('nothing is said for an application that has ended', async () => {
    const ended = held(keepLine, { kind: 'never-returned', hasEnded: true });
    await tell([ended]);
    expect(await own()).toMatchObject([
      {
        code: 'never-returned-at-run-time',
        severity: 3,
        message:
          'A client of leaky-api acquired here was not released before server.js (pid 4711) ended, after more than 30 s.',
      },
    ]);
    expect(await lines(`// What is new.\n${leaky}`, ended)).toEqual([]);
  });
});

describe('nothing is said', () => {
  it('of a file that was changed after the start', async () => {
    await tell([held(keepLine, { startedAt: Date.now() - hour })]);
    expect(await own()).toEqual([]);
  });

  it('of a place at which nothing is called', async () => {
    await tell([held(keepLine, { stack: [placeAt(keepLine, 9)] }), held(3), held(4000)]);
    expect(await own()).toEqual([]);
  });

  it('of what the settings leave out', async () => {
    client.settings = { 'lint.enable': false, lint: { enable: false } };
    await tell([held(keepLine)]);
    expect(await own()).toEqual([]);
  });

  it('of files outside of the workspace, and of packages', async () => {
    await tell([
      {
        ...held(keepLine),
        stack: [
          { ...placeAt(keepLine), file: join(elsewhere.path, 'users.js') },
          { ...placeAt(keepLine), file: join(folder.path, 'node_modules/x/users.js') },
          { ...placeAt(1), file: '/dev/zero' },
        ],
      },
    ]);
    await own();
    expect([...pushed.values()].flat()).toEqual([]);
  });

  it('for what an application makes up, and the server lives on', async () => {
    for (const told of [
      null,
      'x',
      [null],
      [{ kind: 'held' }],
      [
        {
          ...held(keepLine),
          stack: [{ file: `${folder.path}/../../../etc/passwd`, line: 1, column: 1 }],
        },
      ],
      [{ ...held(keepLine), app: 7 }],
    ])
      await client.connection.sendNotification('poolguard/evidence', told as never);
    expect(await own()).toEqual([]);
    await tell([held(keepLine, { app: '](command:x)\u202e\n'.repeat(1000) })]);
    const [diagnostic] = await own();
    expect(textOf(diagnostic)).not.toMatch(/[\n\u202e]/u);
    expect(textOf(diagnostic).length).toBeLessThan(250);
  });
});

it('a file that is not open has what was seen of it until it is opened', async () => {
  await client.connection.sendNotification('textDocument/didClose', {
    textDocument: { uri: uriOf('users.js') },
  });
  await tell([held(leakLine), held(keepLine)]);
  await expect
    .poll(() =>
      pushed.get(uriOf('users.js'))?.map(({ range, code }) => [range.start.line + 1, code]),
    )
    .toEqual([
      [leakLine, 'held-at-run-time'],
      [keepLine, 'held-at-run-time'],
    ]);
  await client.open(uriOf('users.js'), leaky, 'javascript');
  await expect.poll(() => pushed.get(uriOf('users.js'))).toEqual([]);
});

it('a workspace that is opened through a link finds the files to which it leads', async () => {
  const linked = join(elsewhere.path, 'linked');
  await using other = await start(linked);
  const uri = pathToFileURL(join(linked, 'users.js')).href;
  await other.open(uri, leaky, 'javascript');
  await other.connection.sendNotification('poolguard/evidence', [held(keepLine)]);
  expect((await other.diagnostics(uri)).map(({ source }) => source)).toContain(
    'Poolguard (running app)',
  );
});

async function start(path: string): Promise<TestClient> {
  for (const name of Object.keys(files))
    await utimes(join(folder.path, name), new Date(), new Date());
  const started = await startTestClient(shippedServer, path);
  started.connection.onRequest('workspace/diagnostic/refresh', () => null);
  return started;
}

function hearPushed({ connection }: TestClient): Map<string, Diagnostic[]> {
  const heard = new Map<string, Diagnostic[]>();
  connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ uri, diagnostics: now }: { uri: string; diagnostics: Diagnostic[] }) => {
      heard.set(uri, now);
    },
  );
  return heard;
}

function tell(evidence: readonly Evidence[]): Promise<void> {
  return client.connection.sendNotification('poolguard/evidence', evidence);
}

function held(line: number, parts: Partial<Evidence> = {}): Evidence {
  return {
    key: `held ${line}`,
    kind: 'held',
    stack: [placeAt(line)],
    related: [],
    count: 1,
    longestMs: 30_000,
    isWaitedFor: false,
    pool: 'leaky-api',
    app: 'server.js',
    pids: [4711],
    startedAt,
    hasEnded: false,
    ...parts,
  };
}

/** Where `connect` is called. */
function placeAt(line: number, column = 29) {
  return { file: join(folder.path, 'users.js'), line, column, function: null };
}

function uriOf(name: string): string {
  return pathToFileURL(join(folder.path, name)).href;
}

function diagnostics(): Promise<Diagnostic[]> {
  return client.diagnostics(uriOf('users.js'));
}

function textOf(diagnostic: Diagnostic | undefined): string {
  return typeof diagnostic?.message === 'string' ? diagnostic.message : '';
}

async function own(): Promise<Diagnostic[]> {
  return (await diagnostics()).filter(({ source }) => source === 'Poolguard (running app)');
}
