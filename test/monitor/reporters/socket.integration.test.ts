import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Command, Report } from '../../../monitor/report.ts';
import { outboxSizes } from '../../../monitor/reporters/outbox.ts';
import { socketReporter } from '../../../monitor/reporters/socket.ts';
import { bundleEntry } from '../../support/bundle.ts';
import { hear, type Heard } from '../../support/heard.ts';
import { heldSince, hello, lookAt, mistakeAt, watchedPool } from '../../support/monitor-reports.ts';
import { runNode } from '../../support/run-process.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const poolTold: Report = { kind: 'pool', pool: watchedPool() };

function reporting({ path, token }: Pick<Heard, 'path' | 'token'>, restsMs?: readonly number[]) {
  const said: string[] = [];
  const obeyed: Command[] = [];
  const reporter = socketReporter({
    path,
    token,
    say: (sentence) => said.push(sentence),
    ...(restsMs === undefined ? {} : { restsMs }),
  })((command) => obeyed.push(command));
  return { reporter, said, obeyed };
}

/** A listener of the test's own: what is sent to it, connection by connection. */
async function listenAt(path: string, onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection).listen(path);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      server.close();
      await Promise.resolve();
    },
  };
}

test('a listener hears the thread, its pools and what becomes of them', async () => {
  await using heard = await hear();
  const { reporter, obeyed, said } = reporting(heard);
  const reports: readonly Report[] = [
    poolTold,
    { kind: 'look', look: lookAt(1) },
    { kind: 'held', held: heldSince(2) },
    { kind: 'mistake', mistake: mistakeAt(3) },
    { kind: 'ending', pool: 1, out: [heldSince(2)] },
    { kind: 'exit', out: [heldSince(2)] },
  ];
  for (const report of [hello, ...reports]) reporter.tell(report);
  await heard.until('exit');
  await expect.poll(() => obeyed).toEqual([{ kind: 'welcome' }]);
  reporter.stop();
  expect(heard.reports.map(([, report]) => report)).toEqual([hello, ...reports]);
  expect(said).toEqual([]);
  await expect.poll(() => heard.gone).toEqual(['app-1']);
});

test('a program without pools is never heard of', async () => {
  await using heard = await hear();
  const { reporter } = reporting(heard);
  reporter.tell(hello);
  reporter.tell({ kind: 'exit', out: [] });
  reporter.stop();
  const { reporter: other } = reporting(heard);
  other.tell({ ...hello, pid: 2 });
  other.tell(poolTold);
  const hellos = await heard.until('hello');
  other.stop();
  expect(hellos.map(({ pid }) => pid)).toEqual([2]);
});

test('a command is obeyed; what is none, or too long, is passed over', async () => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, 's');
  const commands = [
    '{',
    '[]',
    '{"kind":"constructor"}',
    '{"kind":"set-max","pool":1,"max":0}',
    '{"kind":"set-max","pool":1,"max":1e9}',
    '{"kind":"set-max","pool":"1","max":5}',
    'x'.repeat(9_000),
    '{"kind":"set-max","pool":1,"max":25}',
    '{"kind":"welcome"}',
  ];
  await using _ = await listenAt(path, (socket) => socket.end(`${commands.join('\n')}\n`));
  const { reporter, obeyed } = reporting({ path, token: 't' }, []);
  reporter.tell(poolTold);
  await expect
    .poll(() => obeyed)
    .toEqual([{ kind: 'set-max', pool: 1, max: 25 }, { kind: 'welcome' }]);
  reporter.stop();
});

test('a listener that is gone is said once, after the attempts, and nothing is thrown', async () => {
  await using folder = await createTemporaryFolder();
  const { reporter, said } = reporting({ path: join(folder.path, 'gone'), token: 't' }, [1, 2]);
  reporter.tell(hello);
  reporter.tell(poolTold);
  await expect.poll(() => said).toHaveLength(1);
  reporter.tell({ kind: 'look', look: lookAt(1) });
  reporter.stop();
  expect(said[0]).toMatch(/^The listener at .*gone is gone/);
});

