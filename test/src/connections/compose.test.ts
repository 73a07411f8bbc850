import { describe, expect, test } from 'vitest';
import { connectionsInCompose } from '../../../src/connections/compose-connections.ts';
import {
  longestComposeFile,
  mergeCompose,
  parseComposeFile,
} from '../../../src/connections/compose-file.ts';
import { readDotenv } from '../../../src/connections/dotenv.ts';
import { describeTarget } from '../../../src/database/target.ts';

interface Beside {
  readonly dotenv?: string;
  readonly envFiles?: Readonly<Record<string, string>>;
  readonly override?: string;
}

function read(
  text: string,
  { dotenv = '', envFiles = {}, override = '' }: Beside = {},
): readonly string[] {
  const services = mergeCompose(parseComposeFile(text), parseComposeFile(override));
  const environment = {
    variables: readDotenv(dotenv).variables,
    envFiles: new Map(
      Object.entries(envFiles).map(([path, each]) => [path, readDotenv(each).variables]),
    ),
  };
  return connectionsInCompose(services, environment).map(
    ({ name, target, secret, isPooler }) =>
      `${name} ${describeTarget(target)} ${secret?.reveal() ?? '-'}${isPooler ? ' pooler' : ''}`,
  );
}

function service(body: string, image = 'postgres:16'): string {
  return `services:\n  db:\n    image: ${image}\n${body
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}`;
}

type Row = readonly [what: string, text: string, expected: readonly string[], beside?: Beside];

const user = 'environment: { POSTGRES_USER: app, POSTGRES_PASSWORD: pw, POSTGRES_DB: shop }';
const port = 'ports: ["5433:5432"]';

const rows: readonly Row[] = [
  ['environment as a map', service(`${user}\n${port}`), ['db app@localhost:5433/shop pw']],
  [
    'environment as a list',
    service(
      `environment:\n  - POSTGRES_USER=app\n  - POSTGRES_PASSWORD=p=w\n  - POSTGRES_DB\n${port}`,
    ),
    ['db app@localhost:5433/app p=w'],
  ],
  [
    "the image's own user",
    service(`environment: { POSTGRES_PASSWORD: pw }\n${port}`),
    ['db postgres@localhost:5433/postgres pw'],
  ],
  [
    'a password that is a number',
    service(`environment: { POSTGRES_PASSWORD: 12345 }\n${port}`),
    ['db postgres@localhost:5433/postgres 12345'],
  ],
  [
    'variables of .env',
    service(
      'environment: { POSTGRES_USER: "${DB_USER}", POSTGRES_PASSWORD: "${DB_PW:-dev}", POSTGRES_DB: $DB }\nports: ["${PORT:-5432}:5432"]',
    ),
    ['db app@localhost:5440/shop dev'],
    { dotenv: 'DB_USER=app\nDB=shop\nPORT=5440' },
  ],
  [
    'an image by variable',
    service(`${user}\n${port}`, '"postgres:${VERSION:-16}"'),
    ['db app@localhost:5433/shop pw'],
  ],
  [
    'a doubled dollar sign',
    service(`environment: { POSTGRES_PASSWORD: "a$$b" }\n${port}`),
    ['db postgres@localhost:5433/postgres a$b'],
  ],
  [
    'env_file, below environment',
    service(`env_file: db.env\nenvironment: { POSTGRES_DB: shop }\n${port}`),
    ['db app@localhost:5433/shop pw'],
    { envFiles: { 'db.env': 'POSTGRES_USER=app\nPOSTGRES_PASSWORD=pw\nPOSTGRES_DB=other' } },
  ],
  [
    'env_file in its long form',
    service(`env_file: [{ path: ./db.env, required: false }]\n${port}`),
    ['db app@localhost:5433/app -'],
    { envFiles: { './db.env': 'POSTGRES_USER=app' } },
  ],
  [
    'an override file',
    service(user),
    ['db app@localhost:6000/other pw'],
    { override: 'services: { db: { environment: { POSTGRES_DB: other }, ports: ["6000:5432"] } }' },
  ],
  [
    'anchors and merge keys',
    `x-db: &db\n  image: postgres\n  ${user}\nservices:\n  db:\n    <<: *db\n    ${port}`,
    ['db app@localhost:5433/shop pw'],
  ],
  [
    'an override file with tags',
    service(`${user}\n${port}`),
    ['db app@localhost:5433/other pw'],
    {
      override:
        'services: { db: { environment: !override { POSTGRES_DB: other }, command: !reset null, deploy: !reset [] } }',
    },
  ],
  ['no user that nobody set', service(`environment: { POSTGRES_USER: "\${NOBODY}" }\n${port}`), []],
  [
    'no password that nobody set',
    service(`environment: { POSTGRES_PASSWORD: "\${NOBODY}" }\n${port}`),
    ['db postgres@localhost:5433/postgres -'],
  ],
  ['no database that is not published', service(user), []],
  ['no other image', service(`${user}\n${port}`, 'prometheuscommunity/postgres-exporter'), []],
];

