import type { ActivityModel } from '../activity/activity-model.ts';
import { type ActivityReport, type Session, sessionKey } from '../activity/snapshot.ts';

/** A model as it goes to a page that has the one before: what is long and did not change is left out. */
export interface LeanActivity extends Omit<ActivityModel, 'report'> {
  readonly report: LeanReport | null;
}

interface LeanReport extends Omit<ActivityReport, 'sessions'> {
  readonly sessions: readonly LeanSession[];
}

/** Null stands for the statement that the session had in the model before. */
export type LeanSession = Omit<Session, 'query'> & { readonly query: string | null };

/** Characters of a statement that a page gets; `track_activity_query_size` may be as large as 1 MB. Copying gives all. */
export const longestStatement = 10_000;

/** The model with no statement longer than a page can show. */
export function capActivity(activity: ActivityModel): ActivityModel {
  const { report } = activity;
  if (report === null || report.sessions.every(({ query }) => query.length <= longestStatement))
    return activity;
  return { ...activity, report: { ...report, sessions: report.sessions.map(capStatement) } };
}

function capStatement(session: Session): Session {
  const { query } = session;
  const rest = query.length - longestStatement;
  return rest <= 0
    ? session
    : {
        ...session,
        query: `${query.slice(0, longestStatement)} … cut: ${rest.toLocaleString('en')} more characters. Copying the statement gives all of it.`,
      };
}

/** `before` is the capped model that the page has. */
export function leanActivity(activity: ActivityModel, before: ActivityModel): LeanActivity {
  const { report } = activity;
  const known = queriesOf(before);
  return {
    ...activity,
    absent: [],
    report: report && {
      ...report,
      sessions: report.sessions.map((session) => ({
        ...session,
        query: known.get(sessionKey(session)) === session.query ? null : session.query,
      })),
    },
  };
}

/** The model that was sent, or undefined when the page has another one before than the sender thought. */
export function fillActivity(
  { report, ...activity }: LeanActivity,
  before: ActivityModel,
): ActivityModel | undefined {
  if (report === null) return { ...activity, report };
  const known = queriesOf(before);
  const sessions: Session[] = [];
  for (const session of report.sessions) {
    const query = session.query ?? known.get(sessionKey(session));
    if (query === undefined) return undefined;
    sessions.push({ ...session, query });
  }
  return { ...activity, report: { ...report, sessions } };
}

function queriesOf({ report }: ActivityModel): ReadonlyMap<string, string> {
  return new Map(report?.sessions.map((session) => [sessionKey(session), session.query]));
}
