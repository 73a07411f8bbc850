import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bounds } from '../../../src/running/monitor-connection.ts';
import { createSocketPlace } from '../../../src/running/socket-place.ts';
import { bundleEntry } from '../../support/bundle.ts';
import { hear } from '../../support/heard.ts';
import { everyReport, hello, lookAt } from '../../support/monitor-reports.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const onWindows = process.platform === 'win32';

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Connects, says something, and waits for what becomes of it. */
async function say(path: string, ...texts: readonly string[]): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  for (const text of texts) socket.write(text);
  return socket;
}

test('a monitor that knows the token is welcomed and heard', async () => {
  await using heard = await hear();
  const socket = await say(
    heard.path,
    line({ ...hello, token: heard.token }),
    everyReport.slice(1).map(line).join(''),
  );
  const [welcome] = (await once(socket, 'data')) as [Buffer];
  expect(JSON.parse(welcome.toString())).toEqual({ kind: 'welcome' });
  await heard.until('broken');
  expect(heard.reports).toEqual(everyReport.map((report) => ['app-1', report]));
  socket.end();
  await expect.poll(() => heard.gone).toEqual(['app-1']);
  expect(heard.listener.strangers()).toBe(0);
});

describe('a stranger is disconnected and heard by nobody', () => {
  const openings: Readonly<Record<string, (token: string) => string>> = {
    'without a token': () => line(hello),
    'with a wrong token': (token) =>
      line({ ...hello, token: token.replace(/./, (first) => (first === '0' ? '1' : '0')) }),
    'of another version': (token) => line({ ...hello, token, version: 2 }),
    'that begins with another report': (token) =>
      line({ kind: 'look', look: lookAt(1) }) + line({ ...hello, token }),
    'that speaks HTTP': () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'that never ends its line': () => 'x'.repeat(bounds.lineLength + 1),
    'that says nothing': () => '',
  };

  test.each(Object.entries(openings))('%s', async (_, opening) => {
    await using heard = await hear();
    const socket = await say(heard.path, opening(heard.token));
    // What we wrote may meet a connection that is closed already.
    socket.on('error', () => undefined);
    const answers: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => answers.push(chunk));
    await once(socket, 'close');
    expect([heard.reports, heard.gone, answers]).toEqual([[], [], []]);
    expect(heard.listener.strangers()).toBe(1);
  });
});

test('a monitor whose line never ends is disconnected', async () => {
  await using heard = await hear();
  const socket = await say(
    heard.path,
    line({ ...hello, token: heard.token }),
    'x'.repeat(bounds.lineLength + 1),
  );
  socket.on('error', () => undefined).resume();
  await expect.poll(() => heard.gone).toEqual(['app-1']);
});

test('lines that are no reports, and a second hello, are passed over', async () => {
  await using heard = await hear();
  await using _ = disposing(
    await say(
      heard.path,
      line({ ...hello, token: heard.token }),
      'no json\n\n[]\n{"kind":"constructor"}\n',
      line({ kind: 'look', look: { ...lookAt(1), total: -1 } }),
      line({ ...hello, token: heard.token, pid: 1 }),
      line({ kind: 'exit', out: [] }),
    ),
  );
  await heard.until('exit');
  expect(heard.reports.map(([, { kind }]) => kind)).toEqual(['hello', 'exit']);
});

test('a pool is asked for another max, as long as its thread is there', async () => {
  await using heard = await hear();
  const socket = await say(heard.path, line({ ...hello, token: heard.token }));
  await once(socket, 'data');
  expect(heard.listener.setMax('app-1', 1, 20)).toBe(true);
  const [asked] = (await once(socket, 'data')) as [Buffer];
  expect(JSON.parse(asked.toString())).toEqual({ kind: 'set-max', pool: 1, max: 20 });
  expect(heard.listener.setMax('app-2', 1, 20)).toBe(false);
  socket.destroy();
  await expect.poll(() => heard.gone).toEqual(['app-1']);
  expect(heard.listener.setMax('app-1', 1, 20)).toBe(false);
});

test('who talks too fast is heard with rests', async () => {
  await using heard = await hear();
  const flood = line({ kind: 'look', look: lookAt(1) }).repeat(bounds.linesPerSecond * 2);
  const since = performance.now();
  await using _ = disposing(
    await say(
      heard.path,
      line({ ...hello, token: heard.token }),
      flood,
      line({ kind: 'exit', out: [] }),
    ),
  );
  await heard.until('exit');
  expect(performance.now() - since).toBeGreaterThan(900);
  expect(heard.reports).toHaveLength(bounds.linesPerSecond * 2 + 2);
});

