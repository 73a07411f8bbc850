import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTarget } from '../../../src/cli/read-target.ts';
import { describeTarget } from '../../../src/database/target.ts';
import { runInProcess } from '../../support/cli-run.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const dotenv =
  'DATABASE_URL=postgres://app:Tr0ub4dor@db.example.com/shop\nREPORT_URL=postgres://report@localhost/reports\n';

async function typed(folder: TemporaryFolder, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runInProcess(args, {
    cwd: folder.path,
    env: { HOME: '/nowhere', USER: 'me' },
  });
  expect(stderr).not.toContain('Tr0ub4dor');
  return { code, stdout, stderr };
}

describe('nobody names a database, and files of the folder do', () => {
  test('the sentence says which file names what, and the command that uses it', async () => {
    await using folder = await createTemporaryFolder({ '.env': dotenv });
    expect(await typed(folder, 'probe', '--yes', '--sql', "SELECT 'x'")).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'No database named. Files of this folder name one, and are not used before you say so:',
        '  .env, DATABASE_URL: app@db.example.com:5432/shop',
        '  .env, REPORT_URL: report@localhost:5432/reports',
        'To use it:',
        "  poolguard probe --yes --sql 'SELECT '\\''x'\\''' --database-from .env",
        '',
      ].join('\n'),
    });
  });

  test.each([
    ['activity'],
    ['pooler'],
    ['probe connect'],
    ['probe ramp'],
    ['probe sweep'],
    ['probe compare'],
  ])('poolguard %s says so too', async (command) => {
    await using folder = await createTemporaryFolder({
      'apps/api/.env.local': 'SHOP_URL=postgres://app@localhost/shop',
    });
    const { code, stderr } = await typed(folder, ...command.split(' '));
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
      2,
      `  poolguard ${command} --database-from apps/api/.env.local`,
    ]);
  });

  test('where a file has several and none is usual, the command names the first', async () => {
    await using folder = await createTemporaryFolder({
      '.env': 'A=postgres://a@localhost/a\nB=postgres://b@localhost/b',
    });
    expect((await typed(folder, 'activity')).stderr).toMatch(
      / {2}poolguard activity --database-from '\.env#A'\n$/,
    );
  });

  test('names of files are harmless to a terminal and to a shell', async () => {
    await using folder = await createTemporaryFolder({
      ".env.$(touch x)'\u001B[2J": 'A=postgres://a@localhost/a',
    });
    const { stderr } = await typed(folder, 'activity');
    expect(stderr).not.toContain('\u001B');
    expect(stderr).toMatch(/--database-from '\.env\.\$\(touch x\)'\\''.*'\n$/);
  });
});

