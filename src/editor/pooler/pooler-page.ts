import { ViewColumn, window, type Disposable, type Uri, type WebviewPanel } from 'vscode';
import { panels } from '../../contributions.ts';
import { parseFromPoolerPage, type FromPoolerPage } from '../../webview/from-pooler-page.ts';
import type { PoolerPageModel, ToPoolerPage } from '../../webview/to-pooler-page.ts';
import type { Page } from '../pages/page-html.ts';
import { fillWebview } from '../pages/webview-page.ts';

const content: Page = {
  script: 'pooler-panel',
  element: 'poolguard-pooler-panel',
  title: 'Pooler',
};

export interface PoolerPageOptions {
  readonly extensionUri: Uri;
  readonly model: () => PoolerPageModel;
  readonly onRequest: (request: Exclude<FromPoolerPage['kind'], 'ready'>) => void;
  readonly onVisible: () => void;
}

/** The page of the pooler's console, one at most. It may be killed at any time; one that says `ready` gets the whole model. */
export class PoolerPage implements Disposable {
  readonly #options: PoolerPageOptions;
  #panel: WebviewPanel | undefined;

  constructor(options: PoolerPageOptions) {
    this.#options = options;
  }

  get isVisible(): boolean {
    return this.#panel?.visible ?? false;
  }

  reveal(): void {
    if (this.#panel !== undefined) return this.#panel.reveal();
    const panel = window.createWebviewPanel(panels.pooler, 'Poolguard: Pooler', ViewColumn.Active);
    this.#panel = panel;
    panel.webview.onDidReceiveMessage((value: unknown) => this.#receive(value));
    panel.onDidChangeViewState(() => this.#options.onVisible());
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#options.onVisible();
    });
    fillWebview(panel.webview, this.#options.extensionUri, content);
    this.#options.onVisible();
  }

  show(): void {
    if (this.isVisible)
      void this.#panel?.webview.postMessage({
        kind: 'pooler',
        model: this.#options.model(),
      } satisfies ToPoolerPage);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #receive(value: unknown): void {
    const request = parseFromPoolerPage(value);
    if (request === undefined) return;
    if (request.kind === 'ready') this.show();
    else this.#options.onRequest(request.kind);
  }
}
