import { MarkdownString, type Diagnostic } from 'vscode';
import { activityCommands } from '../../contributions.ts';
import { describeAge } from '../../activity/age.ts';
import { toShortText } from '../../activity/plain-text.ts';
import type { Session } from '../../activity/snapshot.ts';
import { keyOfHeld } from '../../running/evidence.ts';
import { findHolder } from '../../running/find-holder.ts';
import type { RunningApps } from '../../running/running-app.ts';
import { evidenceDataOf } from '../../server/evidence/evidence-data.ts';
import type { SeenSessions } from '../code-index.ts';

const mostSessions = 3;
const longestStatement = 500;

/** The sessions of the clients that a diagnostic's evidence is about: state, age and statement of each, the longest first. Undefined when none is known. */
export function backendsOf(
  diagnostic: Diagnostic,
  seen: SeenSessions,
  apps: RunningApps,
): MarkdownString | undefined {
  const { evidence: keys } = evidenceDataOf(diagnostic);
  const sessions =
    keys.length === 0
      ? []
      : seen.sessions.filter((session) => {
          const found = findHolder(apps, session, seen.server);
          return found !== null && keys.includes(keyOfHeld(found.app, found.pool, found.held));
        });
  if (sessions.length === 0) return undefined;
  const longestFirst = [...sessions].sort(
    (one, other) => (other.stateAgeMs ?? 0) - (one.stateAgeMs ?? 0),
  );
  const markdown = new MarkdownString(
    `${seen.isLive ? 'On the server now' : 'On the server, in the last sample'}: [Show sessions](command:${activityCommands.openSessions})`,
  );
  markdown.isTrusted = { enabledCommands: [activityCommands.openSessions] };
  for (const session of longestFirst.slice(0, mostSessions)) {
    markdown.appendMarkdown(`\n\n${describeBackend(session)}\n`);
    // A text of one line cannot end the block that it stands in.
    if (session.query !== '')
      markdown.appendCodeblock(toShortText(session.query, longestStatement).trim(), 'sql');
  }
  if (sessions.length > mostSessions)
    markdown.appendMarkdown(`\n\nand ${sessions.length - mostSessions} more`);
  return markdown;
}

/** Words and numbers of ours only. "backend 5001 idle in transaction for 42 s, last statement:" */
function describeBackend({
  pid,
  state,
  stateAgeMs,
  query,
}: Pick<Session, 'pid' | 'state' | 'stateAgeMs' | 'query'>): string {
  const age = stateAgeMs === null ? '' : ` for ${describeAge(stateAgeMs)}`;
  return `Backend ${pid} ${state}${age}${query === '' ? '' : state === 'active' ? ', running:' : ', last statement:'}`;
}
