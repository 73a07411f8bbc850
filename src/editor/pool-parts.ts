import {
  commands as editorCommands,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
} from 'vscode';
import { systemClock } from '../activity/clock.ts';
import type { ActivitySource } from '../activity/poller.ts';
import { views } from '../contributions.ts';
import { watchersPatienceMs } from '../database/session-limits.ts';
import { stackOf } from '../database/secret.ts';
import type { DatabaseSession } from '../database/session.ts';
import type { ConnectionTarget } from '../database/target.ts';
import { runProbe } from '../probe/run-probe.ts';
import type { PoolModel } from '../webview/to-view.ts';
import { KeptColumns } from './activity/kept-columns.ts';
import { LiveActivity, type LiveActivityOptions } from './activity/live-activity.ts';
import type { OpenConnection } from './activity/live-connection.ts';
import type { CodeIndex } from './code-index.ts';
import { ConnectionCommands } from './connections/connection-commands.ts';
import { ConnectionsTree } from './connections/connections-tree.ts';
import { SavedConnections } from './connections/saved-connections.ts';
import { answerPage } from './pages/answer-page.ts';
import { PoolPages, type SidebarView } from './pages/pool-pages.ts';
import { PoolerRoom } from './pooler/pooler-room.ts';
import { ProbeControl, type ProbeControlOptions } from './probe/probe-control.ts';
import { ProbeHistory } from './probe/probe-history.ts';
import { ProbeMemory } from './probe/probe-memory.ts';
import { writtenInTurn } from './kept-state.ts';
import type { LiveFigures } from './live-figures.ts';
import type { RunningHub } from './running/running-hub.ts';
import { RunningPart } from './running/running-part.ts';
import { readInterval, readThresholds } from './activity/activity-settings.ts';

/** What the pool's side of the editor works with. */
export interface PoolContext {
  readonly context: ExtensionContext;
  readonly channel: LogOutputChannel;
  /** Written here, for what stands beside the code. */
  readonly figures: LiveFigures;
  readonly code: CodeIndex;
  readonly hub: RunningHub;
}

/** What the pool's pages, commands and tools are about. */
interface PoolParts extends Probes {
  readonly live: LiveActivity;
  readonly pages: PoolPages;
  readonly pooler: PoolerRoom;
  readonly running: RunningPart;
  readonly tree: ConnectionsTree;
  readonly connections: ConnectionCommands;
  /** All that is to be shown now. */
  readonly model: () => PoolModel;
}

/** Makes the parts; each knows those that it asks, and all tell of a change. */
export function createPoolParts(
  { context, channel, code, hub }: PoolContext,
  onChange: () => void,
): PoolParts {
  const onError = (error: unknown) => channel.error(stackOf(error));
  const state = writtenInTurn(context.globalState);
  const saved = new SavedConnections(state, context.secrets);
  const live = createLive(code, {
    onChange,
    onError,
    onRefused: (open, failure) => void connections.offerEdit(open, failure),
  });
  const columns = new KeptColumns(state);
  let isPoolWatched = false;
  const probes = createProbes(context, { onChange, onError });
  const { probe, history } = probes;
  const pages: PoolPages = new PoolPages({
    extensionUri: context.extensionUri,
    model: () => model(),
    seenAt: () => live.seenAt,
    onRequest: (request) => answerPage(request, { ...probes, live, pages, code, columns, running }),
    onWatched: (isWatched) => pooler.follow((isPoolWatched = isWatched)),
  });
  const pooler: PoolerRoom = new PoolerRoom({
    context,
    state,
    live,
    connectSomewhere: () => connections.connectSomewhere(),
    savedTargets: () => saved.list().map(({ target }) => target),
    onChange,
    onError,
  });
  const running: RunningPart = new RunningPart({
    context,
    hub,
    pages,
    reveal: () => reveal(views.running),
    onError,
  });
  const tree = new ConnectionsTree(saved, () => live.open?.target);
  const connections: ConnectionCommands = new ConnectionCommands({
    saved,
    probes,
    live,
    probe,
    tree,
    reveal: () => reveal(views.pools),
  });
  const model = () => toModel({ saved, columns, live, probe, history, pooler, running });
  // What the pooler makes of a change is part of the model that tells of it.
  const modelOfAll = () => {
    pooler.follow(isPoolWatched);
    return model();
  };
  return { ...probes, live, pages, pooler, running, tree, connections, model: modelOfAll };
}

function createLive(
  code: CodeIndex,
  hearers: Pick<LiveActivityOptions, 'onChange' | 'onError' | 'onRefused'>,
): LiveActivity {
  return new LiveActivity({
    createSource,
    endSession: async (...asked) => (await import('./driver.ts')).endThrough(...asked),
    clock: systemClock,
    intervalSeconds: readInterval(),
    thresholds: readThresholds(),
    code: () => code.code,
    holderOf: () => code.holderOf,
    ...hearers,
  });
}

/** Shows a view of the sidebar, wherever the user has put it. */
export function reveal(view: SidebarView): PromiseLike<unknown> {
  return editorCommands.executeCommand(`${view}.focus`);
}

interface Probes {
  readonly probe: ProbeControl;
  readonly memory: ProbeMemory;
  readonly history: ProbeHistory;
  readonly forget: (target: ConnectionTarget) => Promise<unknown>;
}

/** The probe that may be running, and what is kept of those before. */
function createProbes(
  context: ExtensionContext,
  { onChange, onError }: Pick<ProbeControlOptions, 'onChange' | 'onError'>,
): Probes {
  const state = writtenInTurn(context.workspaceState);
  const history = new ProbeHistory(state);
  const memory = new ProbeMemory(state);
  const ask = () => import('./probe/what-to-probe.ts');
  const probe = new ProbeControl({
    run: runProbe,
    askForRole: async (role) => (await ask()).confirmRole(role),
    askForOwners: async (request, owners) => (await ask()).confirmOwners(request, owners, memory),
    processPath: context.asAbsolutePath('dist/probe.cjs'),
    onResult: ({ target }, result) => void history.keep(target, result).then(onChange),
    onChange,
    onError,
    confirm: async (request, plan) => (await ask()).confirmPlan(request, plan, memory),
  });
  return {
    probe,
    memory,
    history,
    forget: (target) => Promise.all([history.forget(target), memory.forget(target)]),
  };
}

function toModel({
  saved,
  columns,
  live,
  probe,
  history,
  pooler,
  running,
}: Pick<PoolParts, 'live' | 'probe' | 'history' | 'pooler' | 'running'> & {
  readonly saved: SavedConnections;
  readonly columns: KeptColumns;
}): PoolModel {
  return {
    connection:
      live.connectionState() ??
      (workspace.isTrusted ? { kind: 'none', saved: saved.list().length } : { kind: 'untrusted' }),
    activity: live.activity,
    probe: probe.state,
    history:
      live.open === undefined
        ? null
        : history.of(
            live.open.target,
            probe.state.kind === 'result' ? probe.state.result : undefined,
          ),
    intervalSeconds: live.intervalSeconds,
    columns: columns.layout,
    pooler: pooler.state,
    running: running.state,
  };
}

/** The driver is loaded with the first connection. */
function createSource(
  { target, secret }: OpenConnection,
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
