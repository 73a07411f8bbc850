import fc from 'fast-check';
import { expect } from 'vitest';
import { connectionsInCompose } from '../../src/connections/compose-connections.ts';
import { parseComposeFile } from '../../src/connections/compose-file.ts';
import { toConnectionString } from '../../src/connections/connection-string.ts';
import { readDotenv } from '../../src/connections/dotenv.ts';
import { expandVariables } from '../../src/connections/expand-variables.ts';
import { mergeFound, toFound } from '../../src/connections/found-connection.ts';
import type { NamedTarget } from '../../src/connections/named-target.ts';
import { connectionsInPgpass, parsePgpass } from '../../src/connections/pgpass.ts';
import { connectionsInServices, parseServiceFile } from '../../src/connections/service-file.ts';
import { connectionsInVariables } from '../../src/connections/variable-connections.ts';
import { redact, Secret } from '../../src/database/secret.ts';
import { describeTarget, parseTarget, targetFromEnvironment } from '../../src/database/target.ts';
import { fuzz } from './support/fuzz.ts';
import { textOf } from './support/pieces.ts';

const secret = 'hunter2';
const envPieces = [
  'DATABASE_URL',
  'PGHOST',
  'PGPASSWORD',
  'DB_HOST',
  'DB_USER',
  'DB_NAME',
  'DB_PASSWORD',
  'DB_PORT',
  'export ',
  '=',
  ' = ',
  ': ',
  '"',
  "'",
  '`',
  '\n',
  '\r\n',
  '\r',
  '#',
  ' # ',
  '$',
  '${',
  '}',
  '${A:-',
  '${DB_HOST}',
  '\\n',
  '\\$',
  'localhost',
  '5432',
  secret,
  'postgres://',
  'app',
  ':',
  '@',
  '/',
  'shop',
  '?sslmode=',
  'require',
  '\u2028',
  '\0',
];
const yamlPieces = [
  'services:\n',
  '  db:\n',
  '    image: ',
  'postgres:16',
  '\n',
  '    environment:\n',
  '      POSTGRES_PASSWORD: ',
  '      - POSTGRES_USER=',
  secret,
  'app',
  '    ports:\n',
  '      - "',
  '5432:5432',
  '127.0.0.1::',
  '"',
  '&a ',
  '*a',
  '<<: *a',
  '{',
  '}',
  '[',
  ']',
  '- ',
  '? ',
  '!!js ',
  '|',
  '>-',
  '${X:-y}',
  '    env_file: .env\n',
  '    network_mode: host\n',
  '\t',
  ':',
];
const urlPieces = [
  'postgres://',
  'postgresql://',
  'http://',
  'app',
  ':',
  secret,
  '@',
  'localhost',
  '[::1]',
  '%2Ftmp',
  '%',
  '%zz',
  ':5432',
  ':0',
  ':99999',
  '/',
  'shop',
  '?',
  '&',
  '=',
  'sslmode=',
  'require',
  'host=',
  'port=',
  'user=',
  'password=',
  'dbname=',
  "'",
  '\\',
  ' ',
  ',',
  '#',
  'options=-c%20x',
  '\0',
  '\n',
  'é',
];

/** Nothing but `reveal()` tells the password, and a target is whole. */
function expectDiscreet(found: readonly NamedTarget[]): void {
  for (const { target, secret: kept } of mergeFound(
    found.map((named) => toFound(named, { file: '.env', folder: '/a' })),
  )) {
    expect(`${String(kept)} ${JSON.stringify(kept)}`).toMatch(
      /^(?:\[hidden\] "\[hidden\]"|null null)$/u,
    );
    expect(describeTarget(target).length).toBeLessThan(20_000);
    expect(Number.isInteger(target.port) && target.port > 0 && target.port < 65_536).toBe(true);
  }
}

fuzz(
  'any .env file gives names and values, and whole targets',
  fc.tuple(
    textOf(envPieces),
    fc.constantFrom<'anywhere' | 'after space'>('anywhere', 'after space'),
  ),
  ([text, comment]) => {
    const { variables } = readDotenv(text, { comment });
    for (const value of variables.values()) expect(value.length).toBeLessThan(100_000);
    expectDiscreet(connectionsInVariables(variables, 'me'));
  },
);

