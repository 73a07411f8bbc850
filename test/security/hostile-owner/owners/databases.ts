import { trapMark } from '../traps/notes.ts';
import type { OwnedWay } from './owned-way.ts';
import { namedByRefused } from './refused-to-owners.ts';
import { functionWays } from './ways-functions.ts';
import { operatorWays } from './ways-operators.ts';
import {
  crewWays,
  extensionWays,
  grantedWays,
  loginWays,
  openWays,
  pathWays,
  predefinedWays,
  remoteTables,
  remoteViews,
  remoteWays,
  triggerWays,
} from './ways-elsewhere.ts';
import { plannerWays } from './ways-planner.ts';
import { relationWays } from './ways-relations.ts';
import { typeWays } from './ways-types.ts';
import { writingWays } from './ways-writing.ts';

/** Roles beside those who look and probe: one that owns what nobody expects, and a group of analyst and mallory. */
export const ownerRoles: readonly string[] = [
  `CREATE ROLE third LOGIN PASSWORD 'secret'`,
  'CREATE ROLE crew ROLE analyst, mallory',
];

/** A database in which code of somebody else waits for analyst, or one where that cannot be. */
export interface OwnedDatabase {
  readonly name: string;
  /** Of the database; a superuser when not said. */
  readonly owner?: string;
  /** Who must be asked for before anything of the victim's is run; all of them, and nobody else. */
  readonly asksFor: readonly string[];
  /** What a superuser does before and after, in the database. */
  readonly before?: (port: number) => readonly string[];
  readonly after?: readonly string[];
  readonly ways: readonly OwnedWay[];
  readonly since?: number;
}

/** Whoever made `loot` owns what the ways need. */
const lootSchema: readonly string[] = [
  'CREATE SCHEMA loot',
  'GRANT USAGE ON SCHEMA loot TO PUBLIC',
  'CREATE TABLE loot.source (id int PRIMARY KEY, rating int, word varchar)',
  `INSERT INTO loot.source SELECT n, n % 3, 'one' FROM pg_catalog.generate_series(1, 60) AS n`,
  'ANALYZE loot.source',
  'CREATE TABLE loot.target (id int)',
  'INSERT INTO loot.target VALUES (1)',
];
const as = (role: string, statements: readonly string[]) => [
  `SET SESSION AUTHORIZATION ${role}`,
  ...statements,
  'RESET SESSION AUTHORIZATION',
];
const readable = 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA loot TO PUBLIC';

/** The same database as another server. */
const serverTo = (port: number, database: string) => [
  `CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '${port}', dbname '${database}')`,
  `CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'analyst', password 'secret')`,
];

/** Where code waits. */
export const trappedDatabases: readonly OwnedDatabase[] = [
  {
    name: 'ledger',
    owner: 'mallory',
    asksFor: ['mallory', 'server:far'],
    before: (port) => [
      'GRANT CREATE ON SCHEMA public TO mallory',
      'CREATE EXTENSION postgres_fdw SCHEMA public',
      'GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO mallory',
      ...as('mallory', [
        ...lootSchema,
        ...namedByRefused,
        ...remoteViews,
        ...serverTo(port, 'ledger'),
      ]),
    ],
    after: [readable],
    ways: [
      ...operatorWays,
      ...typeWays,
      ...plannerWays,
      ...relationWays,
      ...functionWays,
      ...writingWays,
    ],
  },
  {
    name: 'detour',
    owner: 'mallory',
    asksFor: ['mallory'],
    before: () => [
      'CREATE EXTENSION cube SCHEMA public',
      'CREATE EXTENSION earthdistance SCHEMA public',
      `CREATE FUNCTION public.distance(int, int) RETURNS int LANGUAGE sql AS 'SELECT abs($1 - $2)'`,
      ...as('mallory', lootSchema),
    ],
    after: [
      readable,
      ...as('mallory', ['ALTER DATABASE detour SET search_path = loot, pg_catalog, public']),
    ],
    ways: pathWays,
  },
  {
    name: 'commons',
    asksFor: ['app', 'mallory', 'third'],
    before: () => ['GRANT CREATE ON SCHEMA public TO PUBLIC'],
    ways: openWays,
  },
  {
    name: 'lent',
    asksFor: ['mallory', 'third'],
    before: () => [
      'GRANT CREATE ON DATABASE lent TO mallory',
      'GRANT CREATE ON SCHEMA public TO third',
      'CREATE TABLE public.orders AS SELECT 1 AS id',
      'GRANT SELECT ON public.orders TO PUBLIC',
    ],
    ways: grantedWays,
  },
  {
    name: 'crewed',
    owner: 'crew',
    asksFor: ['crew'],
    before: () => as('crew', lootSchema),
    after: [
      ...as('crew', ['ALTER DATABASE crewed SET role = crew']),
      'ALTER ROLE analyst IN DATABASE crewed SET search_path = loot, pg_catalog',
    ],
    ways: crewWays,
  },
  {
    name: 'extended',
    since: 13,
    asksFor: ['mallory'],
    before: () => ['GRANT CREATE ON DATABASE extended TO mallory'],
    after: ['REVOKE CREATE ON DATABASE extended FROM mallory'],
    ways: extensionWays,
  },
  {
    name: 'retired',
    asksFor: ['pg_monitor'],
    before: () => [
      'GRANT CREATE ON SCHEMA public TO mallory, pg_monitor',
      'GRANT pg_monitor TO mallory',
    ],
    after: [
      'REVOKE CREATE ON SCHEMA public FROM mallory, pg_monitor',
      'REVOKE pg_monitor FROM mallory',
    ],
    ways: predefinedWays,
  },
  {
    name: 'triggered',
    asksFor: ['mallory'],
    before: () => [
      `CREATE FUNCTION public.audit(what text) RETURNS bool LANGUAGE plpgsql AS $f$ BEGIN RAISE LOG '${trapMark}: % ran as %', what, current_user; RETURN false; END $f$`,
      'CREATE TABLE public.entries (id int)',
      'GRANT INSERT ON public.entries TO PUBLIC',
      'GRANT TRIGGER ON public.entries TO mallory',
    ],
    ways: triggerWays,
  },
  {
    name: 'beyond',
    asksFor: ['server:far'],
    before: (port) => [
      'CREATE EXTENSION postgres_fdw SCHEMA public',
      ...serverTo(port, 'ledger'),
      ...remoteTables,
    ],
    ways: remoteWays,
  },
  {
    name: 'greeted',
    since: 17,
    asksFor: ['mallory'],
    before: () => ['GRANT CREATE ON SCHEMA public TO mallory'],
    after: [
      'REVOKE CREATE ON SCHEMA public FROM mallory',
      'CREATE EVENT TRIGGER greet ON login EXECUTE FUNCTION public.greet()',
    ],
    ways: loginWays,
  },
];