describe('--database-from', () => {
  test.each([
    ['.env', 'app@db.example.com:5432/shop Tr0ub4dor'],
    ['.env#REPORT_URL', 'report@localhost:5432/reports -'],
    ['link', 'app@db.example.com:5432/shop Tr0ub4dor'],
    ['api/.env', 'pg@localhost:5499/named pw'],
    ['docker-compose.yml', 'over@localhost:5433/composed s3cret'],
  ])('%s names its connection, whatever the environment says', async (option, named) => {
    await using folder = await createTemporaryFolder({
      '.env': dotenv,
      'api/.env': 'PGHOST=localhost\nPGPORT=5499\nPGUSER=pg\nPGPASSWORD=pw\nPGDATABASE=named',
      'docker-compose.yml':
        'services: { db: { image: postgres, ports: ["5433:5432"], environment: { POSTGRES_DB: composed, POSTGRES_PASSWORD: s3cret } } }',
      'docker-compose.override.yml': 'services: { db: { environment: { POSTGRES_USER: over } } }',
    });
    await symlink('.env', join(folder.path, 'link'));
    const io = {
      cwd: folder.path,
      env: {
        HOME: '/nowhere',
        USER: 'me',
        DATABASE_URL: 'postgres://other@localhost/other',
        PGPASSWORD: 'of-another-server',
      },
      stderr: { write: () => undefined },
    };
    const { target, secret } = await readTarget(undefined, { databaseFrom: option }, io);
    expect(`${describeTarget(target)} ${secret?.reveal() ?? '-'}`).toBe(named);
  });

  test.each([
    ['nowhere', /^--database-from: nowhere cannot be read: it is missing/],
    [
      'empty',
      /^--database-from: empty names no PostgreSQL connection\. A line such as DATABASE_URL=/,
    ],
    [
      '.env#NONE',
      /^--database-from: \.env has no connection named "NONE"\. It has:\n {2}\.env, DATABASE_URL: app@db\.example\.com:5432\/shop\n/,
    ],
    [
      'two',
      /^--database-from: two names several connections\. Add the name of one after #, as in --database-from 'two#A':\n {2}two, A: a@localhost:5432\/a\n {2}two, B: /,
    ],
  ])('%s says what is wrong', async (option, sentence) => {
    await using folder = await createTemporaryFolder({
      '.env': dotenv,
      empty: 'A=mysql://x:Tr0ub4dor@y/z',
      two: 'A=postgres://a@localhost/a\nB=postgres://b@localhost/b',
    });
    const { code, stderr } = await typed(folder, 'activity', '--database-from', option);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  test('and a connection string besides is one too many', async () => {
    await using folder = await createTemporaryFolder({ '.env': dotenv });
    expect(
      (await typed(folder, 'probe', 'postgres://a@localhost/x', '--database-from', '.env')).stderr,
    ).toBe('Name the database once: by a connection string, by --service or by --database-from.\n');
  });

  describe('a variable that is there and is no connection is answered with the reason that the argument gets', () => {
    const raw = 'RAW=postgres://weird:p@Tr0ub4dor:w/rd#1%&?@127.0.0.1:55491/shop';
    const encode =
      /cannot be used\. The connection string is not a valid URL\. Characters such as @ : .* must be percent-encoded \(@ is %40,/;

    test.each<readonly [what: string, text: string, option: string, sentence: RegExp]>([
      ['a password that is not encoded', `A=postgres://a@localhost/a\n${raw}`, 'file#RAW', encode],
      ['the only address of the file', raw, 'file', encode],
      [
        'the usual name among others',
        `${raw.replace('RAW', 'DATABASE_URL')}\nA=postgres://a@localhost/a`,
        'file',
        /: DATABASE_URL of file cannot be used\./,
      ],
      [
        'another database',
        'A=mysql://x:Tr0ub4dor@y/z',
        'file#A',
        /: A of file cannot be used\. The connection string starts with mysql:\/\/, but must start with postgres/,
      ],
      [
        'an empty value',
        'A=',
        'file#A',
        /: A of file cannot be used\. The connection string is empty/,
      ],
      [
        'a member of a group',
        'DB_HOST=h\nDB_USER=u\nDB_NAME=n',
        'file#DB_HOST',
        /: DB_HOST of file cannot be used\. The connection string is neither a URL/,
      ],
      [
        'key=value pairs',
        "A='host=h user=u password=Tr0ub4dor dbname=d'",
        'file#A',
        /: A of file cannot be used\. The connection string must start with postgres:/,
      ],
      ['a template', 'A=postgres://u:Tr0ub4dor@<host>/d', 'file', /: A of file cannot be used\. /],
      [
        'a hole of a template',
        'A=postgres://u:Tr0ub4dor@your-host/d',
        'file',
        /: A of file cannot be used\. The connection string has a placeholder/,
      ],
      [
        'a name that no line has',
        raw,
        'file#NONE',
        /^--database-from: file names no PostgreSQL connection\./,
      ],
    ])('%s', async (_what, text, option, sentence) => {
      await using folder = await createTemporaryFolder({ file: text });
      const { code, stderr } = await typed(folder, 'activity', '--database-from', option);
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
    });

    test('a usable address beside one that is not is taken', async () => {
      await using folder = await createTemporaryFolder({
        file: `A=postgres://a@localhost/a\n${raw}`,
      });
      const { target } = await readTarget(
        undefined,
        { databaseFrom: 'file' },
        {
          cwd: folder.path,
          env: { HOME: '/nowhere', USER: 'me' },
          stderr: { write: () => undefined },
        },
      );
      expect(describeTarget(target)).toBe('a@localhost:5432/a');
    });
  });
});

test('a bare name is a database, as in psql: the rest comes from the environment', async () => {
  const io = {
    cwd: '/nowhere',
    env: { HOME: '/nowhere', PGUSER: 'me', PGHOST: 'db.example', DATABASE_URL: 'postgres://a@b/c' },
    stderr: { write: () => undefined },
  };
  expect(describeTarget((await readTarget('shop', {}, io)).target)).toBe('me@db.example:5432/shop');
  await expect(readTarget('shop:1', {}, io)).rejects.toThrow(/neither a URL nor key=value/u);
});
