import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { performance } from 'node:perf_hooks';
import { runCli } from '../../src/cli/main.ts';
import { Secret } from '../../src/database/secret.ts';
import { parseTarget } from '../../src/database/target.ts';
import { sizeDefaults } from '../../src/probe/request.ts';
import { runProbe } from '../../src/probe/run-probe.ts';
import { strangeServers } from '../support/strange-servers.ts';

const password = 'geheim-4711/@';
const spellings = [password, encodeURIComponent(password)];

test('the password of a probe is in no argument and no variable of its process', async () => {
  const server = await strangeServers.silent();
  const parsed = parseTarget(`postgres://app@127.0.0.1:${server.port}/shop`);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const stopper = new AbortController();
  let seen = '';
  const onStart = (pid: number): void => {
    seen = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    if (process.platform === 'linux')
      seen +=
        readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8');
    stopper.abort();
  };
  await runProbe(
    { ...sizeDefaults, target: parsed.target, secret: new Secret(password) },
    {
      signal: stopper.signal,
      onEvent: () => undefined,
      processPath: join(process.cwd(), 'dist/probe.cjs'),
      onStart,
    },
  );
  await server.stop();
  expect(seen).toContain('probe.cjs');
  expect(spellings.filter((each) => seen.includes(each))).toEqual([]);
});

/** Runs the command line with one command that breaks as no command should. */
async function runBroken(
  message: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly said: string }> {
  const said: string[] = [];
  let code = 0;
  await runCli(
    ['break'],
    {
      cwd: '/',
      env,
      stdout: { write: (text) => said.push(text) },
      stderr: { write: (text) => said.push(text) },
      isColored: false,
      now: () => performance.now(),
      signal: new AbortController().signal,
      onKey: undefined,
      setExitCode: (value) => {
        code = value;
      },
    },
    [
      (program) =>
        program.command('break').action(() => {
          throw new Error(message);
        }),
    ],
  );
  return { code, said: said.join('') };
}

describe('a command that breaks with an address and escape sequences in its error', () => {
  const message =
    'connect postgres://app:geheim-4711@db/shop failed\u001B]0;owned\u0007\n\u202Ekcab';

  test.each([{}, { POOLGUARD_DEBUG: '1' }])('tells neither, with %j', async (env) => {
    const { code, said } = await runBroken(message, env);
    expect(code).toBe(2);
    expect(said).toContain('[hidden]');
    expect(said).not.toContain('geheim');
    expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
  });

  test('has its stack only when somebody asks for it', async () => {
    expect((await runBroken(message, {})).said).not.toMatch(/\bat .+:\d+/);
    expect((await runBroken(message, { POOLGUARD_DEBUG: '1' })).said).toMatch(/\bat .+:\d+/);
  });
});
