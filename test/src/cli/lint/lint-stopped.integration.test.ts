import { expect, it } from 'vitest';
import { addLintCommand } from '../../../../src/cli/lint/lint.ts';
import { runCli } from '../../../../src/cli/main.ts';
import { rulesOf } from '../../../support/rules-of.ts';
import { createTinyPlugin } from '../../../support/tiny-plugin.ts';

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
    (program) => addLintCommand(program, io, rulesOf(createTinyPlugin())),
  ]);
  expect(said).toEqual({
    stdout: '',
    stderr: 'Stopped before every file was checked, so there is no report.\n',
    code: 2,
  });
});
