import {
  Disposable,
  commands as editorCommands,
  window,
  workspace,
  type ExtensionContext,
} from 'vscode';
import { systemClock } from '../activity/clock.ts';
import type { ActivitySource } from '../activity/poller.ts';
import { thresholdNames, toThresholds, type Thresholds } from '../activity/thresholds.ts';
import { contextKeys, panels, views } from '../contributions.ts';
import { watchersPatienceMs } from '../database/client-config.ts';
import type { Secret } from '../database/secret.ts';
import type { DatabaseSession } from '../database/session.ts';
import { describeTarget, type ConnectionTarget } from '../database/target.ts';
import { runProbe } from '../probe/run-probe.ts';
import { toThresholdKey } from '../settings/settings.ts';
import { toInterval, type IntervalSeconds, type PoolModel } from '../webview/messages.ts';
import { activityTable } from './activity/activity-commands.ts';
import { createHeadroomStatusBar } from './activity/headroom-status-bar.ts';
import { LiveActivity } from './activity/live-activity.ts';
import type { CodeIndex, SeenSessions } from './code-index.ts';
import { SessionActions } from './activity/session-actions.ts';
import { registerCommands } from './command-table.ts';
import { ConnectionCommands } from './connections/connection-commands.ts';
import { ConnectionsTree } from './connections/connections-tree.ts';
import { SavedConnections } from './connections/saved-connections.ts';
import type { LiveFigures, ServerFigures } from './live-figures.ts';
import { answerPage } from './pages/answer-page.ts';
import { PoolPages } from './pages/pool-pages.ts';
import { PoolerRoom } from './pooler/pooler-room.ts';
import { LastProbes } from './probe/last-probes.ts';
import { confirmPlan } from './probe/confirm-plan.ts';
import { ProbeControl, isProbing } from './probe/probe-control.ts';
import { probeTable } from './probe/probe-commands.ts';
import { ProbeMemory } from './probe/probe-memory.ts';
import { isAbout, readSetting } from './read-settings.ts';
import type { RunningHub } from './running/running-hub.ts';
import { RunningPart } from './running/running-part.ts';
import { registerPoolTools } from './tools/pool-tools.ts';

