import { join, relative } from 'node:path';
import { slashed } from '../files/slashed.ts';
import { listFolder } from './read-bounded.ts';

/** What one folder of the workspace holds, by names relative to the workspace folder, with `/` between. */
export interface FoundFiles {
  readonly dotenv: readonly string[];
  /** In the order in which Compose merges them. */
  readonly compose: readonly string[];
}

/** Templates hold stand-ins, and others hold ciphertext. */
const noAddresses = /\.(?:example|sample|template|dist|vault|keys|schema|md|bak|d\.ts)$/i;
/** Names of Compose files in the order in which Compose looks for them; an override file follows its base. */
const composeNames: readonly (readonly string[])[] = [
  ['compose.yaml', 'compose.override.yaml', 'compose.override.yml'],
  ['compose.yml', 'compose.override.yml', 'compose.override.yaml'],
  ['docker-compose.yaml', 'docker-compose.override.yaml', 'docker-compose.override.yml'],
  ['docker-compose.yml', 'docker-compose.override.yml', 'docker-compose.override.yaml'],
];

const foldersNotEntered: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'coverage',
  'vendor',
  'target',
  'tmp',
  'temp',
  'test',
  'tests',
  'fixtures',
]);
const deepest = 2;
const mostFolders = 200;
const mostEntries = 2_000;
const mostFiles = 50;

/** Looks for `.env*` and Compose files in a workspace folder and two levels below, as a repository with several packages has them. Links to folders are not followed. */
export async function findFiles(root: string): Promise<readonly FoundFiles[]> {
  const found: FoundFiles[] = [];
  let files = 0;
  let level: readonly string[] = [root];
  let visited = 0;
  for (let depth = 0; depth <= deepest; depth += 1) {
    const next: string[] = [];
    for (const folder of level.slice(0, mostFolders - visited)) {
      visited += 1;
      const entries = await listFolder(folder, mostEntries);
      const here = pickFiles(
        entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name),
        (name) => nameWithin(root, join(folder, name)),
      );
      files += here.dotenv.length + here.compose.length;
      if (files > mostFiles) return found;
      if (here.dotenv.length + here.compose.length > 0) found.push(here);
      next.push(
        ...entries
          .filter(
            ({ name, isFolder }) =>
              isFolder && !name.startsWith('.') && !foldersNotEntered.has(name),
          )
          .map(({ name }) => join(folder, name)),
      );
    }
    level = next;
  }
  return found;
}

/** A Compose file with the override files that Compose merges into it, which only a base of a usual name has. */
export async function composeFilesFrom(folder: string, base: string): Promise<readonly string[]> {
  const names = (await listFolder(folder, mostEntries)).map(({ name }) => name);
  return (
    composeNames.find(([usual]) => usual === base)?.filter((name) => names.includes(name)) ?? [base]
  );
}

function pickFiles(names: readonly string[], within: (name: string) => string): FoundFiles {
  const dotenv = names.filter(
    (name) => /^\.env(?:rc|\..+)?$/.test(name) && !noAddresses.test(name),
  );
  const compose =
    composeNames
      .find(([base = '']) => names.includes(base))
      ?.filter((name) => names.includes(name)) ?? [];
  return { dotenv: dotenv.map(within), compose: compose.map(within) };
}

function nameWithin(root: string, path: string): string {
  return slashed(relative(root, path));
}
