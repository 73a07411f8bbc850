import type { Asker, ServerRoomFacts } from './probe-server.ts';
import type { QueryAnswer } from './session.ts';
import { harmSql } from './sql/probe-server.sql.ts';

/** One look at what a probe does to others. */
export interface HarmReading extends ServerRoomFacts {
  /** Connections of this probe, by `application_name`, without the one that looks. */
  readonly own: number;
  /** Active sessions of others, as far as the role may see them. */
  readonly activeOthers: number;
  /** Sessions of others that wait for a lock which this probe holds. */
  readonly blockedOthers: number;
}

export function readHarm(session: Asker): Promise<QueryAnswer<HarmReading>> {
  return session.query<HarmReading>({ name: 'poolguard_harm', text: harmSql });
}
