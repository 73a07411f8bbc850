import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  addTimes,
  profileHere,
  profileOfProcess,
  profileRows,
} from '../../../scripts/bench/profile.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

/** Burns the processor for a while, in a function of its own. */
const burn =
  'function burn(ms) { const end = Date.now() + ms; while (Date.now() < end) Math.sqrt(end); }';

it('a process is told apart by the modules of its bundle', async () => {
  await using folder = await createTemporaryFolder();
  mkdirSync(join(folder.path, 'dist'));
  const bundle = join(folder.path, 'dist/bundle.js');
  writeFileSync(
    bundle,
    `// rules/values/one.ts\n${burn}\nburn(300);\n// src/lint/two.ts\n${burn.replace('burn', 'other')}\nother(100);\n`,
  );
  const profile = profileOfProcess(folder.path);
  expect(spawnSync(process.execPath, [...profile.execArgv, bundle]).status).toBe(0);
  const rows = profileRows('group', 'CPU', profile.read());
  const share = (kind: string) =>
    rows.find(({ name }) => name === `CPU, of which ${kind}`)?.value.median ?? 0;
  expect(share('rules/values')).toBeGreaterThan(share('src/lint'));
  expect(share('src/lint')).toBeGreaterThan(0);
  expect(rows.reduce((sum, { value }) => sum + value.median, 0)).toBeCloseTo(100);
  expect(rows.at(-1)?.name).toBe('CPU, of which other');
});

it('a profile of this process knows the engine’s own time', async () => {
  const kept: object[] = [];
  const times = await profileHere(() => {
    for (let round = 0; round < 2_000_000; round++) kept[round % 1000] = { round };
  });
  expect(times.get('garbage collection')).toBeGreaterThan(0);
  expect(addTimes([times, times]).get('garbage collection')).toBe(
    2 * (times.get('garbage collection') ?? 0),
  );
});
