import type { Place } from '../../syntax/place.ts';

/** The options of a pool that say how many clients it has, and how long its callers and its idle clients wait. */
export type PoolOptionName = 'max' | 'connectionTimeoutMillis' | 'idleTimeoutMillis';

/** What one option of a pool is. `place` is that of the value as it is written, in `file` where that is another one. */
export type PoolOption =
  /** Not set: what the driver takes then. */
  | { readonly kind: 'default'; readonly value: number }
  | {
      readonly kind: 'literal';
      readonly value: number;
      readonly place: Place;
      readonly file?: string;
    }
  /** `Number(process.env.POOL_MAX ?? 20)`: 20, unless `variable` (`POOL_MAX`) says otherwise. */
  | {
      readonly kind: 'fallback';
      readonly value: number;
      readonly variable: string;
      readonly place: Place;
      readonly file?: string;
    }
  | { readonly kind: 'unknown' };

/** A pool of PostgreSQL clients that a file makes with `new`. */
export interface DeclaredPool {
  /** The `new` expression. */
  readonly place: Place;
  /** The variable, field or export that keeps it: `pool`, `this.db`. */
  readonly name: string | undefined;
  /** The driver's package: `pg`. */
  readonly driver: string;
  readonly options: Readonly<Record<PoolOptionName, PoolOption>>;
  /** `application_name`, where it is written as a constant text. */
  readonly applicationName: string | undefined;
}

/** Numbers to write into a pool's options: whole, and not negative. */
export type PoolValues = Readonly<Partial<Record<PoolOptionName, number>>>;
