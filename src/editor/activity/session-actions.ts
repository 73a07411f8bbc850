import {
  ProgressLocation,
  commands as editorCommands,
  env,
  window,
  type MessageItem,
  type QuickPickItem,
} from 'vscode';
import { describeAge } from '../../activity/age.ts';
import {
  confirmEnding,
  describeEnding,
  type EndingAction,
  type EndingChoice,
  type EndingOutcome,
  refuseEnding,
  worstFirst,
} from '../../activity/ending-words.ts';
import { toShortText } from '../../activity/plain-text.ts';
import { type Session, sessionKey } from '../../activity/snapshot.ts';
import { sessionCommands, views } from '../../contributions.ts';
import { isPrivateHost } from '../../database/private-host.ts';
import type { CommandTable } from '../command-table.ts';
import type { LiveActivity } from './live-activity.ts';
import type { LiveConnection } from './live-connection.ts';

type EndingItem = MessageItem & { readonly choice: EndingChoice | null };

/** First, since Enter presses the first button that is not Cancel. */
const copyDetails: EndingItem = { title: 'Copy details', choice: null };

/** Cancel and terminate, from palette, pages and rows: always asked back, and always told what became of it. */
export class SessionActions {
  readonly #live: LiveActivity;

  constructor(live: LiveActivity) {
    this.#live = live;
  }

  table(): CommandTable<typeof sessionCommands> {
    return {
      [sessionCommands.cancelStatement]: (key) => this.#start('cancel', key),
      [sessionCommands.terminateSession]: (key) => this.#start('terminate', key),
    };
  }

  /** `key` comes from anywhere: only a session of the last sample counts. Without one, the user picks. */
  async #start(action: EndingAction, key: unknown): Promise<void> {
    const session =
      key === undefined
        ? await this.#pick(action)
        : this.#sessions().find((each) => sessionKey(each) === key);
    if (session !== undefined) {
      const refusal = refuseEnding(session);
      return refusal === null
        ? this.#confirm(action, session)
        : this.#refuse(refusal, action, session);
    }
    if (key !== undefined)
      void window.showInformationMessage('That session is no longer in the last sample.');
  }

  #sessions(): readonly Session[] {
    return this.#live.activity.report?.sessions ?? [];
  }

  async #pick(action: EndingAction): Promise<Session | undefined> {
    const { report } = this.#live.activity;
    if (report === null) return void this.#sayUnseen();
    const offered = worstFirst(report.sessions).filter(
      ({ isOwn, state }) =>
        !isOwn && state !== 'hidden' && (action === 'terminate' || !state.startsWith('idle')),
    );
    if (offered.length === 0)
      return void window.showInformationMessage(
        withoutLinks(
          action === 'cancel'
            ? 'No session in the last sample is running a statement.'
            : 'The last sample has no session that could be terminated.',
        ),
      );
    const seconds = Math.round((Date.now() - (this.#live.seenAt ?? Date.now())) / 1_000);
    const title = `${action === 'cancel' ? 'Cancel the statement of' : 'Terminate'} which session?${seconds > 10 ? ` As seen ${describeAge(seconds * 1_000)} ago` : ''}`;
    return (
      await window.showQuickPick(offered.map(toItem), {
        title,
        matchOnDescription: true,
        matchOnDetail: true,
      })
    )?.session;
  }

  async #sayUnseen(): Promise<void> {
    const open = 'Open the sidebar';
    const chosen = await window.showInformationMessage('Poolguard has no sessions yet.', open);
    if (chosen === open) await editorCommands.executeCommand(`${views.pools}.focus`);
  }

  #refuse(refusal: EndingOutcome, action: EndingAction, session: Session): void {
    const { sentence } = describeEnding(refusal, action, session);
    void window.showInformationMessage(withoutLinks(sentence));
  }

  async #confirm(asked: EndingAction, session: Session): Promise<void> {
    const { connection } = this.#live;
    const report = connection?.activity.report;
    if (connection === undefined || !report) return;
    const { title, detail, choices } = confirmEnding(session, asked, {
      report,
      isPrivate: isPrivateHost(connection.open.target.host),
      isPooled: connection.isPooled === true,
    });
    const items: readonly EndingItem[] = [
      copyDetails,
      ...choices.map((choice) => ({ title: choice.label, choice })),
      { title: 'Cancel', isCloseAffordance: true, choice: null },
    ];
    const chosen = await window.showWarningMessage(
      withoutLinks(title),
      { modal: true, detail },
      ...items,
    );
    if (chosen === copyDetails) return this.#copy(`${title}\n${detail}`);
    // Of the server that was asked about, whatever is connected by then.
    if (chosen?.choice) await this.#end(connection, chosen.choice.action, session, report.takenAt);
  }

  async #copy(details: string): Promise<void> {
    await env.clipboard.writeText(details);
    void window.showInformationMessage(
      'The session was left as it is; its details are in the clipboard.',
    );
  }

  async #end(
    connection: LiveConnection,
    action: EndingAction,
    session: Session,
    seenAt: string,
  ): Promise<void> {
    const progress = {
      location: ProgressLocation.Notification,
      title:
        action === 'cancel'
          ? `Cancelling the statement of session ${session.pid} …`
          : `Terminating session ${session.pid} …`,
    };
    const request = { action, pid: session.pid, backendStart: session.backendStart, seenAt };
    const outcome = await window.withProgress(progress, () => connection.endSession(request));
    const { sentence, isDone } = describeEnding(outcome, action, session);
    if (isDone) return void window.showInformationMessage(withoutLinks(sentence));
    const next =
      action === 'cancel' && (outcome.kind === 'still-there' || outcome.kind === 'runs-nothing')
        ? ['Terminate…']
        : [];
    if ((await window.showWarningMessage(withoutLinks(sentence), ...next)) !== undefined)
      await this.#start('terminate', sessionKey(session));
  }
}

function toItem(session: Session): QuickPickItem & { readonly session: Session } {
  const since = session.stateAgeMs === null ? '' : ` for ${describeAge(session.stateAgeMs)}`;
  const plain = (text: string | null, length: number) =>
    withoutIcons(toShortText(text ?? '', length).trim());
  return {
    label: `${session.pid}  ${session.state}${since}`,
    description: [
      plain(session.application, 40) || '(no application_name)',
      plain(session.user, 40),
      plain(session.database, 40),
    ].join(' · '),
    detail: plain(session.query, 160),
    session,
  };
}

/** A pick shows `$(name)` as an icon. */
function withoutIcons(text: string): string {
  return text.replace(/\$\((?=[\w~-]+\))/g, '\\$(');
}

/** A notification makes a link of `[text](command:…)`. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
