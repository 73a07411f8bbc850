/** One way to write, or to change a session, from inside of what looks like a SELECT. */
export interface Way {
  /** Also what it writes into `loot.rows`, where it writes a row. */
  readonly name: string;
  /** Statements of a PL/pgSQL function `loot.<name>()`, which the probed statement calls. */
  readonly body?: string;
  /** What the owner makes beforehand. */
  readonly setup?: readonly string[];
  /** What is probed, when it is not a call of that function. */
  readonly statement?: string;
  /** What nothing but the refusal stops: neither a read-only transaction nor a rollback takes it back. Goes on after "because". */
  readonly onlyRefused?: string;
  /** Its text hides that from a look at the names in its body: whoever trusts the owner runs it. */
  readonly hides?: true;
  /** It ends its own probe in the trial, as most do in a transaction that may not write: so no other is probed beside it. */
  readonly fails?: true;
  /** Its backend goes by another name, by which the probe takes it for somebody else's: so no other that locks is probed beside it. */
  readonly renames?: true;
  /** Needs `--allow-writes`: directly connected, in a transaction of its own that is rolled back. */
  readonly writes?: true;
  /** First version of PostgreSQL that knows it. */
  readonly since?: number;
}

/** The name of the function of a way. */
function functionOf({ name }: Pick<Way, 'name'>): string {
  return `loot.${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
}

/** The statement that is probed. */
export function statementOf(way: Way): string {
  return way.statement ?? `SELECT ${functionOf(way)}()`;
}

/** Everything that the owner makes for it. */
export function setupOf(way: Way): readonly string[] {
  const { body, setup = [] } = way;
  const made =
    body === undefined
      ? []
      : [
          `CREATE FUNCTION ${functionOf(way)}() RETURNS pg_catalog.int4 LANGUAGE plpgsql AS $f$ BEGIN ${body}; RETURN 1; END $f$`,
        ];
  return [...setup, ...made];
}

/** A row in the table where every way leaves one. */
export function loot(name: string): string {
  return `INSERT INTO loot.rows VALUES ('${name}')`;
}

/** What the ways share. Run by the owner, with a pinned path. */
export const lootSchema: readonly string[] = [
  'CREATE SCHEMA loot',
  'GRANT USAGE, CREATE ON SCHEMA loot TO PUBLIC',
  'CREATE TABLE loot.rows (way text)',
  'CREATE TABLE loot.source (id int PRIMARY KEY, word text)',
  `INSERT INTO loot.source VALUES (1, 'one'), (2, 'two')`,
  'CREATE TABLE loot.target (id int, word text)',
  'INSERT INTO loot.target SELECT id, word FROM loot.source',
  'CREATE SEQUENCE loot.numbers',
  'GRANT ALL ON ALL TABLES IN SCHEMA loot TO PUBLIC',
  'GRANT ALL ON ALL SEQUENCES IN SCHEMA loot TO PUBLIC',
  // Writes from the second call on, if it can find out which one it is.
  `CREATE FUNCTION loot.insert_row(way text) RETURNS int LANGUAGE plpgsql AS $f$ BEGIN INSERT INTO loot.rows VALUES (way); RETURN 1; END $f$`,
  `CREATE FUNCTION loot.keep_setting() RETURNS int LANGUAGE plpgsql AS $f$ BEGIN PERFORM pg_catalog.set_config('loot.kept', 'yes', false), pg_catalog.set_config('search_path', 'loot', false); RETURN 1; END $f$`,
];
