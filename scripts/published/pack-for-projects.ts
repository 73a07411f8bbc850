import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { artifacts, type Artifact } from './artifacts.ts';
import { packArtifact } from './pack.ts';

/** Builds and packs the artifacts of a kind into a folder, by names without a version, and says how each is installed. */
export async function packForProjects(
  kind: Artifact['kind'],
  {
    root,
    into,
    say,
  }: { readonly root: string; readonly into: string; readonly say: (line: string) => void },
): Promise<void> {
  const wanted = artifacts.filter((artifact) => artifact.kind === kind);
  build(root, wanted);
  mkdirSync(into, { recursive: true });
  const paths: string[] = [];
  for (const artifact of wanted) paths.push(await packInto(into, artifact, root));
  say(`${paths.map((path) => relative(root, path)).join(', ')} written.`);
  say(
    kind === 'vsix'
      ? `Install it: code --install-extension ${paths.join(' ')}`
      : `Install what you want of it, in your project: npm install --save-dev ${paths.join(' ')}`,
  );
}

/** The bundles of the artifacts; a workspace's own are built by its prepack script. */
function build(root: string, wanted: readonly Artifact[]): void {
  const bundles = wanted.flatMap(({ folder, files }) =>
    folder === '.' ? files.map(({ path }) => path).filter((path) => path.startsWith('dist/')) : [],
  );
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), ...bundles], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The bundles could not be built; see above.');
}

/** A name that stays is one that a document can show. */
async function packInto(into: string, artifact: Artifact, root: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-packed-'));
  try {
    const path = join(into, fileNameOf(artifact));
    const packed = await packArtifact(artifact, root, folder);
    cpSync(packed, path);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of what is packed for projects. */
export function fileNameOf({ kind, name }: Artifact): string {
  return kind === 'vsix' ? 'poolguard.vsix' : `${name}.tgz`;
}