/** A superuser's view. */
const listedByAll = [
  'CREATE VIEW public.listed AS SELECT 1 AS id',
  'GRANT SELECT ON public.listed TO PUBLIC',
];

/** Where none does, and who is asked for all the same. */
export const plainDatabases: readonly OwnedDatabase[] = [
  {
    name: 'own',
    owner: 'analyst',
    asksFor: [],
    before: () => [
      'GRANT CREATE ON SCHEMA public TO analyst',
      ...as('analyst', [
        `CREATE FUNCTION public.own_total(int) RETURNS int LANGUAGE plpgsql AS $f$ BEGIN RETURN $1; END $f$`,
        'CREATE TABLE public.own_orders AS SELECT 1 AS id',
        'CREATE VIEW public.listed AS SELECT public.own_total(id) AS id FROM public.own_orders',
      ]),
    ],
    ways: [],
  },
  {
    name: 'single',
    owner: 'app',
    asksFor: ['app'],
    before: () => [
      'GRANT CREATE ON SCHEMA public TO app',
      ...as('app', [
        'CREATE TABLE public.app_orders AS SELECT 1 AS id',
        'CREATE VIEW public.listed AS SELECT id FROM public.app_orders',
        'GRANT SELECT ON public.listed TO analyst',
      ]),
    ],
    ways: [],
  },
  {
    name: 'administered',
    asksFor: [],
    before: () => [
      `CREATE FUNCTION public.total(int) RETURNS int LANGUAGE plpgsql AS $f$ BEGIN RETURN $1; END $f$`,
      'CREATE TABLE public.orders AS SELECT 1 AS id',
      'CREATE VIEW public.listed AS SELECT public.total(id) AS id FROM public.orders',
      // Rights to use, which make no code.
      'GRANT SELECT ON public.listed TO analyst',
      'GRANT ALL ON public.orders TO mallory, PUBLIC',
      'ALTER DEFAULT PRIVILEGES FOR ROLE third GRANT SELECT ON TABLES TO analyst',
      'GRANT USAGE ON SCHEMA public TO crew',
      'GRANT TEMPORARY, CONNECT ON DATABASE administered TO mallory',
      'ALTER DATABASE administered SET search_path = public',
    ],
    ways: [],
  },
  {
    name: 'bare',
    owner: 'mallory',
    asksFor: ['mallory'],
    before: () => listedByAll,
    ways: [],
  },
  {
    name: 'promised',
    asksFor: ['crew', 'third'],
    before: () => [
      ...listedByAll,
      'GRANT CREATE ON SCHEMA public TO third',
      'GRANT CREATE ON DATABASE promised TO crew',
    ],
    ways: [],
  },
  {
    name: 'offered',
    asksFor: ['app'],
    before: () => [
      ...listedByAll,
      'GRANT CREATE ON DATABASE offered TO PUBLIC',
      'REVOKE CONNECT ON DATABASE offered FROM PUBLIC',
      'GRANT CONNECT ON DATABASE offered TO analyst, app',
    ],
    ways: [],
  },
];

export const everyDatabase: readonly OwnedDatabase[] = [...trappedDatabases, ...plainDatabases];
