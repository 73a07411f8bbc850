import type { FromView } from './from-view.ts';
import { type Intent, parseIntent } from './intent.ts';
import type { ToView } from './messages.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: Intent): void;
};

/** The extension host as a view sees it. */
export interface Host<From = FromView, To = ToView> {
  send(message: From): void;
  onMessage(listener: (message: To) => void): void;
  /** What the page kept when it was last here. */
  readIntent(): Intent;
  keepIntent(intent: Intent): void;
}

/** May be called once a page, as the editor demands. */
export function connectToHost<From = FromView, To = ToView>(): Host<From, To> {
  const api = acquireVsCodeApi();
  return {
    send: (message) => api.postMessage(message),
    onMessage: (listener) =>
      window.addEventListener('message', ({ data }: MessageEvent<To>) => listener(data)),
    readIntent: () => parseIntent(api.getState()),
    keepIntent: (intent) => api.setState(intent),
  };
}

/** Asks the host for something; the page that holds the element sends it. */
export function ask(element: HTMLElement, detail: FromView): void {
  element.dispatchEvent(new CustomEvent('request', { detail, bubbles: true, composed: true }));
}

/** Changes how somebody wants to see the page; the page keeps it. */
export function intend(element: HTMLElement, change: (intent: Intent) => Intent): void {
  element.dispatchEvent(
    new CustomEvent('intent', { detail: change, bubbles: true, composed: true }),
  );
}
