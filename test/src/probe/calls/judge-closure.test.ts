import { describe, expect, test } from 'vitest';
import type { FunctionFacts } from '../../../../src/database/read-call-facts.ts';
import { whyRefused } from '../../../../src/probe/calls/judge-closure.ts';
import { aFunction } from '../../../support/a-function.ts';

const standing = { isSuperuser: false, isWriting: false };
const ofPostgres = {
  schema: 'pg_catalog',
  language: 'internal',
  owner: 'postgres',
  isOfSuperuser: true,
} as const;
const ofExtension = {
  language: 'c',
  owner: 'postgres',
  isOfSuperuser: true,
  volatility: 'v',
  source: 'symbol',
} as const;

describe('functions that may be called', () => {
  test.each<readonly [string, Partial<FunctionFacts>]>([
    ['volatile, whose body only reads', {}],
    ['SECURITY DEFINER of the role itself', { isDefiner: true, isOwn: true }],
    ['random() of PostgreSQL', { ...ofPostgres, oid: 1598, name: 'random' }],
    ['a transaction-scoped lock', { ...ofPostgres, oid: 3089, name: 'pg_advisory_xact_lock' }],
    [
      'immutable C of an extension',
      { ...ofExtension, extension: 'pg_trgm', name: 'similarity', volatility: 'i' },
    ],
    [
      'stable PL/pgSQL of an extension, whatever it runs',
      {
        ...ofExtension,
        extension: 'postgis',
        language: 'plpgsql',
        volatility: 's',
        source: 'BEGIN EXECUTE x; END',
      },
    ],
    [
      'volatile C that only draws',
      { ...ofExtension, extension: 'uuid-ossp', name: 'uuid_generate_v4' },
    ],
    [
      'an aggregate of the database, whose parts are judged',
      { kind: 'a', language: 'internal', source: 'aggregate_dummy' },
    ],
    [
      'a function of the database with a name that is refused of PostgreSQL',
      { name: 'set_config' },
    ],
  ])('%s', (_, change) => {
    expect(whyRefused(aFunction(change), standing)).toBeNull();
  });

  test('nextval where the statement writes', () => {
    expect(
      whyRefused(aFunction({ ...ofPostgres, oid: 1574, name: 'nextval' }), {
        ...standing,
        isWriting: true,
      }),
    ).toBeNull();
  });
});

describe('functions that may not be called', () => {
  test.each<readonly [string, Partial<FunctionFacts>, RegExp]>([
    [
      'a lock that stays',
      { ...ofPostgres, oid: 2880, name: 'pg_advisory_lock' },
      /holds a lock beyond the statement/,
    ],
    [
      'a lock that a superuser renamed',
      { ...ofPostgres, oid: 2880, name: 'harmless' },
      /holds a lock beyond the statement/,
    ],
    [
      'setseed',
      { ...ofPostgres, oid: 1599, name: 'setseed' },
      /changes the session beyond a rollback/,
    ],
    [
      'set_limit of pg_trgm',
      { ...ofExtension, extension: 'pg_trgm', name: 'set_limit' },
      /changes the session beyond a rollback/,
    ],
    [
      'nextval where nothing is written',
      { ...ofPostgres, oid: 1574, name: 'nextval' },
      /uses up a sequence/,
    ],
    [
      'SQL in a string, although it calls itself stable',
      { ...ofExtension, extension: 'tablefunc', name: 'crosstab', volatility: 's' },
      /SQL that this check does not see/,
    ],
    ['a procedure', { kind: 'p' }, /is a procedure/],
    [
      'SECURITY DEFINER of another role',
      { isDefiner: true, owner: 'boss' },
      /runs with the rights of boss \(SECURITY DEFINER\)/,
    ],
    [
      'volatile C that nobody vouched for',
      { ...ofExtension, extension: 'orafce', name: 'utl_file_open' },
      /volatile C code of the extension orafce/,
    ],
    [
      'C that belongs to no extension',
      { language: 'c', volatility: 'i' },
      /belongs to no extension/,
    ],
    [
      'an alias of an internal function',
      { language: 'internal', source: 'pg_advisory_lock_int8' },
      /belongs to no extension/,
    ],
    ['an untrusted language', { language: 'plpython3u', volatility: 'i' }, /written in plpython3u/],
    [
      'a trusted language that is not read',
      { language: 'plperl', volatility: 'i' },
      /written in plperl/,
    ],
    ['a body that cannot be judged', { source: 'BEGIN EXECUTE x; END' }, /EXECUTE/],
    [
      'a body of volatile code in an extension',
      { ...ofExtension, extension: 'postgis', language: 'plpgsql', source: 'BEGIN EXECUTE x; END' },
      /EXECUTE/,
    ],
    [
      'a function that its owner added to an extension',
      { extension: 'pg_trgm', volatility: 'i', source: 'BEGIN EXECUTE x; END' },
      /EXECUTE/,
    ],
    [
      'strings that are read otherwise',
      { settings: ['standard_conforming_strings=off'] },
      /standard_conforming_strings/,
    ],
  ])('%s', (_, change, because) => {
    expect(whyRefused(aFunction(change), standing)).toMatch(because);
  });

  test('as a superuser, whatever the database brings', () => {
    expect(whyRefused(aFunction({ isOwn: true }), { ...standing, isSuperuser: true })).toMatch(
      /rights of a superuser/,
    );
    expect(
      whyRefused(aFunction({ ...ofExtension, extension: 'pg_trgm', volatility: 'i' }), {
        ...standing,
        isSuperuser: true,
      }),
    ).toBeNull();
  });
});
