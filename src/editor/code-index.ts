import { EventEmitter, type Diagnostic, type Disposable, type MarkdownString } from 'vscode';
import type { HolderOf } from '../activity/holder.ts';
import type { ServerFacts, Session } from '../activity/snapshot.ts';
import type { LinkedCode } from '../linking/linked-code.ts';

/** The sessions of the last sample of the connected server. */
export interface SeenSessions {
  /** Poolguard's own left out. */
  readonly sessions: readonly Session[];
  readonly server: ServerFacts;
  /** Milliseconds since 1970 by the editor's clock. */
  readonly at: number;
  /** Whether the next sample is on its way: nobody paused, and the connection stands. */
  readonly isLive: boolean;
}

/** Where the sides meet: the code as the language server tells it, read by the sidebar's side; the sessions as the sidebar's side sees them, read beside the code; and what running applications tell of both. */
export class CodeIndex implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** The code has been read anew, or is no longer known. */
  readonly onDidChangeCode = this.#changed.event;
  #code: LinkedCode | undefined;
  /** Undefined while nothing is connected. */
  seen: SeenSessions | undefined;
  /** Who holds a session. Undefined while no application runs under watch. */
  holderOf: HolderOf | undefined;
  /** What is seen at the server of the evidence that a diagnostic carries; undefined where that is nothing. */
  backendsOf:
    ((diagnostic: Diagnostic, seen: SeenSessions) => MarkdownString | undefined) | undefined;

  /** Undefined before the code was read, which is while nothing is connected. */
  get code(): LinkedCode | undefined {
    return this.#code;
  }

  setCode(code: LinkedCode | undefined): void {
    if (code === this.#code) return;
    this.#code = code;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
