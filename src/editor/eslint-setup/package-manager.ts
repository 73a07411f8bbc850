import { isPublished, toInstall } from '../../publication.ts';

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
function installCommand(
  manager: PackageManager,
  packages: readonly string[],
  files: ReadonlySet<string>,
): string {
  const root = manager === 'pnpm' && files.has('pnpm-workspace.yaml') ? ' --workspace-root' : '';
  return `${installs[manager]}${root} ${packages.join(' ')}`;
}

/** What a project lacks. */
interface Lacking {
  readonly plugin: boolean;
  readonly eslint: boolean;
}

/** The command that installs what a project lacks, and the sentence that offers it. */
export function nextStep(
  lacking: Lacking,
  manager: PackageManager,
  files: ReadonlySet<string>,
  published = isPublished,
): { readonly command: string; readonly sentence: string } {
  const packages = [
    ...(lacking.plugin ? [toInstall('eslint-plugin-poolguard', published)] : []),
    ...(lacking.eslint ? ['eslint'] : []),
  ];
  const command = installCommand(manager, packages, files);
  return {
    command,
    sentence:
      lacking.plugin && !published
        ? `Next step: ${command}. The plugin is not published yet; npm run package writes this file in a checkout of Poolguard.`
        : `Next step: ${command}`,
  };
}
