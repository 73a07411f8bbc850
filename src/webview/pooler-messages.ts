import * as v from 'valibot';
import type { PoolerModel } from '../pooler/pooler-model.ts';
import type { OutputOf } from '../schema/fields.ts';

/** What is known of a pooler between the editor and the server. */
export type PoolerState =
  /** Nothing is connected, or it is not known yet how. */
  | { readonly kind: 'unknown' }
  /** The connection leads to the server itself. */
  | { readonly kind: 'direct' }
  /** There is a pooler; its console is being asked. */
  | { readonly kind: 'connecting' | 'live' | 'paused'; readonly model: PoolerModel }
  | {
      readonly kind: 'lost';
      readonly model: PoolerModel;
      readonly sentence: string;
      readonly retryInMs: number;
    }
  /** The console does not answer this role, or there is none. It is not asked again by itself. */
  | {
      readonly kind: 'closed';
      readonly sentence: string;
      /** Whether another role may do. */ readonly isForRole: boolean;
    };

/** All that the pooler's page shows. */
export interface PoolerPageModel {
  /** The connection that leads through the pooler, without its password; null when nothing is connected. */
  readonly connection: string | null;
  readonly pooler: PoolerState;
}

export interface ToPoolerPage {
  readonly kind: 'pooler';
  readonly model: PoolerPageModel;
}

const FromPoolerPage = v.object({ kind: v.picklist(['ready', 'connect', 'retry', 'role']) });
export type FromPoolerPage = OutputOf<typeof FromPoolerPage>;

/** A page runs in a browser that shows hostile text, so that nothing it sends is taken on trust: the message, or undefined when it is none of ours. */
export function parseFromPoolerPage(value: unknown): FromPoolerPage | undefined {
  const read = v.safeParse(FromPoolerPage, value);
  return read.success ? read.output : undefined;
}
