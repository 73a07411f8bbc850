import { Disposable, commands as editorCommands, window, workspace } from 'vscode';
import { toPlainText } from '../activity/plain-text.ts';
import { contextKeys, panels, views, activityCommands } from '../contributions.ts';
import { describeTarget } from '../database/target.ts';
import type { PoolModel } from '../webview/to-view.ts';
import { createHeadroomStatusBar } from './activity/headroom-status-bar.ts';
import type { LiveActivity } from './activity/live-activity.ts';
import type { CodeIndex, SeenSessions } from './code-index.ts';
import { SessionActions } from './activity/session-actions.ts';
import { registerCommands, type CommandTable } from './command-table.ts';
import type { ConnectionsTree } from './connections/connections-tree.ts';
import type { ServerFigures } from './live-figures.ts';
import { sidebarViews, type PoolPages } from './pages/pool-pages.ts';
import { isProbing } from './probe/probe-control.ts';
import type { ProbeHistory } from './probe/probe-history.ts';
import { probeTable } from './probe/probe-commands.ts';
import { createPoolParts, reveal, type PoolContext } from './pool-parts.ts';
import { followSettings } from './activity/activity-settings.ts';
import { registerPoolTools } from './tools/pool-tools.ts';

/** Sidebar, panel, connections, status bar and probe. Disposing closes the connection and ends a running probe. */
export function registerPool(environment: PoolContext): Disposable {
  const { figures, code } = environment;
  const statusBar = createHeadroomStatusBar();
  const parts = createPoolParts(environment, () => show());
  const { live, probe, pages, pooler, running, tree, connections, history } = parts;
  const show = createShow(
    parts.model,
    (now) => {
      statusBar.show(now);
      tree.show(now.connection);
      setContextKeys(now);
      figures.set(toFigures(now, live, history));
      code.seen = toSeen(now, live);
    },
    pages,
  );
  show();
  return Disposable.from(
    ...[statusBar, pages, pooler, running],
    registerViews(pages, tree),
    registerCommands(
      connections.table(),
      activityTable(live, pages),
      new SessionActions(live).table(),
      pooler.table(),
      running.table(),
      probeTable({
        ...parts,
        code,
        reveal: () => reveal(views.size),
        connectSomewhere: () => connections.connectSomewhere(),
        showCurve: () => pages.reveal('probe'),
      }),
    ),
    registerPoolTools({ live, probe }),
    followEditor(live, code, show),
    { dispose: () => void connections.close() },
  );
}

function registerViews(pages: PoolPages, tree: ConnectionsTree): Disposable {
  return Disposable.from(
    ...sidebarViews.map((id) => window.registerWebviewViewProvider(id, pages.providerOf(id))),
    window.registerWebviewPanelSerializer(panels.sessions, pages),
    window.registerTreeDataProvider(views.connections, tree),
  );
}

/** Hears of changes in the code, in the workspace's trust and in the settings. */
function followEditor(live: LiveActivity, code: CodeIndex, show: () => void): Disposable {
  return Disposable.from(
    code.onDidChangeCode(() => live.relink()),
    workspace.onDidGrantWorkspaceTrust(() => show()),
    followSettings(live),
  );
}

/** Sends each part of the model when it is another than the one sent last; a lost connection always, since its countdown begins again. */
function createShow(
  model: () => PoolModel,
  always: (now: PoolModel) => void,
  pages: PoolPages,
): () => void {
  let last: PoolModel | undefined;
  return () => {
    const now = model();
    always(now);
    const { connection, activity, probe, history, intervalSeconds, pooler } = now;
    if (
      connection.kind === 'lost' ||
      intervalSeconds !== last?.intervalSeconds ||
      JSON.stringify(connection) !== JSON.stringify(last.connection)
    )
      pages.send({ kind: 'connection', connection, intervalSeconds });
    if (activity !== last?.activity) pages.sendActivity(activity);
    if (probe !== last?.probe) pages.send({ kind: 'probe', probe });
    if (JSON.stringify(history) !== JSON.stringify(last?.history))
      pages.send({ kind: 'history', history });
    pages.send({ kind: 'pooler', pooler });
    last = now;
  };
}

/** None while nothing is connected. */
function toFigures(
  { connection, activity: { report } }: PoolModel,
  { open, seenAt }: LiveActivity,
  history: ProbeHistory,
): ServerFigures | undefined {
  return (
    open && {
      label: toPlainText(describeTarget(open.target)),
      usable: report?.headroom.usable,
      seenAt,
      isLost: connection.kind === 'lost',
      lastProbe: history.last(open.target),
    }
  );
}

function toSeen(
  { connection, activity: { report } }: PoolModel,
  { open, seenAt }: LiveActivity,
): SeenSessions | undefined {
  return open === undefined || report === null || seenAt === undefined
    ? undefined
    : {
        sessions: report.sessions.filter(({ isOwn }) => !isOwn),
        server: report.server,
        at: seenAt,
        isLive: connection.kind === 'live',
      };
}

function setContextKeys({ connection, probe }: PoolModel): void {
  const set = (key: string, value: boolean): void =>
    void editorCommands.executeCommand('setContext', key, value);
  set(contextKeys.connected, connection.kind !== 'none' && connection.kind !== 'untrusted');
  set(contextKeys.paused, connection.kind === 'paused');
  set(contextKeys.probing, isProbing(probe));
}

/** What the palette can ask of the look at the server. */
function activityTable(
  live: LiveActivity,
  pages: PoolPages,
): CommandTable<typeof activityCommands> {
  return {
    [activityCommands.openSessions]: () => pages.reveal('sessions'),
    [activityCommands.exportSessions]: async () =>
      (await import('./activity/export-sessions-command.ts')).exportSessionsCommand(live),
    [activityCommands.pause]: () => live.setPaused(true),
    [activityCommands.resume]: () => live.setPaused(false),
  };
}
