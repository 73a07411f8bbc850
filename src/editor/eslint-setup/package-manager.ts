export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const managers: readonly PackageManager[] = ['npm', 'pnpm', 'yarn', 'bun'];

/** Each manager leaves a file behind, which tells who installed. */
export const lockFiles: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
};

/** The one that package.json names (`pnpm@9.1.0`), else the one whose lock file is there, else npm. */
export function packageManagerOf(named: unknown, files: ReadonlySet<string>): PackageManager {
  const first =
    typeof named === 'string' ? managers.find((each) => named.startsWith(`${each}@`)) : undefined;
  const left = Object.entries(lockFiles).find(([file]) => files.has(file))?.[1];
  return first ?? left ?? 'npm';
}

const installs: Readonly<Record<PackageManager, string>> = {
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
  bun: 'bun add --dev',
};

/** pnpm refuses to add to the root of a workspace unless it is told that this is meant. */
export function installCommand(
  manager: PackageManager,
  packages: readonly string[],
  files: ReadonlySet<string>,
): string {
  const root = manager === 'pnpm' && files.has('pnpm-workspace.yaml') ? ' --workspace-root' : '';
  return `${installs[manager]}${root} ${packages.join(' ')}`;
}
