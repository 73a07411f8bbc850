/** What the owner of a database may set for everybody who connects, each to the worst of its values; beside `search_path`. */
const ownersSettings: Readonly<Record<string, string>> = {
  role: 'mallory',
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  standard_conforming_strings: 'off',
  backslash_quote: 'on',
  escape_string_warning: 'off',
  transform_null_equals: 'on',
  array_nulls: 'off',
  quote_all_identifiers: 'on',
  row_security: 'off',
  client_min_messages: 'debug1',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

export function ownersSettingsSql(database: string, searchPath: string): readonly string[] {
  return [
    ...Object.entries(ownersSettings).map(
      ([name, value]) => `ALTER DATABASE ${database} SET ${name} = '${value}'`,
    ),
    `ALTER DATABASE ${database} SET search_path = ${searchPath}`,
  ];
}
