import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileStates } from '../../../rules/project/file-states.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

test('what was seen of the disk counts for a moment, and no longer', async () => {
  await using folder = await createTemporaryFolder({});
  const path = join(folder.path, 'db.ts');
  let time = 1_000_000;
  const fileStates = createFileStates(undefined, () => time);

  expect(fileStates.startRun()).toBe(true);
  expect(fileStates.isFile(path)).toBe(false);
  await folder.write({ 'db.ts': 'export {};' });

  time += 299;
  expect(fileStates.startRun()).toBe(false);
  expect(fileStates.isFile(path)).toBe(false);

  time += 300;
  expect(fileStates.startRun()).toBe(true);
  expect(fileStates.isFile(path)).toBe(true);
});

test('runs that follow each other closely see the same, but not for long', () => {
  let time = 1_000_000;
  const fileStates = createFileStates(undefined, () => time);
  const renewed: number[] = [];
  for (let run = 0; run <= 40; run++) {
    if (fileStates.startRun()) renewed.push(run);
    time += 100;
  }
  expect(renewed).toEqual([0, 20, 40]);
});

test('in one row all is seen as it was at the first look', async () => {
  await using folder = await createTemporaryFolder({});
  const path = join(folder.path, 'db.ts');
  let time = 1_000_000;
  const fileStates = createFileStates(
    { isFixed: true, isOneRow: true, textOf: () => undefined, paths: () => [] },
    () => time,
  );
  fileStates.startRun();
  expect(fileStates.isFile(path)).toBe(false);
  await folder.write({ 'db.ts': 'export {};' });
  time += 3_600_000;
  expect(fileStates.startRun()).toBe(false);
  expect(fileStates.isFile(path)).toBe(false);
});

test('a clock that was set back ends the moment', () => {
  let time = 1_000_000;
  const fileStates = createFileStates(undefined, () => time);
  fileStates.startRun();
  time -= 3_600_000;
  expect(fileStates.startRun()).toBe(true);
});

test('what is open in an editor is asked for in every run', () => {
  const documents = new Map([['/shop/db.ts', 'export {};']]);
  const fileStates = createFileStates(
    {
      textOf: (path) => {
        const text = documents.get(path);
        return text === undefined ? undefined : { text, version: 1 };
      },
      paths: () => documents.keys(),
    },
    () => 0,
  );
  fileStates.startRun();
  expect(fileStates.isFile('/shop/db.ts')).toBe(true);
  documents.clear();
  expect(fileStates.startRun()).toBe(true);
  expect(fileStates.isFile('/shop/db.ts')).toBe(false);
});
