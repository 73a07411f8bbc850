import type { Place } from '../syntax/place.ts';
import type { WrittenStatement } from './written-statement.ts';

/** A statement that a route sends, from whatever file. */
export interface RouteStatement extends Pick<WrittenStatement, 'place' | 'pieces'> {
  /** Absolute. */
  readonly file: string;
}

/** A path for which a file has a handler. */
export interface WrittenRoute {
  readonly place: Place;
  /** In capitals: `GET`; `ALL` for every method. */
  readonly method: string;
  /** As it is written: `/users/:id`. What a router above it puts before it is not in it. */
  readonly path: string;
  /** What the handler sends, over the functions that it calls, in the order in which it comes to them. */
  readonly statements: readonly RouteStatement[];
  /** Queries among them that a library builds, whose text the code does not write. */
  readonly built: number;
}
