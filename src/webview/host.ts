import { parseIntent, type Intent } from './intent.ts';
import type { FromView, ToView } from './messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void; getState(): unknown; setState(state: Intent): void };

/** The extension host as a view sees it. */
export interface Host {
  send(message: FromView): void;
  onMessage(listener: (message: ToView) => void): void;
  /** What the page kept when it was last here. */
  readIntent(): Intent;
  keepIntent(intent: Intent): void;
}

/** May be called once a page, as the editor demands. */
export function connectToHost(): Host {
  const api = acquireVsCodeApi();
  return {
    send: (message) => api.postMessage(message),
    onMessage: (listener) => window.addEventListener('message', ({ data }: MessageEvent<ToView>) => listener(data)),
    readIntent: () => parseIntent(api.getState()),
    keepIntent: (intent) => api.setState(intent),
  };
}
