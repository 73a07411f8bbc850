import * as v from 'valibot';
import type { OutputOf } from '../schema/fields.ts';

/** So many seconds before and after 1970 a date can be told (ECMAScript, time values). */
const furthestSeconds = 8.64e12;

/** Seconds since 1970, of which a date can be made. */
const moment = v.pipe(v.number(), v.minValue(-furthestSeconds), v.maxValue(furthestSeconds));

/** One row of the activity statement, as the driver gives it. Moments are seconds since 1970, precise to the microsecond. */
export const ActivityRow = v.object({
  pid: v.number(),
  is_hidden: v.boolean(),
  started_at: v.nullable(moment),
  user_name: v.nullable(v.string()),
  database_name: v.nullable(v.string()),
  application: v.nullable(v.string()),
  client_address: v.nullable(v.string()),
  client_port: v.nullable(v.number()),
  state: v.nullable(v.string()),
  transaction_at: v.nullable(v.number()),
  query_at: v.nullable(v.number()),
  state_at: v.nullable(v.number()),
  wait_event_type: v.nullable(v.string()),
  wait_event: v.nullable(v.string()),
  blocked_by: v.nullable(v.array(v.number())),
  query: v.nullable(v.string()),
  /** In the last row only, which is no session: when the sample began, and the pid of the backend that looked. */
  taken_at: v.nullable(moment),
  /** In the last row only: what the server took so far, in milliseconds. */
  took_ms: v.nullable(v.number()),
});
export type ActivityRow = OutputOf<typeof ActivityRow>;

/** A row about a role or a database that may open so many connections at most. */
export const ConnectionLimitRow = v.object({
  scope: v.picklist(['role', 'database']),
  name: v.string(),
  limit: v.nullable(v.number()),
  /** The role or database of the own connection. */
  isOwn: v.boolean(),
});
export type ConnectionLimitRow = OutputOf<typeof ConnectionLimitRow>;
