import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const person = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
};

/** Makes a bare git directory at `path`, with one commit for each set of files; answers the hashes. A file of an earlier commit stays unless it is written again. */
export async function createGitRepository(
  path: string,
  commits: readonly Readonly<Record<string, string>>[],
): Promise<readonly string[]> {
  const git = async (...args: string[]) =>
    (
      await run('git', ['--git-dir', path, '--work-tree', `${path}.work`, ...args], {
        env: { ...process.env, ...person },
      })
    ).stdout.trim();
  await mkdir(`${path}.work`, { recursive: true });
  await run('git', ['init', '--bare', '--quiet', path]);
  const hashes: string[] = [];
  for (const files of commits) {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(`${path}.work`, name)), { recursive: true });
      await writeFile(join(`${path}.work`, name), text);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', 'a commit');
    hashes.push(await git('rev-parse', 'HEAD'));
  }
  return hashes;
}
