import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { parseComposeFile } from '../../src/connections/compose-file.ts';
import { readDotenv } from '../../src/connections/dotenv.ts';
import { parsePgpass } from '../../src/connections/pgpass.ts';
import { parseServiceFile } from '../../src/connections/service-file.ts';
import { connectionsInVariables } from '../../src/connections/variable-connections.ts';
import { globsOfPnpm } from '../../rules/project/workspaces.ts';
import { createLinter } from '../../src/lint/linter.ts';
import { poolguard } from '../../src/lint/poolguard.ts';
import { hostileWorkspaces, type HostileWorkspace } from '../support/hostile-workspaces.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { fuzz } from './support/fuzz.ts';

/** Each reader of a file of a workspace answers the worst 100 kB that are found within a second of the processor's time. */
const size = 100_000;
const mostMicroseconds = 1_000_000;

async function expectQuick(read: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  await read();
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThanOrEqual(mostMicroseconds);
}

/** A few pieces, over and over again, and what closes them. */
function repeated(pieces: readonly string[]): fc.Arbitrary<string> {
  const few = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 });
  return fc.tuple(few, few, fc.boolean()).map(([opening, closing, isClosed]) => {
    const [open, close] = [opening.join(''), isClosed ? closing.join('') : ''];
    const times = Math.floor(size / (open.length + close.length));
    return open.repeat(times) + close.repeat(times);
  });
}

const texts: readonly (readonly [
  reader: string,
  pieces: readonly string[],
  read: (text: string) => unknown,
])[] = [
  [
    '.env',
    ['A', 'B', '=', '$A', '${B}', '${A:-', '}', '"', "'", '\\', '\n', ' ', '#', 'export ', 'x'],
    (text) => connectionsInVariables(readDotenv(text).variables),
  ],
  [
    'Compose',
    ['a: ', '- ', '&a ', '*a ', '<<: *a\n', '[', ']', '{', '}', '\n', '  ', '"', '|', '? ', ','],
    parseComposeFile,
  ],
  ['.pgpass', ['a', ':', '\\', '*', '\n', '#', '5432'], parsePgpass],
  ['pg_service.conf', ['[', ']', 'a', '=', '\n', '#', ' '], parseServiceFile],
  [
    'pnpm-workspace.yaml',
    ['packages:', '\n', '- ', '"', "'", '*', '[', ']', ',', ' ', '#', 'a'],
    globsOfPnpm,
  ],
];

for (const [reader, pieces, read] of texts)
  fuzz(
    `${reader}: 100 kB within a second`,
    repeated(pieces),
    (text) => expectQuick(() => read(text)),
    200,
  );

/** As many parts as 100 kB have room for. */
function partsIn({ files }: HostileWorkspace): number {
  const bytesOf = (n: number): number =>
    Object.values(files(n)).reduce((sum, { length }) => sum + length, 0);
  let parts = 2;
  while (parts < 2_000 && bytesOf(2 * parts) <= size) parts *= 2;
  return parts;
}

for (const workspace of hostileWorkspaces) {
  const most = partsIn(workspace);
  fuzz(
    `${workspace.reader}: 100 kB within a second`,
    fc.constantFrom(most, Math.ceil(most / 2), Math.ceil(most / 7)),
    async (parts) => {
      const files = workspace.files(parts);
      await using folder = await createTemporaryFolder({ 'package.json': '{}', ...files });
      const name = 'user.ts' in files ? 'user.ts' : 'user.js';
      const lint = createLinter(poolguard, { cwd: folder.path, preset: 'strict', severities: {} });
      await expectQuick(() => lint({ path: join(folder.path, name), text: files[name] ?? '' }));
    },
    3,
  );
}
