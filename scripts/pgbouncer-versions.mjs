// Brings the PgBouncer of each release of Debian, from the oldest that its mirror still has to the newest, below `.cache/test-tools/`: some 40 MB each.
// Each runs with the C library of its own release. Run by `npm run test:pgbouncer-versions`, on Debian only.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptIn, missingPackages, run } from './test-tools/pgbouncer.mjs';
import { isProgram, ownPath } from './test-tools/find.mjs';
import { unpack } from './test-tools/unpacked.mjs';

const releases = ['bullseye', 'bookworm', 'trixie', 'sid'];

/** The programs that are on this machine, by the release of Debian that they are of. */
export function findPgBouncers() {
  return releases
    .map((release) => ({ release, program: ownPath(`pgbouncer-${release}`) }))
    .filter(({ program }) => isProgram(program));
}

/** Where this system has the packages of its own release from. */
function findMirror() {
  const lines = run('apt-get', ['indextargets', '--format', '$(ORIGIN) $(REPO_URI) $(SUITE)'], '/');
  const [, mirror] = /^Debian (\S+) (?!.*(?:security|updates|backports))/m.exec(lines) ?? [];
  if (mirror === undefined) throw new Error('The lists of apt name no mirror of Debian.');
  return mirror;
}

async function bring(release, mirror) {
  await unpack(`pgbouncer-${release}`, (folder) => {
    const sources = join(folder, 'sources.list');
    writeFileSync(
      sources,
      `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${release} main\n`,
    );
    const apt = aptIn(join(folder, 'apt'), [
      `Dir::Etc::SourceList=${sources}`,
      'Dir::Etc::SourceParts=-',
      // As on a system on which nothing is installed: all libraries are those of the release.
      'Dir::State::status=/dev/null',
    ]);
    apt('update', '-q');
    const wanted = missingPackages(
      apt('install', '--simulate', '--no-install-recommends', 'pgbouncer'),
    );
    apt('download', ...wanted);
    for (const archive of readdirSync(join(folder, 'apt')).filter((name) => name.endsWith('.deb')))
      run('dpkg', ['-x', join(folder, 'apt', archive), folder], folder);
    run('rm', ['-r', join(folder, 'apt'), sources], folder);
    return [
      'libraries=$(find "$here" -name "*.so*" -exec dirname {} + | sort -u | tr "\\n" ":")',
      'loader=$(find "$here" -name "ld-linux-*.so.*" | head -n 1)',
      'exec "$loader" --library-path "$libraries" "$here/usr/sbin/pgbouncer" "$@"',
    ].join('\n');
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const mirror = findMirror();
  for (const release of releases)
    if (!isProgram(ownPath(`pgbouncer-${release}`))) await bring(release, mirror);
}
