import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addLintCommand } from '../../../../src/cli/lint/lint.ts';
import { runCli } from '../../../../src/cli/main.ts';
import { runInProcess } from '../../../support/cli-run.ts';
import { rulesOf } from '../../../support/rules-of.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { createTinyAnalyser } from '../../../support/tiny-analyser.ts';

it('a lint that is stopped says so and reports nothing', async () => {
  const said = { stdout: '', stderr: '', code: 0 };
  const io = {
    cwd: import.meta.dirname,
    env: {},
    stdout: {
      write: (text: string) => {
        said.stdout += text;
      },
    },
    stderr: {
      write: (text: string) => {
        said.stderr += text;
      },
    },
    isColored: false,
    now: () => 0,
    signal: AbortSignal.abort(),
    setExitCode: (code: number) => {
      said.code = code;
    },
  };
  await runCli(['lint'], io, [
    (program) => addLintCommand(program, io, rulesOf(createTinyAnalyser())),
  ]);
  expect(said).toEqual({
    stdout: '',
    stderr: 'Cancelled before every file was checked; there is no report.\n',
    code: 130,
  });
});

it('what a cancelled lint found is there for the next one', async () => {
  const leak = 'pool.connect();\n';
  await using folder = await createTemporaryFolder({ 'a.js': leak, 'b.js': leak, 'c.js': leak });
  const past = new Date(Date.now() - 60_000);
  for (const name of ['a.js', 'b.js', 'c.js']) utimesSync(join(folder.path, name), past, past);
  // What was written a moment before a run is not kept.
  await setTimeout(50);
  const cancelling = new AbortController();
  const checked: string[] = [];
  const lint = (signal: AbortSignal) =>
    runInProcess(['lint', '--cache'], {
      cwd: folder.path,
      env: { POOLGUARD_CACHE_KEY: 'signs the caches of this test' },
      signal,
      commands: [
        (program, io) => {
          const analyser = createTinyAnalyser(({ text }) => {
            checked.push(text);
            cancelling.abort();
            return {};
          });
          addLintCommand(program, io, rulesOf(analyser));
        },
      ],
    });
  expect((await lint(cancelling.signal)).code).toBe(130);
  expect(checked).toHaveLength(1);
  const { code, stdout } = await lint(new AbortController().signal);
  expect(checked).toHaveLength(3);
  expect(code).toBe(1);
  expect(stdout).toMatch(/3 (?:problems|errors)/u);
});
