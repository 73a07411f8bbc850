import type { TSESTree } from '@typescript-eslint/types';
import { acquireNames, drivers, methods, queryNames } from '../model/drivers.ts';
import { lenderBeside, libraryFor } from '../model/libraries.ts';
import type { Request } from '../syntax/call-chain.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { isBound } from '../values/library-calls.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Place } from '../values/same-pool.ts';
import { memberName, type SourceFile } from '../syntax/source-file.ts';

/** A pool that a call asks for a client. */
export interface AskedPool {
  readonly pool: Place;
  /** The caller gets the client itself. */
  readonly isApart: boolean;
}

/** `pool` of `pool.query()` and `pool.connect()`, and of `query()` after `const query = pool.query.bind(pool)` */
export function poolAsked(
  call: Request,
  file: SourceFile,
  resolver: Resolver,
): AskedPool | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const { callee } = call;
  if (callee.type !== 'MemberExpression') return poolOfMethod(callee, file, resolver);
  return asksPool(call, callee, resolver, file)
    ? {
        pool: { node: callee.object, file },
        isApart: acquireNames.has(memberName(callee) ?? ''),
      }
    : undefined;
}

function poolOfMethod(callee: Node, file: SourceFile, resolver: Resolver): AskedPool | undefined {
  const value = resolver.abstractValueOf(callee, file);
  if (value?.kind !== 'method') return undefined;
  const { name, of } = value;
  const isApart = name === of.driver.acquire;
  return isApart || of.driver.queries.includes(name) ? { pool: of.site, isApart } : undefined;
}

/** `pool.query()`, `pool.connect()`: on a pool, or on something of which only the name can tell. An unmistakable name tells enough. */
function asksPool(
  call: CallNode,
  callee: TSESTree.MemberExpression,
  resolver: Resolver,
  file: SourceFile,
): boolean {
  const name = memberName(callee);
  if (name === undefined || (!queryNames.has(name) && !acquireNames.has(name))) return false;
  const value = resolver.abstractValueOf(callee.object, file);
  if (value === undefined) return toldByName(name, call);
  const pool = value.kind === 'either' ? value.pool : value;
  if (pool.kind === 'handle') return lenderBeside(pool.library)?.acquire === name;
  if (pool.kind !== 'pool') return false;
  const library = libraryFor(pool.driver);
  return (
    pool.driver.acquire === name ||
    (pool.driver.queries.includes(name) && !(library && isBound(call, name, library, file)))
  );
}

function toldByName(name: string, call: CallNode): boolean {
  return (
    name === methods.query ||
    (name === methods.acquire && call.arguments.length < 2) ||
    drivers.some(({ acquire, isUnmistakable }) => isUnmistakable && acquire === name)
  );
}
