import {
  ViewColumn,
  window,
  type Disposable,
  type Uri,
  type ViewBadge,
  type WebviewPanel,
  type WebviewPanelSerializer,
  type WebviewView,
  type WebviewViewProvider,
} from 'vscode';
import { emptyActivity, type ActivityModel } from '../../activity/activity-model.ts';
import { panels, views } from '../../contributions.ts';
import { capActivity, leanActivity } from '../../webview/lean-activity.ts';
import { parseFromView, type FromView } from '../../webview/from-view.ts';
import type { PoolModel, ToView } from '../../webview/to-view.ts';
import type { Page } from './page-html.ts';
import { fillWebview } from './webview-page.ts';

/** A page, and the parts of the model that it shows: it hears of nothing else. */
interface PoolPage extends Page {
  readonly shows: readonly ToView['kind'][];
}

const sidebar = {
  [views.pools]: {
    script: 'sidebar',
    element: 'poolguard-pools-view',
    title: 'Pools',
    shows: ['connection', 'activity', 'pooler'],
  },
  [views.blocking]: {
    script: 'sidebar',
    element: 'poolguard-blocking-view',
    title: 'Blocking',
    shows: ['connection', 'activity'],
  },
  [views.running]: {
    script: 'sidebar',
    element: 'poolguard-running-view',
    title: 'Running apps',
    shows: ['running'],
  },
  [views.size]: {
    script: 'sidebar',
    element: 'poolguard-size-view',
    title: 'Pool size',
    shows: ['connection', 'probe', 'history'],
  },
} as const satisfies Readonly<Record<string, PoolPage>>;

/** A view of the sidebar that is a page. */
export type SidebarView = keyof typeof sidebar;
export const sidebarViews = Object.keys(sidebar) as readonly SidebarView[];

const wide: PoolPage = {
  script: 'sessions-panel',
  element: 'poolguard-sessions-panel',
  title: 'Sessions',
  shows: ['connection', 'activity', 'probe', 'history'],
};

export interface PoolPagesOptions {
  readonly extensionUri: Uri;
  readonly model: () => PoolModel;
  /** When the server was last looked at, in milliseconds since 1970. */
  readonly seenAt: () => number | undefined;
  readonly onRequest: (request: FromView) => void;
  /** Whether a page about the server can be seen. */
  readonly onWatched: (isWatched: boolean) => void;
}

/** The views of the sidebar and the wide panel. Each may be killed at any time; one that says `ready` gets the whole model. */
export class PoolPages implements WebviewPanelSerializer, Disposable {
  readonly #options: PoolPagesOptions;
  readonly #open = new Map<WebviewView | WebviewPanel, PoolPage>();
  /** What each page was sent last. One that is hidden is killed, and asks for everything when it comes back. */
  readonly #sent = new Map<WebviewView | WebviewPanel, ActivityModel>();
  #panel: WebviewPanel | undefined;
  #running: WebviewView | undefined;
  #badge: ViewBadge | undefined;
  /** Told to the panel once its page has loaded. */
  #revealWhenReady: ToView | undefined;

  constructor(options: PoolPagesOptions) {
    this.#options = options;
  }

  providerOf(id: SidebarView): WebviewViewProvider {
    return {
      resolveWebviewView: (view) => {
        if (id === views.running) this.#keepBadge(view);
        this.#attach(view, sidebar[id]);
        view.onDidChangeVisibility(() => this.#tellWatched());
      },
    };
  }

  reveal(section: 'sessions' | 'probe'): void {
    const message: ToView = { kind: 'reveal', section };
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      void this.#panel.webview.postMessage(message);
      return;
    }
    this.#revealWhenReady = message;
    this.#attachPanel(
      window.createWebviewPanel(panels.sessions, 'Poolguard: Sessions', ViewColumn.Active),
    );
  }

  /** Of a window that was open before. */
  deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    if (this.#panel === undefined) this.#attachPanel(panel);
    else panel.dispose();
    return Promise.resolve();
  }

  #attachPanel(panel: WebviewPanel): void {
    this.#panel = panel;
    panel.onDidDispose(() => (this.#panel = undefined));
    this.#attach(panel, wide);
    panel.onDidChangeViewState(() => this.#tellWatched());
  }

  /** Whether a page that shows this part of the model can be seen. */
  isSeen(kind: ToView['kind']): boolean {
    return this.#seeing(kind).length > 0;
  }

  /** To the pages that show it and can be seen; a hidden one asks for everything when it comes back. */
  send(message: ToView): void {
    for (const page of this.#seeing(message.kind)) void page.webview.postMessage(message);
  }

  /** Only what changed, to those that have been sent the sample before. */
  sendActivity(activity: ActivityModel): void {
    const capped = capActivity(activity);
    for (const [page, before] of this.#sent) {
      if (!page.visible) continue;
      this.#sent.set(page, capped);
      void page.webview.postMessage({
        kind: 'activity',
        activity: leanActivity(capped, before),
      } satisfies ToView);
    }
  }

  /** Pools of running applications that want to be looked at, beside the icon of the sidebar. */
  setBadge(pools: number): void {
    this.#badge =
      pools === 0
        ? undefined
        : {
            value: pools,
            tooltip: `${pools} pool${pools === 1 ? '' : 's'} of running applications in need of attention`,
          };
    if (this.#running !== undefined && this.#running.badge?.value !== this.#badge?.value)
      this.#running.badge = this.#badge;
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #keepBadge(view: WebviewView): void {
    this.#running = view;
    view.badge = this.#badge;
    view.onDidDispose(() => (this.#running = undefined));
  }

  #attach(page: WebviewView | WebviewPanel, content: PoolPage): void {
    this.#open.set(page, content);
    page.webview.onDidReceiveMessage((value: unknown) => this.#receive(page, content, value));
    page.onDidDispose(() => {
      this.#open.delete(page);
      this.#sent.delete(page);
      this.#tellWatched();
    });
    fillWebview(page.webview, this.#options.extensionUri, content);
    this.#tellWatched();
  }

  #receive(page: WebviewView | WebviewPanel, { shows }: PoolPage, value: unknown): void {
    const request = parseFromView(value);
    if (request === undefined) return;
    if (request.kind !== 'ready') return this.#options.onRequest(request);
    const model = this.#options.model();
    const showsActivity = shows.includes('activity');
    const activity = showsActivity ? capActivity(model.activity) : emptyActivity;
    const seenAt = this.#options.seenAt();
    if (showsActivity) this.#sent.set(page, activity);
    void page.webview.postMessage({
      kind: 'model',
      model: { ...model, activity: { ...activity, absent: [] } },
      seenAgoMs: seenAt === undefined ? null : Date.now() - seenAt,
    } satisfies ToView);
    if (page !== this.#panel || this.#revealWhenReady === undefined) return;
    void page.webview.postMessage(this.#revealWhenReady);
    this.#revealWhenReady = undefined;
  }

  #seeing(kind: ToView['kind']): readonly (WebviewView | WebviewPanel)[] {
    return [...this.#open].flatMap(([page, { shows }]) =>
      page.visible && shows.includes(kind) ? [page] : [],
    );
  }

  #tellWatched(): void {
    this.#options.onWatched(this.isSeen('connection'));
  }
}
