import * as v from 'valibot';
import { whatIsWrong } from '../schema/what-is-wrong.ts';
import type { FromView } from './from-view.ts';
import { type Intent, parseIntent } from './intent.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: Intent): void;
};

/** The extension host as a view sees it. */
export interface Host<From, To> {
  send(message: From): void;
  onMessage(listener: (message: To) => void): void;
  /** What the page kept when it was last here. */
  readIntent(): Intent;
  keepIntent(intent: Intent): void;
}

/** May be called once a page, as the editor demands. A message that `messages` does not read is shown in the console of the page, and dropped. */
export function connectToHost<From, To>(messages: v.GenericSchema<unknown, To>): Host<From, To> {
  const api = acquireVsCodeApi();
  const read = (value: unknown, listener: (message: To) => void) => {
    const message = v.safeParse(messages, value, { abortEarly: true });
    if (message.success) return listener(message.output);
    // eslint-disable-next-line no-console -- A page has no other log.
    console.error(
      `Poolguard dropped a message to this page: ${whatIsWrong(message.issues)}. Reload the window.`,
    );
  };
  return {
    send: (message) => api.postMessage(message),
    onMessage: (listener) =>
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => read(data, listener)),
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
