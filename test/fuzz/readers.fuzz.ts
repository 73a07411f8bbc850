import fc from 'fast-check';
import { expect } from 'vitest';
import { parseComposeFile } from '../../src/connections/compose-file.ts';
import { readDotenv } from '../../src/connections/dotenv.ts';
import { parsePgpass } from '../../src/connections/pgpass.ts';
import { parseServiceFile } from '../../src/connections/service-file.ts';
import { connectionsInVariables } from '../../src/connections/variable-connections.ts';
import { statementKinds } from '../../rules/model/sql.ts';
import { createWork } from '../../src/globs/work.ts';
import { parseLooseJson } from '../../rules/project/loose-json.ts';
import { globsOfPnpm } from '../../rules/project/workspaces.ts';
import { readIgnoreRules } from '../../src/lint/ignore-rules.ts';
import { readResult } from '../../src/probe/saved/read-result.ts';
import { readReport } from '../../src/running/read-report.ts';
import { fuzz } from './support/fuzz.ts';

/** Each reader of a text of a workspace answers the worst 100 kB that are found within a second of the processor's time. */
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
    [
      'a: ',
      '- ',
      '&a ',
      '*a ',
      '<<: *a\n',
      '[',
      ']',
      '{',
      '}',
      '\n',
      '  ',
      '"',
      '|',
      '? ',
      ',',
      '---\n',
      '!!str ',
    ],
    parseComposeFile,
  ],
  ['.pgpass', ['a', ':', '\\', '*', '\n', '#', '5432'], parsePgpass],
  ['pg_service.conf', ['[', ']', 'a', '=', '\n', '#', ' '], parseServiceFile],
  [
    'pnpm-workspace.yaml',
    ['packages:', '\n', '- ', '"', "'", '*', '[', ']', ',', ' ', '#', 'a'],
    globsOfPnpm,
  ],
  [
    '.gitignore',
    ['*', '**', '/', '!', '?', '[a-z]', '[!', ']', '\\', ' ', '\n', 'a', '*a*b', '#'],
    (text) => {
      const says = readIgnoreRules(text, createWork());
      for (const name of ['a', 'b', 'a'.repeat(200), `${'ab/'.repeat(60)}a`]) says(name, false);
    },
  ],
  [
    'tsconfig.json',
    ['{', '}', '[', ']', '"a"', ':', ',', '//', '/*', '*/', '\n', ' ', '1', '"', '\\u0041', '-'],
    (text) => attempt(() => parseLooseJson(text)),
  ],
  [
    'SQL of a program',
    [
      'SELECT ',
      'BEGIN',
      ';',
      "'",
      '"',
      '$a$',
      '$$',
      '--',
      '/*',
      '*/',
      "E'",
      '\\',
      '\n',
      '(',
      ')',
      'U&',
      'SET a = ',
      'WITH a AS (',
    ],
    statementKinds,
  ],
  [
    'saved results',
    [
      '{',
      '}',
      '[',
      ']',
      '"experiment":',
      '"schemaVersion":',
      '"sweep"',
      '1',
      ',',
      '"',
      '\\',
      '{"a":',
    ],
    (text) => readResult(text, 'result.json'),
  ],
  [
    "lines of a monitor's report",
    ['{', '}', '[', ']', '"kind":', '"broken"', '"sentence":', '1', ',', '"', '\u202e', '{"a":'],
    readReport,
  ],
];

/** Of a text that may be none of its kind. */
function attempt(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
}

for (const [reader, pieces, read] of texts)
  fuzz(
    `${reader}: 100 kB within a second`,
    repeated(pieces),
    (text) => expectQuick(() => read(text)),
    200,
  );
