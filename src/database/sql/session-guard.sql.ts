/** The first statement of a session, in a search path that anybody may have chosen. */
export const backendPidSql = 'SELECT pg_catalog.pg_backend_pid() AS pid';

/**
 * Sets one setting for the session. SET looks no name up. The parts of a list are separated by `, `. Neither name nor value may come
 * from a stranger.
 */
export function setSql(name: string, value: string): string {
  return `SET ${name} = ${value.split(', ').map(quoted).join(', ')}`;
}

/** Sets, for the session, those settings that this server knows. */
export function setKnownSql(settings: Readonly<Record<string, string>>): string {
  const wanted = Object.entries(settings).map((setting) => `(${setting.map(typed).join(', ')})`);
  return `SELECT pg_catalog.set_config(wanted.name, wanted.value, false)
  FROM (VALUES ${wanted.join(', ')}) AS wanted (name, value)
 WHERE pg_catalog.current_setting(wanted.name, true) IS NOT NULL`;
}

/** The values of settings under their own names, null for an unknown one, and whose rights the session has. */
export function readBackSql(names: readonly string[]): string {
  const columns = names.map(
    (name) => `pg_catalog.current_setting(${typed(name)}, true) AS "${name}"`,
  );
  return `SELECT ${columns.join(', ')}, current_user::pg_catalog.text AS acts_as, session_user::pg_catalog.text AS logged_in_as`;
}

function typed(value: string): string {
  return `${quoted(value)}::pg_catalog.text`;
}

function quoted(value: string): string {
  return `'${value}'`;
}