/** Sidebar, panel, connections, status bar and probe. Disposing closes the connection and ends a running probe. */
export function registerPool(
  context: ExtensionContext,
  figures: LiveFigures,
  code: CodeIndex,
  hub: RunningHub,
): Disposable {
  const saved = new SavedConnections(context.globalState, context.secrets);
  const lastProbes = new LastProbes(context.workspaceState);
  const memory = new ProbeMemory(context.workspaceState);
  const statusBar = createHeadroomStatusBar();
  const live = new LiveActivity({
    createSource,
    clock: systemClock,
    intervalSeconds: readInterval(),
    thresholds: readThresholds(),
    code: () => code.code,
    holderOf: () => code.holderOf,
    onChange: () => show(),
    onRefused: (open, failure) => void connections.offerEdit(open, failure),
  });
  const probe = new ProbeControl({
    run: runProbe,
    processPath: context.asAbsolutePath('dist/probe.cjs'),
    onResult: ({ target }, result) => void lastProbes.keep(target, result).then(() => show()),
    onChange: () => show(),
    askElsewhere: (label, plan) => (isPoolWatched ? undefined : confirmPlan(label, plan)),
  });
  const pages: PoolPages = new PoolPages({
    extensionUri: context.extensionUri,
    model: () => model(),
    seenAt: () => live.seenAt,
    onRequest: (request) => answerPage(request, { live, pages, code, probe, memory, running }),
    onWatched: (isWatched) => pooler.follow((isPoolWatched = isWatched)),
  });
  let isPoolWatched = false;
  const pooler: PoolerRoom = new PoolerRoom({
    context,
    live,
    connectSomewhere: () => connections.connectSomewhere(),
    savedTargets: () => saved.list().map(({ target }) => target),
    onChange: () => show(),
  });
  const running: RunningPart = new RunningPart(context, hub, pages);
  const tree = new ConnectionsTree(saved, () => live.open?.target);
  const reveal = () => editorCommands.executeCommand(`${views.pool}.focus`);
  const connections: ConnectionCommands = new ConnectionCommands({
    saved,
    probes: { forget: (target) => Promise.all([lastProbes.forget(target), memory.forget(target)]) },
    live,
    probe,
    tree,
    reveal,
  });
  const model = (): PoolModel => ({
    connection:
      live.connectionState() ??
      (workspace.isTrusted ? { kind: 'none', saved: saved.list().length } : { kind: 'untrusted' }),
    activity: live.activity,
    probe: probe.state,
    intervalSeconds: live.intervalSeconds,
    pooler: pooler.state,
    running: running.state,
  });
  // What the pooler makes of a change is part of the model that tells of it.
  const modelOfAll = () => {
    pooler.follow(isPoolWatched);
    return model();
  };
  const show = createShow(
    modelOfAll,
    (now) => {
      statusBar.show(now);
      tree.show(now.connection);
      setContextKeys(now);
      figures.set(toFigures(now, live, lastProbes));
      code.seen = toSeen(now, live);
    },
    pages,
  );
  show();
  return Disposable.from(
    ...[statusBar, pages, pooler, running],
    window.registerWebviewViewProvider(views.pool, pages),
    window.registerWebviewPanelSerializer(panels.sessions, pages),
    window.registerTreeDataProvider(views.connections, tree),
    registerCommands(
      connections.table(),
      activityTable(live, pages),
      new SessionActions(live).table(),
      pooler.table(),
      running.table(),
      probeTable({
        live,
        probe,
        memory,
        code,
        reveal,
        connectSomewhere: () => connections.connectSomewhere(),
        showCurve: () => pages.reveal('probe'),
      }),
    ),
    registerPoolTools({ live, probe }),
    code.onDidChangeCode(() => live.relink()),
    workspace.onDidGrantWorkspaceTrust(() => show()),
    workspace.onDidChangeConfiguration(
      (change) => isAbout(change, 'activity.intervalSeconds') && live.setInterval(readInterval()),
    ),
    workspace.onDidChangeConfiguration(
      (change) =>
        thresholdNames.some((name) => isAbout(change, toThresholdKey(name))) &&
        live.setThresholds(readThresholds()),
    ),
    { dispose: () => void Promise.all([probe.cancel(), live.disconnect()]) },
  );
}

/** The driver is loaded with the first connection. */
function createSource(
  target: ConnectionTarget,
  secret: Secret | null,
  onOpen: (session: DatabaseSession) => void,
): ActivitySource {
  return {
    async open(signal) {
      const { createActivitySource } = await import('./driver.ts');
      return createActivitySource(target, secret, {
        onOpen,
        backendPatienceMs: watchersPatienceMs,
      }).open(signal);
    },
  };
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
    const { connection, activity, probe, intervalSeconds, pooler } = now;
    if (
      connection.kind === 'lost' ||
      intervalSeconds !== last?.intervalSeconds ||
      JSON.stringify(connection) !== JSON.stringify(last.connection)
    )
      pages.send({ kind: 'connection', connection, intervalSeconds });
    if (activity !== last?.activity) pages.sendActivity(activity);
    if (probe !== last?.probe) pages.send({ kind: 'probe', probe });
    pages.send({ kind: 'pooler', pooler });
    last = now;
  };
}

/** None while nothing is connected. */
function toFigures(
  { connection, activity: { report } }: PoolModel,
  { open, seenAt }: LiveActivity,
  lastProbes: LastProbes,
): ServerFigures | undefined {
  return (
    open && {
      label: describeTarget(open.target),
      usable: report?.headroom.usable,
      seenAt,
      isLost: connection.kind === 'lost',
      lastProbe: lastProbes.of(open.target),
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

function readInterval(): IntervalSeconds {
  return toInterval(readSetting('activity.intervalSeconds'));
}

function readThresholds(): Thresholds {
  return toThresholds(
    Object.fromEntries(thresholdNames.map((name) => [name, readSetting(toThresholdKey(name))])),
  );
}
