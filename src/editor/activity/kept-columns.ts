import type { Memento } from 'vscode';
import { parseLayout, type ColumnLayout } from '../../webview/column-layout.ts';

const stateKey = 'poolguard.sessionColumns';

/** The layout of the table of sessions, for all windows. */
export class KeptColumns {
  readonly #state: Pick<Memento, 'get' | 'update'>;

  constructor(state: Pick<Memento, 'get' | 'update'>) {
    this.#state = state;
  }

  get layout(): ColumnLayout {
    return parseLayout(this.#state.get(stateKey));
  }

  async keep(layout: ColumnLayout): Promise<void> {
    await this.#state.update(stateKey, layout);
  }
}
