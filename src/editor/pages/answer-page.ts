import { commands as editorCommands, workspace } from 'vscode';
import { activityCommands, connectionCommands, probeCommands } from '../../contributions.ts';
import type { FromView, ViewAction } from '../../webview/messages.ts';
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
    default:
      return void editorCommands.executeCommand(commandOf[request.kind]);
  }
}
