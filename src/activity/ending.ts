import type { DatabaseFailure } from '../database/failure.ts';

/** `cancel` stops the running statement and leaves the session; `terminate` closes the connection. */
export type EndingAction = 'cancel' | 'terminate';

/** Which session to end, and what the user saw of it. */
export interface EndingRequest {
  readonly action: EndingAction;
  readonly pid: number;
  /** As in the snapshot: ISO 8601 in microseconds. */
  readonly backendStart: string;
  /** When the look was taken that showed it. */
  readonly seenAt: string;
}

/** What became of a request. Only `ended` says that something stopped. */
export type EndingOutcome =
  /** Looked for again, and found stopped. */
  | { readonly kind: 'ended' }
  /** The server took the request, and the session went on for as long as was waited. */
  | { readonly kind: 'still-there' }
  /** Ended before it was asked. */
  | { readonly kind: 'gone' }
  /** Another backend has its process id now. */
  | { readonly kind: 'replaced' }
  /** To cancel: no statement runs. */
  | { readonly kind: 'runs-nothing' }
  /** To cancel: another statement runs than the one seen. */
  | { readonly kind: 'moved-on' }
  /** The role may not see whose backend it is. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'refused'; readonly because: 'own' | 'background' }
  /** The names come from the database. */
  | {
      readonly kind: 'not-allowed';
      readonly ownRole: string;
      readonly ownerRole: string;
      readonly ownerIsSuperuser: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };
