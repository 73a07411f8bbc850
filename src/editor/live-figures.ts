import { EventEmitter, type Disposable } from 'vscode';

/** What the last probe of a database recommends. */
export interface LastProbe {
  /** For each process that runs the code. */
  readonly max: number;
  readonly interval: readonly [low: number, high: number];
  /** What it recommends as `connectionTimeoutMillis`. */
  readonly connectionTimeoutMs: number;
  /** What was measured, in a line, without literals. */
  readonly statement: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What is known of the server that the editor is connected to. */
export interface ServerFigures {
  /** The connection, without its password. */
  readonly label: string;
  /** Connections that ordinary roles may open; undefined before the first sample. */
  readonly usable: number | undefined;
  /** Of the last sample, in milliseconds since 1970 by the editor's clock. */
  readonly seenAt: number | undefined;
  readonly isLost: boolean;
  readonly lastProbe: LastProbe | undefined;
}

/** The figures of the connected server, written by the sidebar's side and read beside the code; none while nothing is connected. */
export class LiveFigures implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #now: ServerFigures | undefined;

  get now(): ServerFigures | undefined {
    return this.#now;
  }

  set(figures: ServerFigures | undefined): void {
    this.#now = figures;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
