import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { quietObjects } from '../model/quiet-calls.ts';
import { useOf } from '../syntax/uses.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { isQuery } from './helper-statements.ts';
import type { Resolver } from '../values/resolver.ts';
import { hasOneClient, surePool } from '../values/pools/surely-pool.ts';
import { memberName, unwrap, variableOf, type SourceFile } from '../syntax/source-file.ts';

/** A query by which a function sends a text that it is given to a pool. */
export interface PoolQuery {
  readonly query: TSESTree.CallExpression;
  readonly file: SourceFile;
}

const maximalDepth = 3;

/** Where a function sends the text that it gets as its `index`-th argument: only when it sends it once, and surely to a pool. */
export function sentToPool(
  fn: KnownFunction,
  index: number,
  resolver: Resolver,
  depth = 0,
): PoolQuery | undefined {
  const text = parameterAt(fn, index);
  const variable = text === undefined ? undefined : variableOf(fn.file, text);
  if (variable === undefined || depth >= maximalDepth || fn.node.generator) return undefined;
  const found = variable.references.flatMap((reference) => {
    const sent =
      reference.isWrite() && reference.init !== true
        ? 'unknown'
        : sentBy(reference.identifier as unknown as Node, fn.file, resolver, depth);
    return sent ?? [];
  });
  const [query] = found;
  return found.length === 1 && query !== 'unknown' ? query : undefined;
}

/** What becomes of a text where it is mentioned: nothing that matters, a query of a pool, or something that is not known. */
function sentBy(
  text: Node,
  file: SourceFile,
  resolver: Resolver,
  depth: number,
): PoolQuery | 'unknown' | undefined {
  const use = useOf(text);
  if (use.kind === 'neutral' || use.kind === 'receiver') return undefined;
  if (use.kind !== 'argument' || use.call.type !== 'CallExpression') return 'unknown';
  return isLogging(use.call.callee)
    ? undefined
    : (queryOf(use.call, text, file, resolver, depth) ?? 'unknown');
}

/** The name of the parameter that gets an argument; `args` for all arguments of `(...args)`. */
function parameterAt({ node }: KnownFunction, index: number): Node | undefined {
  const param = node.params[index] ?? node.params.at(-1);
  if (param?.type === 'RestElement')
    return node.params.indexOf(param) <= index ? param.argument : undefined;
  return node.params[index] === undefined ? undefined : param;
}

function queryOf(
  call: TSESTree.CallExpression,
  text: Node,
  file: SourceFile,
  resolver: Resolver,
  depth: number,
): PoolQuery | undefined {
  if (isQuery(call))
    return surePool(call.callee.object, file, resolver) === undefined
      ? undefined
      : { query: call, file };
  const callee = resolver.entityOf(call.callee, file);
  const position = call.arguments.findIndex(
    (each) => unwrap(each) === text || (each.type === 'SpreadElement' && each.argument === text),
  );
  return callee?.kind === 'function' && position !== -1
    ? sentToPool(callee, position, resolver, depth + 1)
    : undefined;
}

function isLogging(callee: Node): boolean {
  if (callee.type === 'MemberExpression')
    return (
      (callee.object.type === 'Identifier' && quietObjects.has(callee.object.name)) ||
      /^(?:debug|info|log|trace|warn|error)$/u.test(memberName(callee) ?? '')
    );
  return callee.type === 'Identifier' && /^(?:debug|log|trace)/iu.test(callee.name);
}

/** `const query = pool.query.bind(pool)` */
export function isBoundQuery(callee: Node, file: SourceFile, resolver: Resolver): boolean {
  const entity = resolver.entityOf(callee, file);
  return entity?.kind === 'method' && entity.name === methods.query && !hasOneClient(entity.of);
}
