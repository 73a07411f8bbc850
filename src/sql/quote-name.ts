import { toPlainText } from '../activity/plain-text.ts';

/**
 * Keywords that PostgreSQL 18 takes for no name of a table or role unless quoted (kwlist.h: reserved, or of types and functions),
 * and `none`, which is no role.
 */
const reserved: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
  concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
  full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
  localtime localtimestamp natural none not notnull null offset on only or order outer overlaps placing primary
  references returning right select session_user similar some symmetric system_user table tablesample then to trailing
  true union unique user using variadic verbose when where window with`.split(/\s+/),
);

/** A name as an SQL identifier, in quotes where it needs them. What a terminal would obey becomes an escape (`U&"…"`). */
export function quoteName(name: string): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name)) return name;
  const quoted = name.replaceAll('"', '""');
  if (toPlainText(quoted) === quoted) return `"${quoted}"`;
  return `U&"${quoted.replaceAll('\\', '\\\\').replaceAll(/[^ -~]/gu, escape)}"`;
}

function escape(character: string): string {
  return `\\+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(6, '0')}`;
}
