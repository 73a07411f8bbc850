import { suiteName, type HostileServer } from './hostile-server.ts';
import { ownStatements } from './own-statements.ts';
import { loginMark, trapMark } from './traps/notes.ts';

/** What the server's log tells since it was last read. */
export interface Seen {
  /** What was planted and called, with who called it and by which statement, but for what the suite did itself. */
  readonly called: readonly string[];
  /** Runs of the event trigger at logins. */
  readonly logins: readonly string[];
  /** Statements of Poolguard, each once. */
  readonly statements: readonly string[];
}

export async function readSeen({ log }: HostileServer): Promise<Seen> {
  const entries = await log.read();
  const others = entries.filter(({ application }) => application !== suiteName);
  const marked = (mark: string) =>
    others
      .filter(({ text }) => text.startsWith(mark))
      .map(({ application, text }) => `${application}: ${text}`);
  return {
    called: marked(trapMark),
    logins: marked(loginMark),
    statements: ownStatements(entries),
  };
}
