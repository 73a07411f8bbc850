import { expect, test } from 'vitest';
import { readDotenv } from '../../../src/connections/dotenv.ts';
import { connectionsInVariables } from '../../../src/connections/variable-connections.ts';
import { describeTarget } from '../../../src/database/target.ts';

/** `NAME user@host:port/database password tls` of each. */
function read(text: string, osUser?: string): readonly string[] {
  return connectionsInVariables(readDotenv(text).variables, osUser).map(
    ({ name, target, secret }) =>
      `${name} ${describeTarget(target)} ${secret?.reveal() ?? '-'} ${target.tls}`,
  );
}

const rows: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
  [
    'a URL under any name',
    'ORDERS=postgresql://app:pw@localhost/shop',
    ['ORDERS app@localhost:5432/shop pw off'],
  ],
  [
    'a URL elsewhere, verified',
    'DATABASE_URL=postgres://app:pw@db.example.com:6432/shop',
    ['DATABASE_URL app@db.example.com:6432/shop pw verify'],
  ],
  [
    'its TLS choice',
    'DATABASE_URL="postgres://app:pw@db.example.com/shop?sslmode=disable&schema=public"',
    ['DATABASE_URL app@db.example.com:5432/shop pw off'],
  ],
  [
    'parts that other variables hold',
    'P=secret\nU=postgres://app:${P}@localhost/shop',
    ['U app@localhost:5432/shop secret off'],
  ],
  [
    'nothing with a hole in the host',
    'U=postgres://app:pw@${DB_HOST}/shop\nV=postgres://app:pw@<host>/shop\nW=postgres://app:pw@host:5432/shop',
    [],
  ],
  [
    'nothing with a hole in port, user or database',
    'A=postgres://app:pw@localhost:${PORT}/x\nB=postgres://${USER}:pw@localhost/x\nC=postgres://a:pw@localhost/<db>',
    [],
  ],
  [
    'a hole in the password as none',
    'A=postgres://a:${PW}@localhost/x\nB=postgres://a:<password>@localhost/x\nC=postgres://a:[YOUR-PASSWORD]@db.abc.supabase.co/x',
    [
      'A a@localhost:5432/x - off',
      'B a@localhost:5432/x - off',
      'C a@db.abc.supabase.co:5432/x - verify',
    ],
  ],
  [
    'changeme as a password',
    'A=postgres://a:changeme@localhost/x',
    ['A a@localhost:5432/x changeme off'],
  ],
  [
    'no other database',
    'A=mysql://a:b@localhost/x\nB=postgres://one,two/x\nC=not postgres://a@b/c',
    [],
  ],
  [
    'DB_ variables',
    'DB_HOST=localhost\nDB_PORT=5433\nDB_USER=app\nDB_PASS=pw\nDB_NAME=shop',
    ['DB_* app@localhost:5433/shop pw off'],
  ],
  [
    'DATABASE_ variables in small letters',
    'database_host=localhost\ndatabase_user=app\ndatabase_name=shop',
    [],
  ],
  [
    'POSTGRES_ variables',
    'POSTGRES_HOST=127.0.0.1\nPOSTGRES_USER=app\nPOSTGRES_PASSWORD=pw\nPOSTGRES_DB=shop',
    ['POSTGRES_* app@127.0.0.1:5432/shop pw off'],
  ],
  [
    'no POSTGRES_ variables without a host, which the image of that name reads',
    'POSTGRES_USER=app\nPOSTGRES_PASSWORD=pw\nPOSTGRES_DB=shop',
    [],
  ],
  [
    'PG variables',
    'PGUSER=app\nPGDATABASE=shop\nPGPASSWORD=pw\nPGSSLMODE=verify-full',
    ['PG* app@localhost:5432/shop pw verify'],
  ],
  [
    'groups with a word before',
    'REPORTS_DB_HOST=localhost\nREPORTS_DB_USER=r\nREPORTS_DB_DATABASE=reports\nDB_HOST=localhost\nDB_USERNAME=a\nDB_DATABASE=shop',
    ['REPORTS_DB_* r@localhost:5432/reports - off', 'DB_* a@localhost:5432/shop - off'],
  ],
  [
    'whether a group wants TLS',
    'DB_HOST=localhost\nDB_USER=a\nDB_NAME=x\nDB_SSL=true',
    ['DB_* a@localhost:5432/x - verify'],
  ],
  [
    'no group of MySQL by its dialect, port or user',
    'DB_HOST=localhost\nDB_USER=app\nDB_NAME=x\nDB_CONNECTION=mysql\nA_DB_HOST=h\nA_DB_USER=a\nA_DB_NAME=x\nA_DB_PORT=3306\nB_DB_HOST=h\nB_DB_USER=root\nB_DB_NAME=x',
    [],
  ],
  [
    'a group whose dialect is PostgreSQL',
    'DB_DIALECT=postgres\nDB_HOST=localhost\nDB_USER=root\nDB_NAME=x',
    ['DB_* root@localhost:5432/x - off'],
  ],
  [
    'no group with a port that is none',
    'DB_HOST=localhost\nDB_USER=a\nDB_NAME=x\nDB_PORT=${PORT}',
    [],
  ],
  [
    'no password that another program would decrypt',
    'PGUSER=a\nPGPASSWORD=encrypted:BDqDBibm4w',
    ['PG* a@localhost:5432/a - off'],
  ],
];

test.each(rows)('finds %s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('the user of the operating system stands in for one that is not named', () => {
  expect(read('A=postgres://localhost/shop')).toEqual([]);
  expect(read('A=postgres://localhost/shop\nPGDATABASE=y', 'ann')).toEqual([
    'A ann@localhost:5432/shop - off',
    'PG* ann@localhost:5432/y - off',
  ]);
});

test('the environment of the process is not asked', () => {
  const before = { ...process.env };
  process.env['PGPASSWORD'] = 'from-the-process';
  process.env['PGHOST'] = 'elsewhere';
  try {
    expect(read('A=postgres://app@localhost/shop\nB=${PGPASSWORD}')).toEqual([
      'A app@localhost:5432/shop - off',
    ]);
  } finally {
    for (const name of ['PGPASSWORD', 'PGHOST'])
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
  }
});
