import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { classicPools, defaultsOfPool, type PoolOptionName } from '../../model/pool-life.ts';
import type { Place } from '../findings/finding.ts';
import { placeOf } from '../findings/mention.ts';
import type { Scene } from '../findings/scene.ts';
import { unwrap, type SourceFile } from '../files/source-file.ts';
import { constantText } from '../identity/resolve-call.ts';
import { keptAs } from './kept-as.ts';
import { madeIn, type Made } from './made-pools.ts';
import { numberOf, type OptionNumber } from './option-number.ts';
import { optionsOf, valueIn, type PoolOptions, type Written } from './pool-options.ts';

export type { PoolOptionName } from '../../model/pool-life.ts';

/** What one option of a pool is. `place` is that of the value as it is written, in `file` where that is another one. */
export type PoolOption =
  /** Not set: what the driver takes then. */
  | { readonly kind: 'default'; readonly value: number }
  | { readonly kind: 'literal'; readonly value: number; readonly place: Place; readonly file?: string }
  /** `Number(process.env.POOL_MAX ?? 20)`: 20, unless `variable` (`POOL_MAX`) says otherwise. */
  | { readonly kind: 'fallback'; readonly value: number; readonly variable: string; readonly place: Place; readonly file?: string }
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

const unknown: PoolOption = { kind: 'unknown' };

/** The pools that a file makes with `new`, in source order. */
export function findDeclaredPools({ file, resolver }: Scene): readonly DeclaredPool[] {
  return poolsMadeIn(file, resolver).map((made) => describe(made, file, resolver));
}

/** Pools of PostgreSQL's own drivers: others have other options. */
export function poolsMadeIn(file: SourceFile, resolver: Scene['resolver']): readonly Made[] {
  return madeIn(file, resolver).filter(({ kind, database }) => kind === 'pool' && database === 'postgresql');
}

function describe({ node, module }: Made, file: SourceFile, resolver: Scene['resolver']): DeclaredPool {
  const options = optionsOf(node, file, resolver);
  const read = (name: string): Written | null | undefined => writtenOption(options, name, node, file, resolver);
  const optionOf = (name: PoolOptionName): PoolOption => toOption(name, read(name), module, file);
  const named = read('application_name');
  return {
    place: placeOf(node),
    name: keptAs(node, file),
    driver: module,
    options: { max: maxOf(optionOf('max'), read, module, file), connectionTimeoutMillis: optionOf('connectionTimeoutMillis'), idleTimeoutMillis: optionOf('idleTimeoutMillis') },
    applicationName: named === null || named === undefined ? undefined : constantText(unwrap(named.node)),
  };
}

/** An option as it is written; null where it is missing, undefined where that is not known. */
export function writtenOption(options: PoolOptions | null | undefined, name: string, made: TSESTree.NewExpression, file: SourceFile, resolver: Scene['resolver']): Written | null | undefined {
  return options === null || options === undefined ? options : valueIn(options, name, made, file, resolver);
}

/** `poolSize` counts where `max` is missing or 0 (pg-pool 3.14 `index.js`: `options.max || options.poolSize || 10`). */
function maxOf(max: PoolOption, read: (name: string) => Written | null | undefined, module: string, file: SourceFile): PoolOption {
  return max.kind === 'default' ? toOption('max', read('poolSize'), module, file) : max;
}

function toOption(name: PoolOptionName, written: Written | null | undefined, module: string, file: SourceFile): PoolOption {
  const value = written === null || written === undefined ? written : numberOf(written);
  if (written === undefined || value === undefined) return unknown;
  if (value === null || written === null || value.kind === 'undefined' || countsAsMissing(name, value)) return defaultOf(name, module);
  const place = where(written.node, written.file, file);
  if (value.kind === 'fallback') return { kind: 'fallback', value: value.value, variable: value.variable, ...place };
  return { kind: 'literal', value: value.kind === 'literal' ? value.value : 0, ...place };
}

/** A `max` of 0 is none (pg-pool 3.14 `index.js`); the timeouts take 0 for "never", and `null` likewise. */
function countsAsMissing(name: PoolOptionName, value: OptionNumber): boolean {
  return name === 'max' && (value.kind === 'null' || (value.kind === 'literal' && value.value === 0));
}

function defaultOf(name: PoolOptionName, module: string): PoolOption {
  return classicPools.has(module) ? { kind: 'default', value: defaultsOfPool[name] } : unknown;
}

function where(node: Node, inside: SourceFile, file: SourceFile): { place: Place; file?: string } {
  return { place: placeOf(node), ...(inside === file ? {} : { file: inside.path }) };
}
