import { commands as editorCommands, env, workspace } from 'vscode';
import { type Session, sessionKey } from '../../activity/snapshot.ts';
import {
  activityCommands,
  connectionCommands,
  lensCommands,
  poolerCommands,
  probeCommands,
  runningCommands,
  sessionCommands,
} from '../../contributions.ts';
import { labelOf } from '../../linking/linked-code.ts';
import type { FromView, ViewAction } from '../../webview/from-view.ts';
import type { SessionAction } from '../../webview/messages.ts';
import type { CodeIndex } from '../code-index.ts';
import type { KeptColumns } from '../activity/kept-columns.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import type { ProbeControl } from '../probe/probe-control.ts';
import { probeAnswers, type ProbeAnswer } from '../probe/probe-answers.ts';
import type { RunningPart } from '../running/running-part.ts';
import type { PoolPages } from './pool-pages.ts';
import { showPool, showStatement } from './show-code.ts';

export interface PageAnswers {
  readonly live: LiveActivity;
  readonly pages: PoolPages;
  readonly code: CodeIndex;
  readonly probe: ProbeControl;
  readonly columns: KeptColumns;
  readonly running: RunningPart;
}

/** What a page asks for without an argument, by the command that does it. */
const commandOf: Readonly<Record<Exclude<ViewAction, 'reconnect' | ProbeAnswer>, string>> = {
  connect: connectionCommands.connect,
  trust: 'workbench.trust.manage',
  pause: activityCommands.pause,
  resume: activityCommands.resume,
  probe: probeCommands.probe,
  'probe-again': probeCommands.probeAgain,
  'cancel-probe': probeCommands.cancelProbe,
  'conclude-probe': probeCommands.concludeProbe,
  'write-options': lensCommands.useMeasuredOptions,
  'open-pooler': poolerCommands.openPooler,
  'run-watched': runningCommands.run,
  'watch-terminals': runningCommands.watchTerminals,
  'unwatch-terminals': runningCommands.stopWatchingTerminals,
};

const sessionAnswers: Readonly<
  Record<SessionAction, (session: Session, answers: PageAnswers) => unknown>
> = {
  copy: ({ query }) => env.clipboard.writeText(query),
  'show-code': (session, answers) => showCode(session, answers),
  'copy-row': async (session) => (await takingOut()).copySession(session),
  cancel: (session) =>
    editorCommands.executeCommand(sessionCommands.cancelStatement, sessionKey(session)),
  terminate: (session) =>
    editorCommands.executeCommand(sessionCommands.terminateSession, sessionKey(session)),
};

/** Where the client that somebody holds was acquired, or else where the statement is written. */
function showCode(session: Session, { live, code, running }: PageAnswers): unknown {
  const place = live.activity.holders[sessionKey(session)]?.place;
  return place ? running.openPlace(place.key) : showStatement(code.code?.placesOf(session.query));
}

function takingOut() {
  return import('../activity/export-sessions-command.ts');
}

/** Does what a page asks for. The request was checked when it came in. */
export function answerPage(request: FromView, answers: PageAnswers): void {
  const { live, pages, code, probe } = answers;
  switch (request.kind) {
    case 'ready':
      return;
    case 'interval':
      return void workspace
        .getConfiguration()
        .update('poolguard.activity.intervalSeconds', request.seconds, true);
    case 'open':
      return pages.reveal(request.section);
    case 'export':
      return void takingOut().then(({ exportSessionsCommand }) =>
        exportSessionsCommand(live, request),
      );
    case 'copy':
      return void takingOut().then(({ copySessions }) =>
        copySessions(live.activity.report?.sessions ?? [], request),
      );
    case 'columns':
      return void answers.columns.keep(request.layout);
    case 'code-place':
      return void answers.running.openPlace(request.key);
    case 'reconnect':
      return live.refresh();
    case 'copy-snippet':
    case 'copy-pooler-settings':
    case 'export-probe':
      // What a page shows is the host's own result, not what the page says.
      return void (probe.state.kind === 'result' && probeAnswers[request.kind](probe.state.result));
    case 'session': {
      // What is no longer in the last sample is gone, or was never there: a page's word alone counts for nothing.
      const session = live.activity.report?.sessions.find(
        (each) => sessionKey(each) === request.key,
      );
      return void (session && sessionAnswers[request.action](session, answers));
    }
    case 'pool': {
      const pool = live.activity.pools.find(({ key }) => key === request.key);
      return void (pool && showPool(poolNamed(pool.declared?.label, code)));
    }
    default:
      return void editorCommands.executeCommand(commandOf[request.kind]);
  }
}

/** A view shows the place of a pool; where that is, the code tells. */
function poolNamed(label: string | undefined, { code }: CodeIndex) {
  return code?.facts.pools.find((pool) => labelOf(pool) === label);
}
