import type { FromView } from './from-view.ts';
import type { Intent } from './intent.ts';

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
