import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readZip } from '../../test/support/read-zip.ts';
import { artifactNamed, noticeFile, type Artifact } from './artifacts.ts';
import { forEditors, forNpm, type Manifest } from './manifests.ts';
import { noticeOf } from './notice.ts';
import type { PackedFiles } from './scan.ts';
import { currentVersion } from './versions.ts';

const isWindows = process.platform === 'win32';

/** Where an artifact stands in the folder. */
export function packedPath({ name, kind }: Artifact, root: string, into: string): string {
  return join(
    into,
    kind === 'npm'
      ? `${name}-${currentVersion(root)}.tgz`
      : `poolguard-${currentVersion(root)}.vsix`,
  );
}

/** Packs an artifact into the folder; its bundles must have been built. Throws what npm or vsce said when they would not. */
export async function packArtifact(
  artifact: Artifact,
  root: string,
  into: string,
): Promise<string> {
  const path = packedPath(artifact, root, into);
  mkdirSync(into, { recursive: true });
  if (artifact.kind === 'vsix') await packExtension(root, path);
  else if (artifact.folder === '.')
    inStage(artifact, root, forNpm, (folder) =>
      runNpm(['pack', '--pack-destination', into, folder], root),
    );
  else
    runNpm(
      [
        'pack',
        '--foreground-scripts=false',
        '--workspace',
        artifact.folder,
        '--pack-destination',
        into,
      ],
      root,
    );
  return path;
}

/** Packs the extension as that file. */
export async function packExtension(root: string, packagePath: string): Promise<void> {
  // What `npm start` installs is enough for the packages of npm, and has no vsce.
  const { createVSIX } = await import('@vscode/vsce');
  await inStage(artifactNamed('Poolguard for VS Code'), root, forEditors, (cwd) => {
    // vsce wants to be told that all of the folder is meant.
    writeFileSync(join(cwd, '.vscodeignore'), '');
    return createVSIX({ cwd, packagePath, dependencies: false });
  });
}

/**
 * npm and vsce both read package.json and `files` in it and mean different things, so that each packs from a folder of its own,
 * which holds what is listed and nothing else.
 */
function inStage<T>(
  artifact: Artifact,
  root: string,
  manifestFor: (manifest: Manifest) => Manifest,
  pack: (folder: string) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-pack-'));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (const { path } of artifact.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      if (path === 'package.json')
        writeFileSync(
          join(folder, path),
          `${JSON.stringify(manifestFor(JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest), null, 2)}\n`,
        );
      else if (path === noticeFile) writeFileSync(join(folder, path), noticeOf(artifact, root));
      else cpSync(join(root, path), join(folder, path));
    }
    const packed = pack(folder);
    return packed instanceof Promise ? (packed.finally(clear) as T) : (clear(), packed);
  } catch (error) {
    clear();
    throw error;
  }
}

/** Runs npm to its end; throws what it said when it fails. */
function runNpm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: isWindows,
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

/** Every file of a packed artifact, by its path in the package. */
export async function readPacked(
  { kind }: Pick<Artifact, 'kind'>,
  path: string,
): Promise<PackedFiles> {
  if (kind === 'npm') return readTarball(path);
  const inside = [...(await readZip(path))].filter(([name]) => name.startsWith('extension/'));
  // vsce writes these under names of its own.
  const names: Readonly<Record<string, string>> = {
    'readme.md': 'README.md',
    'changelog.md': 'CHANGELOG.md',
    'LICENSE.txt': 'LICENSE',
  };
  return new Map(
    inside
      .map(([name, bytes]) => [name.slice('extension/'.length), bytes] as const)
      .map(([name, bytes]) => [names[name] ?? name, bytes]),
  );
}

function readTarball(path: string): PackedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-read-'));
  try {
    const { status, stderr } = spawnSync('tar', ['-xzf', path, '-C', folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${path} could not be unpacked: ${stderr}`);
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
      entry.isFile(),
    );
    return new Map(
      entries
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [
          relative(join(folder, 'package'), file).replaceAll('\\', '/'),
          readFileSync(file),
        ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
