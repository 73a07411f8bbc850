import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { artifacts } from './artifacts.ts';
import { packedPath } from './pack.ts';
import { currentVersion } from './versions.ts';

export const places = ['npm', 'marketplace', 'open-vsx', 'github'] as const;
export type Place = (typeof places)[number];

export interface PublishOptions {
  readonly root: string;
  /** The folder that `release:check` filled. */
  readonly from: string;
  /** Publishes nothing. */
  readonly isDryRun: boolean;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** When this one succeeds there is nothing left to do: a job that broke off is simply run again. */
  readonly unless?: readonly string[];
}

/** The version of Open VSX's client; it is no dependency since it brings a second vsce. */
const ovsx = 'ovsx@1.3.0';

/**
 * The commands that bring the packed artifacts to a place. Credentials are none of their arguments:
 * npm and vsce get them from GitHub and Azure for this one run, ovsx and gh read the environment.
 */
export function commandsFor(
  place: Place,
  { root, from, isDryRun }: PublishOptions,
): readonly Command[] {
  const version = currentVersion(root);
  const packed = artifacts.map((artifact) => ({
    ...artifact,
    path: packedPath(artifact, root, from),
  }));
  const packages = packed.filter(({ kind }) => kind === 'npm');
  const extensions = packed.filter(({ kind }) => kind === 'vsix');
  const commands: Readonly<Record<Place, readonly Command[]>> = {
    // The manifests ask for provenance and public access (`publishConfig`); outside of a build server there is no provenance to give.
    npm: packages.map(({ name, path }) =>
      isDryRun
        ? { program: 'npm', args: ['publish', path, '--dry-run', '--provenance=false'] }
        : {
            program: 'npm',
            args: ['publish', path],
            unless: ['view', `${name}@${version}`, 'version'],
          },
    ),
    marketplace: extensions.map(({ path }) => ({
      program: 'npx',
      args: ['vsce', 'publish', '--azure-credential', '--skip-duplicate', '--packagePath', path],
    })),
    'open-vsx': extensions.map(({ path }) => ({
      program: 'npx',
      args: ['--yes', ovsx, 'publish', '--skip-duplicate', path],
    })),
    github: [
      {
        program: 'gh',
        args: [
          'release',
          'create',
          `v${version}`,
          '--verify-tag',
          '--title',
          `v${version}`,
          '--notes-file',
          join(from, 'release-notes.md'),
          join(from, 'SHA256SUMS'),
          ...packed.flatMap(({ path }) => [path, `${path}.cdx.json`]),
        ],
      },
    ],
  };
  return commands[place];
}

/** Runs the commands one after the other and stops at the first that fails. True when all of them went well. Only npm knows a dry run; of the others it is said what would be run. */
export function publish(place: Place, options: PublishOptions): boolean {
  const run = (program: string, args: readonly string[], stdio: 'inherit' | 'ignore'): boolean =>
    spawnSync(program, args, { cwd: options.root, stdio, shell: process.platform === 'win32' })
      .status === 0;
  return commandsFor(place, options).every(({ program, args, unless }) => {
    const isLeftOut = options.isDryRun && place !== 'npm';
    console.log(`${isLeftOut ? 'Would run' : 'Runs'}: ${program} ${args.join(' ')}`);
    return (
      isLeftOut ||
      (unless !== undefined && run(program, unless, 'ignore')) ||
      run(program, args, 'inherit')
    );
  });
}