test('a listener that comes back hears again who this is and what still holds', async () => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, 's');
  const connections: string[] = [];
  await using _ = await listenAt(path, (socket) => {
    const index = connections.push('') - 1;
    socket
      .setEncoding('utf8')
      .on('error', () => undefined)
      .on('data', (chunk) => {
        connections[index] += String(chunk);
        if (index === 0 && String(chunk).includes('mistake')) socket.destroy();
      });
  });
  const { reporter, said } = reporting({ path, token: 't' }, [1]);
  for (const report of [
    hello,
    poolTold,
    { kind: 'held', held: heldSince(2) },
    { kind: 'held', held: heldSince(3) },
    { kind: 'returned', pool: 1, checkout: 3, forMs: 9 },
    { kind: 'mistake', mistake: mistakeAt(4) },
  ] satisfies Report[])
    reporter.tell(report);
  await expect.poll(() => connections.length).toBe(2);
  await expect.poll(() => connections[1]).toContain('held');
  reporter.stop();
  const kinds = (connections[1] ?? '')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Report).kind);
  expect(kinds.slice(0, 3)).toEqual(['hello', 'pool', 'held']);
  expect(JSON.parse(connections[1]?.split('\n')[0] ?? '')).toMatchObject({ token: 't' });
  expect(said).toEqual([]);
});

test('while nobody takes reports, the oldest looks go, and no mistake', async () => {
  await using folder = await createTemporaryFolder();
  const { reporter } = reporting({ path: join(folder.path, 's'), token: 't' }, [50]);
  for (const report of [
    hello,
    poolTold,
    { kind: 'mistake', mistake: mistakeAt(1) },
  ] satisfies Report[])
    reporter.tell(report);
  for (let at = 0; at < 1_000; at += 1) reporter.tell({ kind: 'look', look: lookAt(at) });
  const text: string[] = [];
  await using _ = await listenAt(join(folder.path, 's'), (socket) =>
    socket.setEncoding('utf8').on('data', (chunk) => text.push(String(chunk))),
  );
  await expect.poll(() => text.join('')).toContain('"at":999');
  reporter.stop();
  const reports = text
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Report);
  const looks = reports.flatMap((report) => (report.kind === 'look' ? [report.look.at] : []));
  expect(reports.filter(({ kind }) => kind === 'mistake')).toHaveLength(1);
  expect(looks).toEqual(
    Array.from({ length: looks.length }, (_each, index) => 1_000 - looks.length + index),
  );
  expect(looks.length).toBeGreaterThan(outboxSizes.looks - 5);
  expect(looks.length).toBeLessThan(outboxSizes.looks);
});

describe('a process', () => {
  const program = `
    const [, , bundle, path, token, what] = process.argv;
    const { socketReporter } = await import(bundle);
    const reporter = socketReporter({ path, token, stallMs: 1_000, say: (sentence) => console.log(sentence) })(() => undefined);
    reporter.tell(${JSON.stringify({ ...hello })});
    reporter.tell(${JSON.stringify(poolTold)});
    if (what === 'flood') for (let at = 0; at < 400; at += 1) reporter.tell({ kind: 'mistake', mistake: { ...${JSON.stringify(mistakeAt(1))}, at, padding: 'x'.repeat(10_000) } });
    process.on('exit', () => {
      reporter.tell({ kind: 'exit', out: [${JSON.stringify(heldSince(2))}] });
      reporter.stop();
    });
    if (what === 'exit') setTimeout(() => process.exit(3), 300);
  `;

  async function run(path: string, token: string, what: string) {
    await using bundle = await bundleEntry('monitor/reporters/socket.ts');
    await using folder = await createTemporaryFolder({ 'app.mjs': program });
    return await runNode(
      [join(folder.path, 'app.mjs'), bundle.file, path, token, what],
      folder.path,
    );
  }

  test('that exits tells at the end what never came back, and ends as it would', async () => {
    await using heard = await hear();
    const { code, stderr } = await run(heard.path, heard.token, 'exit');
    expect([code, stderr]).toEqual([3, '']);
    const [exit] = await heard.until('exit');
    expect(exit?.out).toEqual([heldSince(2)]);
  });

  test('is not kept alive by a listener, nor by one that is gone, nor by one that never reads', async () => {
    await using folder = await createTemporaryFolder();
    await using heard = await hear();
    const deaf = join(folder.path, 's');
    await using _ = await listenAt(deaf, (socket) => socket.pause());
    const [alone, heardOf, unread] = await Promise.all([
      run(join(folder.path, 'gone'), 't', 'end'),
      run(heard.path, heard.token, 'end'),
      run(deaf, 't', 'flood'),
    ]);
    expect([alone.code, heardOf.code, unread.code]).toEqual([0, 0, 0]);
  });
});