test.each(rows.map((row) => [row[0], row] as const))(
  'reads %s',
  (_, [, text, expected, beside]) => {
    expect(read(text, beside)).toEqual(expected);
  },
);

test.each([
  'postgres',
  'postgres:16-alpine',
  'docker.io/library/postgres@sha256:abc',
  'postgis/postgis:16-3.4',
  'timescale/timescaledb:latest-pg16',
  'timescale/timescaledb-ha:pg16',
  'pgvector/pgvector:pg17',
  'bitnami/postgresql:16',
  'supabase/postgres:15',
  'localhost:5000/postgres:1',
  'citusdata/citus',
])('%s is a PostgreSQL', (image) => {
  expect(read(service(port, image))).toHaveLength(1);
});

test.each([
  'mysql',
  'redis',
  'dpage/pgadmin4',
  'postgrest/postgrest',
  'prodrigestivill/postgres-backup-local',
  'mypostgres',
  '',
])('%s is none', (image) => {
  expect(read(service(port, JSON.stringify(image)))).toEqual([]);
});

const ports: readonly (readonly [ports: string, place: string | undefined])[] = [
  ['["5432:5432"]', 'localhost:5432'],
  ['["127.0.0.1:5433:5432"]', 'localhost:5433'],
  ['["0.0.0.0:5433:5432/tcp"]', 'localhost:5433'],
  ['["[::1]:5433:5432"]', 'localhost:5433'],
  ['["192.168.1.5:5433:5432"]', '192.168.1.5:5433'],
  ['[5434:5432]', 'localhost:5434'],
  ['[8080:80, 5435:5432]', 'localhost:5435'],
  ['[{ target: 5432, published: 5436 }]', 'localhost:5436'],
  [
    '[{ target: 5432, published: "5437", host_ip: 127.0.0.1, protocol: tcp, mode: host }]',
    'localhost:5437',
  ],
  ['["5432"]', undefined],
  ['["5432-5440:5432-5440"]', undefined],
  ['["5432:5432/udp"]', undefined],
  ['[{ target: 5432 }]', undefined],
  ['[{ target: 5432, published: "5000-5010" }]', undefined],
  ['["70000:5432"]', undefined],
  ['["$(id):5432"]', undefined],
  ['7', undefined],
  ['{ a: b }', undefined],
];

test.each(ports)('ports %s are published at %s', (text, place) => {
  expect(read(service(`ports: ${text}`))).toEqual(
    place === undefined ? [] : [`db postgres@${place}/postgres -`],
  );
});

test('a service on the network of its host is found there', () => {
  expect(read(service('network_mode: host'))).toEqual(['db postgres@localhost:5432/postgres -']);
});

test('a pooler is found as such, when it names its user', () => {
  expect(
    read(
      service(
        'environment: { DB_USER: app, DB_PASSWORD: pw, DB_NAME: shop }\nports: ["6432:5432"]',
        'edoburu/pgbouncer:v1.24.1',
      ),
    ),
  ).toEqual(['db app@localhost:6432/shop pw pooler']);
  expect(
    read(
      service(
        'environment: { POSTGRESQL_USERNAME: app, PGBOUNCER_DATABASE: shop }\nports: ["6432:6432"]',
        'bitnami/pgbouncer',
      ),
    ),
  ).toEqual(['db app@localhost:6432/shop - pooler']);
  expect(read(service('ports: ["6432:6432"]', 'bitnami/pgbouncer'))).toEqual([]);
});

describe('what is no Compose file names nothing', () => {
  test.each([
    '',
    'services',
    'services: 7',
    'services: [a]',
    'services: { db: 7 }',
    'a: [',
    '- a',
    'services: { db: { image: [postgres], ports: {}, environment: 7 } }',
    '%TAG ! x',
    '!!js/function "x"',
    `services: { db: !!python/object:os.system { image: postgres } }`,
    '\0\0\0',
  ])('%j', (text) => {
    expect(read(text)).toEqual([]);
  });
});

test('aliases that would grow without measure are refused', () => {
  const bomb = [
    'services: &a0 [x, x, x, x, x, x, x, x, x, x]',
    ...Array.from(
      { length: 12 },
      (_, depth) => `k${depth}: &a${depth + 1} [${`*a${depth}, `.repeat(10)}]`,
    ),
  ].join('\n');
  expect(read(bomb)).toEqual([]);
});

test.each([
  '[',
  '{a: ',
  '"',
  ': ',
  '- ',
  '&a ',
  '*a ',
  'a:\t',
  '? ',
  '\n',
  ' ',
  '| ',
  '<<: *a\n',
  '${',
  '#',
])('256 kB of %j are read to their end', (part) => {
  read(part.repeat(Math.ceil(longestComposeFile / part.length)).slice(0, longestComposeFile));
});

test('a longer file is not read', () => {
  expect(read(`${service(port)}\n#${'x'.repeat(longestComposeFile)}`)).toEqual([]);
});
