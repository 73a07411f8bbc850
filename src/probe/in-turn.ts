import type { DatabaseSession } from '../database/session.ts';

/** The same session for several askers: a statement is sent when the one before it is done, since the driver's own queue is on its way out (pg 8.19). */
export function inTurn(session: DatabaseSession): Pick<DatabaseSession, 'query'> {
  let previous: Promise<unknown> = Promise.resolve();
  return {
    query: <Row>(statement: Parameters<DatabaseSession['query']>[0]) => {
      const answer = previous.then(() => session.query<Row>(statement));
      previous = answer;
      return answer;
    },
  };
}
