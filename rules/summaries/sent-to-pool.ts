import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { isQuietReceiver } from '../typestate/quiet-objects.ts';
import { useOf } from '../syntax/uses.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { createEffects, type Effect, type EffectsOf } from './effects.ts';
import { isQuery } from '../syntax/calls.ts';
import type { Resolver } from '../values/resolver.ts';
import { hasOneClient, surePool } from '../values/pools/surely-pool.ts';
import { parentOf, unwrap, variableOf, type SourceFile } from '../syntax/source-file.ts';
import { paramsOf } from '../syntax/parameters.ts';

/** A query by which a function sends a text that it is given to a pool. */
export interface PoolQuery {
  readonly query: CallNode;
  readonly file: SourceFile;
}

/** A place to which a text goes; undefined where nobody knows what becomes of it. */
interface Sending extends Effect {
  readonly query: CallNode | undefined;
}

/** What becomes of the text that a function is given at an index. */
const sendingsOf: EffectsOf<Sending, number> = createEffects({
  effectsIn(fn, index, resolver) {
    const text = parameterAt(fn, index);
    const variable = text === undefined ? undefined : variableOf(fn.file, text);
    if (variable === undefined || fn.node.generator) return undefined;
    return variable.references.flatMap((reference) => {
      const name = reference.identifier as unknown as Node;
      return reference.isWrite() && reference.init !== true
        ? [sending(undefined, name, fn.file)]
        : sentBy(name, fn.file, resolver);
    });
  },
  // A helper that is called twice sends twice.
  identityOf: ({ via, node }) => [...via.map(({ callee }) => callee), node],
});

/** Where the function that is called sends its `index`-th argument: only when it sends it once, and surely to a pool. */
export function sentToPool(
  { callee }: CallNode,
  index: number,
  from: SourceFile,
  resolver: Resolver,
): PoolQuery | undefined {
  const fn = resolver.abstractValueOf(callee, from);
  const found =
    fn?.kind === 'function' ? sendingsOf(fn, callee, { file: from, resolver }, index) : undefined;
  const [only] = found ?? [];
  return found?.length === 1 && only?.query !== undefined
    ? { query: only.query, file: only.file }
    : undefined;
}

function sending(query: CallNode | undefined, node: Node, file: SourceFile): Sending {
  return { query, node, file, via: [] };
}

/** What becomes of a text where it is referenced: nothing that matters, a query of a pool, or something that is not known. */
function sentBy(text: Node, file: SourceFile, resolver: Resolver): readonly Sending[] {
  const use = useOf(text);
  if (use.kind === 'neutral' || use.kind === 'receiver') return [];
  const unknown = [sending(undefined, text, file)];
  if (use.kind !== 'argument' || use.call.type !== 'CallExpression') return unknown;
  const { call } = use;
  if (isOnlyTold(call, file, resolver)) return [];
  if (isQuery(call))
    return surePool(call.callee.object, file, resolver) === undefined
      ? unknown
      : [sending(call, call, file)];
  const callee = resolver.abstractValueOf(call.callee, file);
  const position = call.arguments.findIndex(
    (each) => unwrap(each) === text || (each.type === 'SpreadElement' && each.argument === text),
  );
  return callee?.kind === 'function' && position !== -1
    ? (sendingsOf(callee, call.callee, { file, resolver }, position) ?? unknown)
    : unknown;
}

/** The name of the parameter that gets an argument; `args` for all arguments of `(...args)`. */
function parameterAt({ node }: KnownFunction, index: number): Node | undefined {
  const params = paramsOf(node);
  const param = params[index] ?? params.at(-1);
  if (param?.type === 'RestElement')
    return params.indexOf(param) <= index ? param.argument : undefined;
  return params[index] === undefined ? undefined : param;
}

/** `log.debug(text)`: whoever gets the text on every way, while nobody waits for what comes of it, does not send it in the pool's place. */
function isOnlyTold(call: CallNode, file: SourceFile, resolver: Resolver): boolean {
  if (isQuietReceiver(call.callee, file)) return true;
  if (isQuery(call)) return false;
  const value = resolver.abstractValueOf(call.callee, file);
  if (value?.kind === 'package') return true;
  const statement = parentOf(call);
  const block = statement?.type === 'ExpressionStatement' ? statement.parent : undefined;
  return value === undefined && block !== undefined && isFunction(block.parent ?? block);
}

/** `const query = pool.query.bind(pool)` */
export function isBoundQuery(callee: Node, file: SourceFile, resolver: Resolver): boolean {
  const value = resolver.abstractValueOf(callee, file);
  return value?.kind === 'method' && value.name === methods.query && !hasOneClient(value.of);
}
