import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { artifacts, compareContents } from './artifacts.ts';
import { packArtifact, readPacked } from './pack.ts';
import { sbomOf } from './sbom.ts';
import { scanFiles } from './scan.ts';
import { changelogSection, checkVersions, currentVersion } from './versions.ts';

export interface ReleaseOptions {
  readonly root: string;
  /** The folder that is filled; what it held is gone. */
  readonly into: string;
  /** The tag that is published, as `v1.2.3`; without one the changelog may be ahead of the version. */
  readonly tag?: string | undefined;
  readonly say: (line: string) => void;
}

/** Packs everything that is published, each with its bill of materials, checks what was packed, and writes the sums. What stands against a release, in sentences. */
export async function prepareRelease({
  root,
  into,
  tag,
  say,
}: ReleaseOptions): Promise<readonly string[]> {
  const objections = [...checkVersions(root, tag)];
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const written: string[] = [];
  for (const artifact of artifacts) {
    const path = await packArtifact(artifact, root, into);
    const files = await readPacked(artifact, path);
    objections.push(
      ...compareContents(artifact, [...files.keys()]),
      ...scanFiles(artifact.name, files),
    );
    const sbom = `${path}.cdx.json`;
    writeFileSync(sbom, await sbomOf(artifact, root));
    written.push(path, sbom);
    say(
      `${basename(path)}: ${files.size} files, ${Math.ceil(readFileSync(path).length / 1024)} KiB`,
    );
  }
  writeFileSync(
    join(into, 'SHA256SUMS'),
    written.map((path) => `${sha256(path)}  ${basename(path)}\n`).join(''),
  );
  writeFileSync(join(into, 'release-notes.md'), `${notes(root)}\n`);
  return objections;
}

function notes(root: string): string {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  return changelogSection(changelog, currentVersion(root)) ?? 'See CHANGELOG.md.';
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
