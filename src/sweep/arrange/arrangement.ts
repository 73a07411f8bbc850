import type { Application } from '../app/application.ts';
import type { MachineUse } from '../app/keeper-messages.ts';

export interface Arranged {
  readonly kind: 'arranged';
  readonly application: Application;
  /** What the machine did since it was arranged; grows. */
  readonly uses: MachineUse[];
  /** The server's time before the application was started; null where nobody looks at the server. */
  readonly since: string | null;
}

export type ArrangeAnswer =
  | Arranged
  | { readonly kind: 'problem'; readonly sentence: string }
  | { readonly kind: 'cancelled' };

/** A way to bring an application to a pool size. */
export interface Arrangement {
  /** The application is ready and its pool is of this size. */
  arrange(max: number, doing: (words: string) => void): Promise<ArrangeAnswer>;
  /** Whatever was started is gone. A sentence when it had to be forced; null else. Safe to call twice. */
  end(graceMs: number): Promise<string | null>;
}
