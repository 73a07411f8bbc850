import { existsSync } from 'node:fs';

/** @typedef {{ readonly tool: import('./find.mjs').Tool, readonly why: string }} Missing */

const managers = [
  {
    program: '/usr/bin/apt-get',
    command: 'sudo apt-get install',
    packages: { pgbouncer: 'pgbouncer', chromium: 'chromium', neovim: 'python3-pip' },
  },
  {
    program: '/sbin/apk',
    command: 'sudo apk add',
    packages: { pgbouncer: 'pgbouncer', chromium: 'chromium', neovim: 'neovim' },
  },
  {
    program: '/usr/bin/dnf',
    command: 'sudo dnf install',
    packages: { pgbouncer: 'pgbouncer', chromium: 'chromium', neovim: 'neovim' },
  },
  {
    program: '/usr/bin/pacman',
    command: 'sudo pacman -S',
    packages: { pgbouncer: 'pgbouncer', chromium: 'chromium', neovim: 'neovim' },
  },
];
const homebrew = {
  command: 'brew install',
  packages: { pgbouncer: 'pgbouncer', chromium: '--cask google-chrome', neovim: 'neovim' },
};
const winget = {
  command: 'winget install',
  packages: { chromium: 'Google.Chrome', neovim: 'Neovim.Neovim' },
};

/**
 * What is not there, why, and the command that brings it.
 * @param {readonly Missing[]} missing @param {NodeJS.Platform} platform @param {(path: string) => boolean} isThere
 */
export function describeMissing(missing, platform, isThere = existsSync) {
  const rows = missing.flatMap(({ tool, why }) => [
    `  ${tool}: ${why}`,
    `    ${commandFor(tool, platform, isThere)}`,
  ]);
  const line = '─'.repeat(72);
  return [
    line,
    'Not on this machine, so that the tests that need it will fail:',
    ...rows,
    line,
  ].join('\n');
}

function commandFor(tool, platform, isThere) {
  const manager =
    platform === 'darwin'
      ? homebrew
      : platform === 'win32'
        ? winget
        : managers.find(({ program }) => isThere(program));
  const name = manager?.packages[tool];
  if (name !== undefined) return `What brings it: ${manager.command} ${name}`;
  return platform === 'win32'
    ? 'There is none for Windows: run the tests in WSL.'
    : `Install it by hand, so that ${tool === 'chromium' ? 'CHROME_PATH names it' : 'it is in the PATH'}.`;
}