fuzz(
  'variables that name each other come to an end',
  fc.tuple(
    textOf([
      '${',
      '}',
      '$',
      'A',
      'B',
      ':-',
      '-',
      ':+',
      '+',
      '?',
      ':?',
      '\\',
      ' ',
      '$A',
      '${A}',
      '${B:-${A}}',
    ]),
    textOf(['${A}${A}', '$B', 'x'.repeat(500)], 6),
  ),
  ([text, value]) => {
    expect(expandVariables(text, (name) => (name === 'A' ? value : undefined)).length).toBeLessThan(
      2_000_000,
    );
  },
);

fuzz('any Compose file gives whole targets, or none', textOf(yamlPieces, 30), (text) => {
  expectDiscreet(
    connectionsInCompose(parseComposeFile(text), {
      variables: new Map([['X', text]]),
      envFiles: new Map(),
    }),
  );
});

fuzz(
  'any password file gives lines whose passwords stay hidden',
  textOf([
    'localhost',
    '*',
    ':',
    '\\:',
    '\\',
    '5432',
    'shop',
    'app',
    secret,
    '\n',
    '#',
    '\r\n',
    '::::',
  ]),
  (text) => {
    const lines = parsePgpass(text);
    expect(JSON.stringify(lines.map(({ password }) => password))).not.toContain(secret);
    expectDiscreet(connectionsInPgpass(lines));
  },
);

fuzz(
  'any service file gives whole targets, or none',
  textOf([
    '[',
    ']',
    '[shop]\n',
    'host',
    'port',
    'dbname',
    'user',
    'password',
    '=',
    secret,
    'localhost',
    '5432',
    '\n',
    '#',
    '__proto__',
    'constructor',
    ' ',
    '\r\n',
  ]),
  (text) => {
    expectDiscreet(connectionsInServices(parseServiceFile(text), 'me'));
  },
);

const field = fc.string({
  unit: fc.constantFrom(
    'a',
    'B',
    '7',
    ' ',
    ':',
    '@',
    '/',
    '%',
    '?',
    '#',
    '&',
    '=',
    "'",
    '\\',
    'é',
    '😀',
    '+',
    '.',
    '-',
  ),
  minLength: 1,
  maxLength: 8,
});
const password = field.map((text) => `zQ9${text}`);

fuzz(
  'a connection string is a target, or a sentence without its password',
  textOf(urlPieces),
  (text) => {
    for (const answer of [parseTarget(text), targetFromEnvironment({ DATABASE_URL: text })]) {
      if (answer?.kind === 'problem') {
        expect(answer.sentence).toMatch(/\.$/u);
        expect(answer.sentence).not.toContain(secret);
      } else if (answer !== null) {
        expectDiscreet([{ name: 'x', ...answer }]);
      }
    }
  },
);

fuzz(
  'what a target is written as is read as that target',
  fc.record({
    user: field,
    database: field,
    host: fc.constantFrom('localhost', 'db.example.com', '::1', '/var/run/x', '10.0.0.1'),
    port: fc.integer({ min: 1, max: 65_535 }),
  }),
  ({ user, database, host, port }) => {
    // A URL loses the segments that mean a folder, in whatever way they are written.
    if (['.', '..'].includes(database)) return;
    const read = parseTarget(
      `postgres://${encodeURIComponent(user)}:p@${host.startsWith('/') ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host}:${port}/${encodeURIComponent(database)}`,
    );
    expect(read).toMatchObject({ kind: 'target', target: { user, database, host, port } });
    if (read.kind !== 'target') return;
    expect(parseTarget(toConnectionString(read.target))).toMatchObject({
      kind: 'target',
      target: { user, database, host, port },
    });
  },
);

fuzz(
  'a text of the driver that repeats the password does not tell it',
  fc.tuple(password, textOf(urlPieces, 8), textOf(urlPieces, 8)),
  ([hidden, before, after]) => {
    for (const spelled of [hidden, encodeURIComponent(hidden)])
      expect(redact(`${before}${spelled}${after}`, new Secret(hidden))).not.toContain(spelled);
    expect(
      redact(`cannot reach postgres://app:${hidden.replace(/[\s@]/gu, '')}@host/db`, null),
    ).not.toContain(hidden.replace(/[\s@]/gu, ''));
  },
);
