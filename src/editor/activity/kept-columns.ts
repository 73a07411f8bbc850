import { parseLayout, type ColumnLayout } from '../../webview/column-layout.ts';
import type { KeptState } from '../kept-state.ts';

const stateKey = 'poolguard.sessionColumns';

/** The layout of the table of sessions, for all windows. */
export class KeptColumns {
  readonly #state: KeptState;

  constructor(state: KeptState) {
    this.#state = state;
  }

  get layout(): ColumnLayout {
    return parseLayout(this.#state.get(stateKey));
  }

  keep(layout: ColumnLayout): PromiseLike<void> {
    return this.#state.update(stateKey, layout);
  }
}
