import { EventEmitter, type Disposable } from 'vscode';
import type { RunningApps } from '../../running/running-app.ts';

/** Where the applications that run under watch are known: written by the listener's side, read by the sidebar and beside the code. Empty while nobody runs any. */
export class RunningHub implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** Several times a second while an application is at work; who listens decides how often to look. */
  readonly onDidChange = this.#changed.event;
  #apps: RunningApps = [];

  get apps(): RunningApps {
    return this.#apps;
  }

  set(apps: RunningApps): void {
    if (apps === this.#apps) return;
    this.#apps = apps;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
