import { ViewColumn, window, type Disposable, type Uri, type WebviewPanel, type WebviewView, type WebviewViewProvider } from 'vscode';
import { panels } from '../../contributions.ts';
import { parseFromView, type FromView, type PoolModel, type ToView } from '../../webview/messages.ts';
import { fillWebview, type Page } from './webview-page.ts';

const sidebar: Page = { script: 'pool-view', element: 'poolguard-pool-view', title: 'Pool' };
const wide: Page = { script: 'sessions-panel', element: 'poolguard-sessions-panel', title: 'Sessions' };

export interface PoolPagesOptions {
  readonly extensionUri: Uri;
  readonly model: () => PoolModel;
  readonly onRequest: (request: FromView) => void;
  /** Whether any of the pages can be seen. */
  readonly onWatched: (isWatched: boolean) => void;
}

/** The sidebar's page and the wide panel. Either may be killed at any time; one that says `ready` gets the whole model. */
export class PoolPages implements WebviewViewProvider, Disposable {
  readonly #options: PoolPagesOptions;
  readonly #open = new Set<WebviewView | WebviewPanel>();
  #panel: WebviewPanel | undefined;
  /** Told to the panel once its page has loaded. */
  #revealWhenReady: ToView | undefined;

  constructor(options: PoolPagesOptions) {
    this.#options = options;
  }

  resolveWebviewView(view: WebviewView): void {
    this.#attach(view, sidebar);
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
    const panel = window.createWebviewPanel(panels.sessions, 'Poolguard: Sessions', ViewColumn.Active);
    this.#panel = panel;
    panel.onDidDispose(() => (this.#panel = undefined));
    this.#attach(panel, wide);
    panel.onDidChangeViewState(() => this.#tellWatched());
  }

  /** To the pages that can be seen; a hidden one asks for everything when it comes back. */
  send(message: ToView): void {
    for (const page of this.#open) if (page.visible) void page.webview.postMessage(message);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #attach(page: WebviewView | WebviewPanel, content: Page): void {
    this.#open.add(page);
    page.webview.onDidReceiveMessage((value: unknown) => this.#receive(page, value));
    page.onDidDispose(() => {
      this.#open.delete(page);
      this.#tellWatched();
    });
    fillWebview(page.webview, this.#options.extensionUri, content);
    this.#tellWatched();
  }

  #receive(page: WebviewView | WebviewPanel, value: unknown): void {
    const request = parseFromView(value);
    if (request === undefined) return;
    if (request.kind !== 'ready') return this.#options.onRequest(request);
    void page.webview.postMessage({ kind: 'model', model: this.#options.model() } satisfies ToView);
    if (page !== this.#panel || this.#revealWhenReady === undefined) return;
    void page.webview.postMessage(this.#revealWhenReady);
    this.#revealWhenReady = undefined;
  }

  #tellWatched(): void {
    this.#options.onWatched([...this.#open].some(({ visible }) => visible));
  }
}
