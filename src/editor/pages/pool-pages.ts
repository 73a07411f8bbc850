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
import type { ActivityModel } from '../../activity/activity-model.ts';
import { panels } from '../../contributions.ts';
import { capActivity, leanActivity } from '../../webview/lean-activity.ts';
import { parseFromView, type FromView } from '../../webview/from-view.ts';
import type { PoolModel, ToView } from '../../webview/to-view.ts';
import type { Page } from './page-html.ts';
import { fillWebview } from './webview-page.ts';

const sidebar: Page = { script: 'pool-view', element: 'poolguard-pool-view', title: 'Pool' };
const wide: Page = {
  script: 'sessions-panel',
  element: 'poolguard-sessions-panel',
  title: 'Sessions',
};

export interface PoolPagesOptions {
  readonly extensionUri: Uri;
  readonly model: () => PoolModel;
  /** When the server was last looked at, in milliseconds since 1970. */
  readonly seenAt: () => number | undefined;
  readonly onRequest: (request: FromView) => void;
  /** Whether any of the pages can be seen. */
  readonly onWatched: (isWatched: boolean) => void;
}

/** The sidebar's page and the wide panel. Either may be killed at any time; one that says `ready` gets the whole model. */
export class PoolPages implements WebviewViewProvider, WebviewPanelSerializer, Disposable {
  readonly #options: PoolPagesOptions;
  readonly #open = new Set<WebviewView | WebviewPanel>();
  /** What each page was sent last. One that is hidden is killed, and asks for everything when it comes back. */
  readonly #sent = new Map<WebviewView | WebviewPanel, ActivityModel>();
  #panel: WebviewPanel | undefined;
  #sidebar: WebviewView | undefined;
  #badge: ViewBadge | undefined;
  /** Told to the panel once its page has loaded. */
  #revealWhenReady: ToView | undefined;

  constructor(options: PoolPagesOptions) {
    this.#options = options;
  }

  resolveWebviewView(view: WebviewView): void {
    this.#sidebar = view;
    view.badge = this.#badge;
    this.#attach(view, sidebar);
    view.onDidDispose(() => (this.#sidebar = undefined));
    view.onDidChangeVisibility(() => this.#tellWatched());
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

  /** To the pages that can be seen; a hidden one asks for everything when it comes back. */
  send(message: ToView): void {
    for (const page of this.#open) if (page.visible) void page.webview.postMessage(message);
  }

  /** What the wide panel does not show, made only when it can be seen. */
  sendSidebar(message: () => ToView): void {
    if (this.#sidebar?.visible === true) void this.#sidebar.webview.postMessage(message());
  }

  /** Pools of running applications that want to be looked at, beside the icon of the sidebar. */
  setBadge(pools: number): void {
    this.#badge =
      pools === 0
        ? undefined
        : {
            value: pools,
            tooltip: `${pools} pool${pools === 1 ? '' : 's'} of running applications need attention`,
          };
    if (this.#sidebar !== undefined && this.#sidebar.badge?.value !== this.#badge?.value)
      this.#sidebar.badge = this.#badge;
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

  dispose(): void {
    this.#panel?.dispose();
  }

  #attach(page: WebviewView | WebviewPanel, content: Page): void {
    this.#open.add(page);
    page.webview.onDidReceiveMessage((value: unknown) => this.#receive(page, value));
    page.onDidDispose(() => {
      this.#open.delete(page);
      this.#sent.delete(page);
      this.#tellWatched();
    });
    fillWebview(page.webview, this.#options.extensionUri, content);
    this.#tellWatched();
  }

  #receive(page: WebviewView | WebviewPanel, value: unknown): void {
    const request = parseFromView(value);
    if (request === undefined) return;
    if (request.kind !== 'ready') return this.#options.onRequest(request);
    const model = this.#options.model();
    const activity = capActivity(model.activity);
    const seenAt = this.#options.seenAt();
    this.#sent.set(page, activity);
    void page.webview.postMessage({
      kind: 'model',
      model: { ...model, activity: { ...activity, absent: [] } },
      seenAgoMs: seenAt === undefined ? null : Date.now() - seenAt,
    } satisfies ToView);
    if (page !== this.#panel || this.#revealWhenReady === undefined) return;
    void page.webview.postMessage(this.#revealWhenReady);
    this.#revealWhenReady = undefined;
  }

  #tellWatched(): void {
    this.#options.onWatched([...this.#open].some(({ visible }) => visible));
  }
}
