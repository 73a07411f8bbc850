import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileLooks } from '../../../rules/project/file-looks.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

test('what was seen of the disk counts for a moment, and no longer', async () => {
  await using folder = await createTemporaryFolder({});
  const path = join(folder.path, 'db.ts');
  let time = 1_000_000;
  const looks = createFileLooks(undefined, () => time);

  expect(looks.startRun()).toBe(true);
  expect(looks.isFile(path)).toBe(false);
  await folder.write({ 'db.ts': 'export {};' });

  time += 299;
  expect(looks.startRun()).toBe(false);
  expect(looks.isFile(path)).toBe(false);

  time += 300;
  expect(looks.startRun()).toBe(true);
  expect(looks.isFile(path)).toBe(true);
});

test('runs that follow each other closely see the same, but not for long', () => {
  let time = 1_000_000;
  const looks = createFileLooks(undefined, () => time);
  const renewed: number[] = [];
  for (let run = 0; run <= 40; run++) {
    if (looks.startRun()) renewed.push(run);
    time += 100;
  }
  expect(renewed).toEqual([0, 20, 40]);
});

test('a clock that was set back ends the moment', () => {
  let time = 1_000_000;
  const looks = createFileLooks(undefined, () => time);
  looks.startRun();
  time -= 3_600_000;
  expect(looks.startRun()).toBe(true);
});

test('what is open in an editor is asked for in every run', () => {
  const documents = new Map([['/shop/db.ts', 'export {};']]);
  const looks = createFileLooks(
    {
      textOf: (path) => {
        const text = documents.get(path);
        return text === undefined ? undefined : { text, version: 1 };
      },
      paths: () => documents.keys(),
    },
    () => 0,
  );
  looks.startRun();
  expect(looks.isFile('/shop/db.ts')).toBe(true);
  documents.clear();
  expect(looks.startRun()).toBe(true);
  expect(looks.isFile('/shop/db.ts')).toBe(false);
});
