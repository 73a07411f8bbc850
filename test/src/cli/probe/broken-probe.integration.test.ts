import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CliIo } from '../../../../src/cli/cli-io.ts';
import { measureHold } from '../../../../src/cli/probe/measure-hold.ts';
import { runExperiment, type ExperimentIo } from '../../../../src/cli/probe/run-experiment.ts';
import { sizeDefaults } from '../../../../src/probe/request.ts';
import { accessTo } from '../../../support/access-to.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const url = 'postgres://app@localhost/shop';
const sentence = 'The probe failed unexpectedly (TypeError).';
/** A measuring process that breaks before it connects. */
const broken = `process.on('message', () => process.send(${JSON.stringify({
  kind: 'failed',
  sentence,
  stack: 'TypeError: no such thing\n    at conductProbe (probe.cjs:1:2)',
})}, () => process.exit()));`;

const commands: Readonly<Record<string, (parts: ExperimentIo) => Promise<unknown>>> = {
  'probe size': (parts) =>
    runExperiment({ ...sizeDefaults, ...accessTo(url) }, { yes: true }, parts),
  'probe spike': (parts) => measureHold(url, { yes: true, top: 1 }, parts),
};

test.each(
  Object.keys(commands).flatMap((name) => [
    [name, '1', /^\s+at conductProbe/mu],
    [name, undefined, /^(?![^]*conductProbe)/u],
  ]),
)('%s shows where an error was thrown: POOLGUARD_DEBUG=%s', async (name, debug, shown) => {
  await using folder = await createTemporaryFolder({ 'probe.cjs': broken });
  const written: string[] = [];
  const io: CliIo = {
    cwd: folder.path,
    env: { POOLGUARD_DEBUG: debug },
    stdout: { write: (text) => written.push(text) },
    stderr: { write: (text) => written.push(text) },
    isColored: false,
    now: () => 0,
    signal: new AbortController().signal,
    setExitCode: () => undefined,
  };
  await commands[name]?.({ io, processPath: join(folder.path, 'probe.cjs') }).catch(
    (error: unknown) => expect(error).toMatchObject({ message: sentence }),
  );
  expect(written.join('')).toMatch(shown);
});
