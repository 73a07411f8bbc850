import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMissing } from '../../../scripts/test-tools/describe-missing.mjs';
import { findTool } from '../../../scripts/test-tools/find.mjs';
import { missingPackages } from '../../../scripts/test-tools/pgbouncer.mjs';

test('of what apt would install, the program and its libraries are taken', () => {
  const simulation = `NOTE: This is only a simulation!
Inst libjson-perl (4.10000-1 Debian:12.12/oldstable [all])
Inst postgresql-client-common (248+deb12u1 Debian:12.12/oldstable [all])
Inst ssl-cert (1.1.2 Debian:12.12/oldstable [all])
Inst libc-ares2 (1.18.1-3 Debian:12.12/oldstable [amd64])
Inst libevent-2.1-7 [2.1.11] (2.1.12-stable-8 Debian:12.12/oldstable [amd64])
Inst pgbouncer (1.18.0-1+deb12u1 Debian:12.12/oldstable [amd64])
Conf libc-ares2 (1.18.1-3 Debian:12.12/oldstable [amd64])
`;
  expect(missingPackages(simulation)).toEqual(['libc-ares2', 'libevent-2.1-7', 'pgbouncer']);
});

describe('what cannot be had is said with the command that brings it', () => {
  test.each([
    ['pgbouncer', 'linux', '/usr/bin/apt-get', 'What brings it: sudo apt-get install pgbouncer'],
    ['chromium', 'linux', '/sbin/apk', 'What brings it: sudo apk add chromium'],
    ['pgbouncer', 'linux', '', 'Install it by hand, so that it is in the PATH.'],
    ['chromium', 'linux', '', 'Install it by hand, so that CHROME_PATH names it.'],
    ['neovim', 'linux', '/usr/bin/apt-get', 'What brings it: sudo apt-get install python3-pip'],
    ['neovim', 'darwin', '', 'What brings it: brew install neovim'],
    ['pgbouncer', 'darwin', '', 'What brings it: brew install pgbouncer'],
    ['chromium', 'darwin', '', 'What brings it: brew install --cask google-chrome'],
    ['chromium', 'win32', '', 'What brings it: winget install Google.Chrome'],
    ['pgbouncer', 'win32', '', 'There is none for Windows: run the tests in WSL.'],
  ] as const)('%s on %s %s', (tool, platform, manager, command) => {
    const lines = describeMissing(
      [{ tool, why: 'the network is away.' }],
      platform,
      (path) => path === manager,
    ).split('\n');
    expect(lines.slice(2, -1)).toEqual([`  ${tool}: the network is away.`, `    ${command}`]);
  });
});

describe('a program is found', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolguard-tools-'));
    program = join(folder, 'pgbouncer');
    await writeFile(program, '#!/bin/sh\n');
    await chmod(program, 0o755);
  });

  afterAll(() => rm(folder, { recursive: true }));

  test('in the PATH first', () => {
    expect(findTool('pgbouncer', { PATH: `/nowhere:${folder}:/usr/sbin` })).toBe(program);
  });

  test('by its variable first', () => {
    expect(findTool('chromium', { CHROME_PATH: program })).toBe(program);
  });

  test('not in the system when only those of the repository are wanted', () => {
    expect([undefined, expect.stringContaining('.cache')]).toContainEqual(
      findTool('pgbouncer', { PATH: folder, POOLGUARD_TEST_TOOLS: 'own' }),
    );
  });
});
