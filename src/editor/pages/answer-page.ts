import { commands as editorCommands, env, workspace } from 'vscode';
import { sessionKey } from '../../activity/session-key.ts';
import type { Session } from '../../activity/snapshot.ts';
import { activityCommands, connectionCommands, poolerCommands, probeCommands, sessionCommands } from '../../contributions.ts';
import type { FromView, SessionAction, ViewAction } from '../../webview/messages.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import type { PoolPages } from './pool-pages.ts';

export interface PageAnswers {
  readonly live: LiveActivity;
  readonly pages: PoolPages;
}

/** What a page asks for without an argument, by the command that does it. */
const commandOf: Readonly<Record<Exclude<ViewAction, 'reconnect'>, string>> = {
  connect: connectionCommands.connect,
  trust: 'workbench.trust.manage',
  pause: activityCommands.pause,
  resume: activityCommands.resume,
  probe: probeCommands.probe,
  'cancel-probe': probeCommands.cancelProbe,
  'open-pooler': poolerCommands.openPooler,
};

const sessionAnswers: Readonly<Record<SessionAction, (session: Session) => unknown>> = {
  copy: ({ query }) => env.clipboard.writeText(query),
  cancel: (session) => editorCommands.executeCommand(sessionCommands.cancelStatement, sessionKey(session)),
  terminate: (session) => editorCommands.executeCommand(sessionCommands.terminateSession, sessionKey(session)),
};

/** Does what a page asks for. The request was checked when it came in. */
export function answerPage(request: FromView, { live, pages }: PageAnswers): void {
  switch (request.kind) {
    case 'ready':
      return;
    case 'interval':
      return void workspace.getConfiguration().update('poolguard.activity.intervalSeconds', request.seconds, true);
    case 'open':
      return pages.reveal(request.section);
    case 'reconnect':
      return live.refresh();
    case 'session': {
      // What is no longer in the last look is gone, or was never there: a page's word alone counts for nothing.
      const session = live.activity.report?.sessions.find((each) => sessionKey(each) === request.key);
      return void (session && sessionAnswers[request.action](session));
    }
    default:
      return void editorCommands.executeCommand(commandOf[request.kind]);
  }
}
