import { describe, expect, it } from 'vitest';
import { mayUsePool, namesDriver } from '../../../src/lint/may-use-pool.ts';

describe('a file is worth a look', () => {
  it.each([
    ['when it imports the driver', "import pg from 'pg';"],
    ['when it imports a pool from somewhere', "import { db } from './db';"],
    ['when it requires something', "const { withConn } = require('../with-conn');"],
    ['when it receives a pool', 'export async function load(pool) {}'],
    ['when it only uses a client', 'async (c) => { await c.query("select 1"); }'],
  ])('%s', (_, text) => {
    expect(mayUsePool(text)).toBe(true);
  });
});

describe('a file is not worth a look', () => {
  it.each([
    ['when it names nothing from outside', 'export const add = (a, b) => a + b;'],
    ['when it is empty', ''],
    ['when it is generated and huge', `import pg from 'pg';${' '.repeat(2_000_000)}`],
  ])('%s', (_, text) => {
    expect(mayUsePool(text)).toBe(false);
  });
});

describe('a driver is named', () => {
  it.each([
    "import pg from 'pg';",
    'const { Pool } = require("pg")',
    "import mysql from 'mysql2/promise';",
    "await import('npm:pg@8.11')",
    "import { Pool } from 'pg/lib/index.js'",
  ])('%s', (text) => {
    expect(namesDriver(text)).toBe(true);
  });

  it.each([
    "import x from 'pg-promise';",
    "import x from './pg';",
    'const pg = 1;',
    "import x from '@scope/pg';",
  ])('not: %s', (text) => {
    expect(namesDriver(text)).toBe(false);
  });
});
