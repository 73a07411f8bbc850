import type { ActivityAnswer, ActivitySource } from '../../src/activity/poller.ts';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import type { EndingOutcome } from '../../src/activity/ending.ts';
import type { DatabaseFailure } from '../../src/database/failure.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import type { OpenConnection } from '../../src/editor/activity/live-connection.ts';
import { aReport } from './a-session.ts';

const died: DatabaseFailure = { kind: 'lost', sentence: 'The server died.', code: null };

/** Knows who is connected to it. Each step of a talk happens when `pace` lets it. */
export class FakeServer {
  readonly #pace: (step: string) => Promise<unknown>;
  readonly #sessions = new Map<object, () => void>();
  /** Why it lets nobody in; undefined while it does. */
  refuses: DatabaseFailure | undefined;
  /** Looks that are on their way. */
  looks = 0;

  constructor(pace: (step: string) => Promise<unknown> = () => Promise.resolve()) {
    this.#pace = pace;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** Every session is lost. */
  die(): void {
    for (const lose of [...this.#sessions.values()]) lose();
  }

  /** Ends a session of somebody else's, over a session of its own. */
  async terminate(signal: AbortSignal): Promise<EndingOutcome> {
    await this.#pace('dial');
    if (signal.aborted) return { kind: 'failed', failure: died };
    const session = {};
    this.#sessions.set(session, () => this.#sessions.delete(session));
    await this.#pace('terminate');
    await this.#pace('hang up');
    this.#sessions.delete(session);
    return { kind: 'ended' };
  }

  source({ target }: OpenConnection, onOpen: (session: DatabaseSession) => void): ActivitySource {
    return {
      open: async (signal) => {
        await this.#pace('dial');
        if (signal.aborted || this.refuses !== undefined)
          return { kind: 'failed', failure: this.refuses ?? died };
        const [session, listeners] = [{}, new Set<() => void>()];
        this.#sessions.set(session, () => {
          this.#sessions.delete(session);
          for (const listener of listeners) listener();
        });
        onOpen({ target, isPooled: false } as DatabaseSession);
        return {
          kind: 'opened',
          reader: {
            read: () => this.#look(session),
            onLost: (listener) => {
              listeners.add(() => listener());
              return () => void listeners.clear();
            },
            close: async () => {
              await this.#pace('hang up');
              this.#sessions.delete(session);
            },
          },
        };
      },
    };
  }

  async #look(session: object): Promise<ActivityAnswer<ActivityReport>> {
    this.looks += 1;
    await this.#pace('look');
    this.looks -= 1;
    return this.#sessions.has(session)
      ? { kind: 'report', report: aReport([]) }
      : { kind: 'failed', failure: died };
  }
}