describe.skipIf(onWindows)('the socket', () => {
  test('is for this user only and is gone with the listener, connections included', async () => {
    await using folder = await createTemporaryFolder();
    const heard = await hear([folder.path]);
    expect((await stat(heard.path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(heard.path))).mode & 0o077).toBe(0);
    const socket = await say(heard.path, line({ ...hello, token: heard.token }));
    await heard.until('hello');
    await heard.listener[Symbol.asyncDispose]();
    await once(socket.resume(), 'close');
    expect(heard.gone).toEqual(['app-1']);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test('has a short path, whatever the temporary folder is called', async () => {
    await using folder = await createTemporaryFolder();
    const long = join(folder.path, 'x'.repeat(90));
    await mkdir(long);
    await using place = await createSocketPlace([long, folder.path]);
    expect(dirname(dirname(place.path))).toBe(folder.path);
  });

  test('says what to do when there is no place for it', async () => {
    await expect(hear(['/nowhere/at/all'])).rejects.toThrow(
      /No directory for the socket .* Set TMPDIR/,
    );
  });

  test('of an owner that was killed is removed by the next listener, others are left alone', async () => {
    await using folder = await createTemporaryFolder();
    await using owner = await startOwner(folder.path, 'socket-place');
    const [left = ''] = await readdir(folder.path);
    await using between = await createSocketPlace([folder.path]);
    expect(await readdir(folder.path)).toHaveLength(2);
    await owner.kill();
    // Nobody's: not made by a listener, or with a file that no listener makes.
    const odd = left.replace(/.{6}$/, 'abcdef');
    await folder.write({ 'poolguard-run-1-x': 'a file', [`${odd}/notes.txt`]: 'mine' });
    await using place = await createSocketPlace([folder.path]);
    expect((await readdir(folder.path)).sort()).toEqual(
      [dirname(between.path), dirname(place.path)]
        .map((path) => path.slice(folder.path.length + 1))
        .concat('poolguard-run-1-x', odd)
        .sort(),
    );
  });
});

describe.runIf(process.platform === 'linux')('on Linux the socket', () => {
  test('has no file: nothing is left of a listener that was killed', async () => {
    await using folder = await createTemporaryFolder();
    await using owner = await startOwner(folder.path, 'listener');
    expect(await readdir(folder.path)).toEqual([]);
    await owner.kill();
    expect(await readdir(folder.path)).toEqual([]);
  });

  test('is given up once, however often that is asked for', async () => {
    const heard = await hear();
    await heard.listener[Symbol.asyncDispose]();
    await using folder = await createTemporaryFolder();
    const other = await open(folder.path);
    await heard.listener[Symbol.asyncDispose]();
    expect((await other.stat()).isDirectory()).toBe(true);
    await other.close();
  });

  test('is reached through its process, by this user and no other', async () => {
    await using heard = await hear();
    expect(heard.path).toMatch(new RegExp(`^/proc/${process.pid}/fd/\\d+$`, 'u'));
    const others = (await stat(dirname(heard.path))).mode & 0o077;
    expect(others).toBe(0);
  });
});

function disposing(socket: Socket): AsyncDisposable {
  socket.resume();
  return {
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
      await Promise.resolve();
    },
  };
}

/** What makes a socket in the folder, for each of our modules that does. */
const owners = {
  listener: (folder: string) =>
    `await module.listen({ registerPath: '/r.cjs', folders: [${folder}], onReport() {}, onGone() {} });`,
  'socket-place': (folder: string) =>
    `createServer().listen((await module.createSocketPlace([${folder}])).path);`,
} as const;

/** The owner of a socket, in a process of its own. */
async function startOwner(
  folder: string,
  module: keyof typeof owners,
): Promise<AsyncDisposable & { kill(): Promise<void> }> {
  const bundle = await bundleEntry(`src/running/${module}.ts`);
  const program = join(dirname(bundle.file), `own-${module}.mjs`);
  await writeFile(
    program,
    `import { createServer } from 'node:net';\nimport * as module from ${JSON.stringify(bundle.file)};\n${owners[module](JSON.stringify(folder))}\nconsole.log('listening');\n`,
  );
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      await bundle[Symbol.asyncDispose]();
    },
  };
}
