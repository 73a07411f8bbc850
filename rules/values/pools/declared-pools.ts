import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { classicPools, defaultsOfPool } from '../../model/pool-life.ts';
import type { Place } from '../../syntax/place.ts';
import type { Resolver } from '../resolver.ts';
import { unwrap, type SourceFile, keyName, parentOf } from '../../syntax/source-file.ts';
import { constantText } from '../../syntax/constants.ts';
import type { DeclaredPool, PoolOption, PoolOptionName } from './declared-pool.ts';
import { madeIn, type Made } from './made-pools.ts';
import { numberOf, type OptionNumber } from './option-number.ts';
import { optionsOf, valueIn, type PoolOptions, type Written } from './pool-options.ts';
import { handsOn } from './keeping.ts';

const unknown: PoolOption = { kind: 'unknown' };

/** The pools that a file makes with `new`, in source order. */
export function findDeclaredPools(file: SourceFile, resolver: Resolver): readonly DeclaredPool[] {
  return poolsMadeIn(file, resolver).map((made) => describe(made, file, resolver));
}

/** The pool that a `new` expression of any file makes; undefined for one of another database. */
export function declaredPoolAt(
  made: Node,
  file: SourceFile,
  resolver: Resolver,
): DeclaredPool | undefined {
  const found = poolsMadeIn(file, resolver).find(
    ({ node: { range } }) => range[0] === made.range[0] && range[1] === made.range[1],
  );
  return found === undefined ? undefined : describe(found, file, resolver);
}

/** Pools of PostgreSQL's own drivers: others have other options. */
export function poolsMadeIn(file: SourceFile, resolver: Resolver): readonly Made[] {
  return madeIn(file, resolver).filter(
    ({ kind, database }) => kind === 'pool' && database === 'postgresql',
  );
}

function describe({ node, module }: Made, file: SourceFile, resolver: Resolver): DeclaredPool {
  const options = optionsOf(node, file, resolver);
  const read = (name: string): Written | null | undefined =>
    writtenOption(options, name, node, file, resolver);
  const optionOf = (name: PoolOptionName): PoolOption => toOption(name, read(name), module, file);
  return {
    place: node.loc,
    name: keptAs(node, file),
    driver: module,
    options: {
      max: maxOf(optionOf('max'), read, module, file),
      connectionTimeoutMillis: optionOf('connectionTimeoutMillis'),
      idleTimeoutMillis: optionOf('idleTimeoutMillis'),
    },
    applicationName: applicationNameIn(read, resolver),
  };
}

/** What the connection string says counts above the option (pg 8.23 `lib/connection-parameters.js`); `fallback_application_name` counts where neither says any. */
function applicationNameIn(
  read: (name: string) => Written | null | undefined,
  resolver: Resolver,
): string | undefined {
  const address = textOf(read('connectionString'), resolver);
  const inAddress =
    address === undefined ? undefined : /[?&]application_name=([^&#]+)/u.exec(address)?.[1];
  if (inAddress !== undefined) return decoded(inAddress);
  const option = read('application_name');
  return option === null
    ? textOf(read('fallback_application_name'), resolver)
    : textOf(option, resolver);
}

/** A constant text, also under a name; of a template only where it has no holes. */
function textOf(written: Written | null | undefined, resolver: Resolver): string | undefined {
  if (written === null || written === undefined) return undefined;
  const plain = unwrap(written.node);
  const abstractValue =
    plain.type === 'Identifier' || plain.type === 'MemberExpression'
      ? resolver.abstractValueOf(plain, written.file)
      : undefined;
  return constantText(abstractValue?.kind === 'text' ? unwrap(abstractValue.node) : plain);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** An option as it is written; null where it is missing, undefined where that is not known. */
export function writtenOption(
  options: PoolOptions | null | undefined,
  name: string,
  made: TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): Written | null | undefined {
  return options === null || options === undefined
    ? options
    : valueIn(options, name, made, file, resolver);
}

/** `poolSize` counts where `max` is missing or 0 (pg-pool 3.14 `index.js`: `options.max || options.poolSize || 10`). */
function maxOf(
  max: PoolOption,
  read: (name: string) => Written | null | undefined,
  module: string,
  file: SourceFile,
): PoolOption {
  return max.kind === 'default' ? toOption('max', read('poolSize'), module, file) : max;
}

function toOption(
  name: PoolOptionName,
  written: Written | null | undefined,
  module: string,
  file: SourceFile,
): PoolOption {
  const value = written === null || written === undefined ? written : numberOf(written);
  if (written === undefined || value === undefined) return unknown;
  if (
    value === null ||
    written === null ||
    value.kind === 'undefined' ||
    countsAsMissing(name, value)
  )
    return defaultOf(name, module);
  const place = where(written.node, written.file, file);
  if (value.kind === 'fallback')
    return { kind: 'fallback', value: value.value, variable: value.variable, ...place };
  return { kind: 'literal', value: value.kind === 'literal' ? value.value : 0, ...place };
}

/** A `max` of 0 is none (pg-pool 3.14 `index.js`); the timeouts take 0 for "never", and `null` likewise. */
function countsAsMissing(name: PoolOptionName, value: OptionNumber): boolean {
  return (
    name === 'max' && (value.kind === 'null' || (value.kind === 'literal' && value.value === 0))
  );
}

function defaultOf(name: PoolOptionName, module: string): PoolOption {
  return classicPools.has(module) ? { kind: 'default', value: defaultsOfPool[name] } : unknown;
}

function where(node: Node, inside: SourceFile, file: SourceFile): { place: Place; file?: string } {
  return { place: node.loc, ...(inside === file ? {} : { file: inside.path }) };
}

/** Keys that say how somebody else gets an object, and not what it is called. */
const namelessKeys: ReadonlySet<string> = new Set(['useValue', 'default', 'value']);

/** How a new object is called where it is kept: `pool`, `this.db`, `exports.pool`; `default` for a default export, undefined when it has no name. */
function keptAs(made: Node, file: SourceFile): string | undefined {
  let node = made;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (up.type === 'AssignmentExpression' && up.right === node)
      return file.text.slice(...up.left.range).replace(/\s+/gu, '');
    if (up.type === 'VariableDeclarator')
      return up.id.type === 'Identifier' ? up.id.name : undefined;
    if (up.type === 'PropertyDefinition') return prefixed('this.', keyName(up.key, up.computed));
    if (up.type === 'Property') return keyIn(up.key, up.computed);
    if (up.type === 'AssignmentPattern')
      return up.left.type === 'Identifier' ? up.left.name : undefined;
    if (up.type === 'ExportDefaultDeclaration') return 'default';
    if (!handsOn.has(up.type)) return undefined;
    node = up;
  }
  return undefined;
}

function prefixed(prefix: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : prefix + name;
}

function keyIn(key: Node, computed: boolean): string | undefined {
  const name = keyName(key, computed);
  return name === undefined || namelessKeys.has(name) ? undefined : name;
}
