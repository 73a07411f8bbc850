/** A kind of function that does something even where nothing may be written. */
export interface RefusedFunctions {
  /** Their names as the server keeps them, whatever their schema; tried with and without it. */
  readonly names: RegExp;
  /** Goes on after "which ". */
  readonly because: string;
  /** Its effect is part of what a writing statement does, and asked for with it. */
  readonly isWrite?: boolean;
}

/**
 * Refused because the session would keep what they do, the server would feel it, or they run SQL that nobody looked at: of the volatile functions
 * of PostgreSQL 12 to 18 (`pg_proc`) those that do more than tell, and those of extensions in wide use. A rolled-back transaction takes back none of it.
 * Transaction-scoped advisory locks end with the statement and are let through, as is `pg_sleep`.
 */
export const refusedFunctions: readonly RefusedFunctions[] = [
  { names: /^pg_(?:terminate|cancel)_/, because: 'ends the work of other sessions' },
  { names: /^set_config$/, because: 'changes settings' },
  {
    names:
      /^(?:setseed|set_limit|isn_weak|set_curcfg|set_curdict|set_curprs)$|^hypopg_(?!get_|list|relation)|^pgv_(?!get|exists|list|stats|select)|^plpgsql_check_pragma$/,
    because: 'changes the session beyond a rollback',
  },
  {
    names: /^pg_(?:try_)?advisory_(?:lock|unlock)(?:_shared|_all)?$/,
    because: 'holds a lock beyond the statement (pg_advisory_xact_lock does not)',
  },
  { names: /^nextval$/, because: 'uses up a sequence', isWrite: true },
  { names: /^setval$/, because: 'sets a sequence, which no rollback takes back' },
  { names: /^lo_(?!get$)|^lo(?:read|write)$/, because: 'works on large objects' },
  {
    names: /^pg_(?:read|write|ls|file|logdir)_|^pg_stat_file$/,
    because: 'works on files of the server',
  },
  {
    names: /^pg_stat(?!_get_)\w*_reset|^pg_stat_(?:clear|force)_|^pg_(?:clear|restore)_\w+_stats$/,
    because: 'changes statistics of the server',
  },
  {
    names: /^dblink|_fdw_|^http(?:_|$)|^aws_\w+\.|^(?:run_command_on|citus)_/,
    because: 'reaches other servers',
  },
  { names: /^pg_notify$/, because: 'sends notifications' },
  { names: /^(?:txid_current|pg_current_xact_id)$/, because: 'uses up transaction numbers' },
  {
    names:
      /^(?:query|cursor|table|schema|database)_to_xml|^ts_stat$|^ts_rewrite$|^(?:xpath_table|crosstab\w*|connectby)$/,
    because: 'can run SQL that this check does not see',
  },
  {
    names:
      /^pg_(?:switch|create|drop|copy|logical|replication|promote|reload|rotate|start_backup|stop_backup|backup|log_|import|export_snapshot|prewarm|extension_config|nextoid|resetwal|stop_making|sync_replication|(?:wal|xlog)_replay_|truncate_|buffercache_(?:evict|mark))/,
    because: 'administers the server',
  },
  {
    names:
      /^heap_force_|^autoprewarm_|^brin_(?:summarize|desummarize)_|^gin_clean_|^binary_upgrade_/,
    because: 'administers the server',
  },
];
