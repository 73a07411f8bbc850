/** Volatile functions in C that extensions bring. */
interface HarmlessFunctions {
  readonly extension: string;
  readonly names: RegExp;
  /** Why nothing of them stays. */
  readonly because: string;
}

/** Everything else that is volatile C is refused until somebody allows it by name: its code cannot be read. */
export const harmlessFunctions: readonly HarmlessFunctions[] = [
  { extension: 'uuid-ossp', names: /^uuid_generate_v(?:1|1mc|4)$/, because: 'draws an identifier' },
  { extension: 'pg_uuidv7', names: /^uuid_generate_v7$/, because: 'draws an identifier' },
  {
    extension: 'pgcrypto',
    names: /^gen_(?:random_uuid|random_bytes|salt)$|^pgp_(?:sym|pub)_encrypt(?:_bytea)?$/,
    because: 'draws random bytes',
  },
  { extension: 'tablefunc', names: /^normal_rand$/, because: 'draws random numbers' },
  { extension: 'postgis', names: /^st_generatepoints$/, because: 'draws random points' },
  {
    extension: 'timescaledb',
    names: /^(?:time_bucket_gapfill|locf|interpolate)$/,
    because: 'computes on the rows of its query',
  },
  { extension: 'tsm_system_rows', names: /^system_rows$/, because: 'draws a sample' },
  { extension: 'tsm_system_time', names: /^system_time$/, because: 'draws a sample' },
  {
    extension: 'moddatetime',
    names: /^moddatetime$/,
    because: 'writes the time into the row that it is a trigger of',
  },
  {
    extension: 'pg_stat_statements',
    names: /^pg_stat_statements(?:_info)?$/,
    because: 'reads counters',
  },
  {
    extension: 'pg_buffercache',
    names: /^pg_buffercache_(?:pages|summary|usage_counts)$/,
    because: 'reads counters',
  },
];
