import { lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whyNotWritable, writeWhole } from '../../../src/files/write-whole.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

test('writes a new file, and nothing beside it', async () => {
  await using folder = await createTemporaryFolder();
  expect(writeWhole(join(folder.path, 'new.html'), 'text')).toBeNull();
  expect(await readFile(join(folder.path, 'new.html'), 'utf8')).toBe('text');
  expect(await readdir(folder.path)).toEqual(['new.html']);
});

test('outside the workspace a link stays a link, and its file gets the text', async () => {
  await using folder = await createTemporaryFolder({ 'real.json': 'old' });
  await symlink('real.json', join(folder.path, 'link.json'));
  expect(writeWhole(join(folder.path, 'link.json'), 'new')).toBeNull();
  expect((await lstat(join(folder.path, 'link.json'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder.path, 'real.json'), 'utf8')).toBe('new');
});

test('in the workspace nothing is written through a link', async () => {
  await using folder = await createTemporaryFolder({ 'real.json': 'old' });
  await symlink('real.json', join(folder.path, 'link.json'));
  await symlink('.', join(folder.path, 'here'));
  for (const path of ['link.json', 'here/real.json', 'here/new.json'])
    expect(writeWhole(join(folder.path, path), 'new', { cwd: folder.path })).toContain(
      'a link leads from there to',
    );
  expect((await readdir(folder.path)).sort()).toEqual(['here', 'link.json', 'real.json']);
  expect(await readFile(join(folder.path, 'real.json'), 'utf8')).toBe('old');
});

test('a folder is refused, and one that is missing, before and while writing', async () => {
  await using folder = await createTemporaryFolder();
  await mkdir(join(folder.path, 'sub'));
  for (const ask of [whyNotWritable, (path: string) => writeWhole(path, 'text')]) {
    expect(ask(join(folder.path, 'sub'))).toBe(
      `${folder.path}/sub is a folder. Name a file in it.`,
    );
    expect(ask(join(folder.path, 'none/x.json'))).toBe(
      `The folder of ${folder.path}/none/x.json does not exist. Create it first.`,
    );
  }
  expect(await readdir(folder.path)).toEqual(['sub']);
});

test('the name of a draft fits where that of the file fits', async () => {
  await using folder = await createTemporaryFolder();
  const name = `${'x'.repeat(250)}.csv`;
  expect(writeWhole(join(folder.path, name), 'text')).toBeNull();
  expect(writeWhole(join(folder.path, `${name}y`.repeat(2)), 'text')).toBe(
    'That name is longer than the file system allows. Choose a shorter one.',
  );
});

test.runIf(process.platform === 'linux')('a disk without room says so', () => {
  expect(writeWhole('/dev/full', 'text')).toBe(
    'There is no space left for /dev/full; nothing of it was kept. Make room, or choose another place.',
  );
});

test.runIf(process.platform === 'linux')('a device is written to, not replaced', async () => {
  expect(writeWhole('/dev/null', 'text')).toBeNull();
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});
