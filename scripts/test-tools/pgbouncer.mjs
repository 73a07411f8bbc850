// PgBouncer of Debian or Ubuntu, downloaded and unpacked by their own programs, without rights and without a change to the system.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inPath, isProgram } from './find.mjs';
import { unpack } from './unpacked.mjs';

/** Brings PgBouncer in the version of this system's release, with the libraries that the system lacks. @param {(line: string) => void} say */
export async function bringPgBouncer(say) {
  if (!inPath('apt-get', process.env.PATH).some(isProgram))
    throw new Error(
      'it comes from the packages of Debian or Ubuntu, and there is no apt-get here.',
    );
  await unpack('pgbouncer', (folder) => {
    const apt = aptIn(join(folder, 'apt'));
    say('  the lists of packages …');
    apt('update', '-q');
    const wanted = missingPackages(
      apt('install', '--simulate', '--no-install-recommends', '--reinstall', 'pgbouncer'),
    );
    say(`  ${wanted.join(', ')} …`);
    apt('download', ...wanted);
    for (const archive of readdirSync(join(folder, 'apt')).filter((name) => name.endsWith('.deb')))
      run('dpkg', ['-x', join(folder, 'apt', archive), folder], folder);
    run('rm', ['-r', join(folder, 'apt')], folder);
    return 'for folder in "$here"/usr/lib/*-linux-gnu*; do LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; done\nexport LD_LIBRARY_PATH\nexec "$here/usr/sbin/pgbouncer" "$@"';
  });
}

/** The program and the libraries among the packages that apt would install; what else it has around it (a service, its user) is of no use here. @param {string} simulation */
export function missingPackages(simulation) {
  const names = [...simulation.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
  return names.filter(
    (name) => name === 'pgbouncer' || (name.startsWith('lib') && !name.endsWith('-perl')),
  );
}

/** apt-get with lists and state of its own, so that any user may run it. @param {string} folder @param {readonly string[]} further settings */
export function aptIn(folder, further = []) {
  for (const part of ['lists/partial', 'archives/partial', 'state'])
    mkdirSync(join(folder, part), { recursive: true });
  const settings = [
    `Dir::State::Lists=${join(folder, 'lists')}`,
    `Dir::Cache=${folder}`,
    `Dir::State=${join(folder, 'state')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'APT::Sandbox::User=',
    'Debug::NoLocking=1',
    ...further,
  ];
  return (...args) =>
    run('apt-get', [...settings.map((setting) => `-o${setting}`), ...args], folder);
}

export function run(program, args, cwd) {
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C' },
    });
  } catch (cause) {
    const last = String(cause.stderr ?? '')
      .split('\n')
      .filter((line) => /^(?:E|W|dpkg):?/.test(line))
      .slice(-4);
    throw new Error(`${program} could not: ${last.join(' ') || cause.message}`, { cause });
  }
}
