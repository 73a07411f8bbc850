import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../flow/graph.ts';
import { quickMembers, slowGlobals, slowPackages, slowScopes } from '../model/slow-calls.ts';
import { isFunction } from './entities.ts';
import { mention } from './mention.ts';
import type { Resolver } from './resolver.ts';
import { memberName, parentOf, unwrap, variableOf, walk, type SourceFile } from './source-file.ts';

/** Work outside of the database that a promise waits for. */
export interface SlowWork {
  /** For example "an HTTP request". */
  readonly what: string;
  /** The helpers between the await and the work, with their places: `chargeCard() (src/pay.ts:12)`. */
  readonly via: readonly { readonly text: string; readonly node: Node; readonly file: SourceFile }[];
}

const maximalDepth = 4;

/** What an awaited expression waits for, when that is known to be slow. */
export function slowWorkIn(awaited: Node, file: SourceFile, resolver: Resolver, depth = 0): SlowWork | undefined {
  const node = unwrap(awaited);
  switch (node.type) {
    case 'CallExpression':
      return inCombinator(node, file, resolver, depth) ?? inCall(node, file, resolver, depth);
    case 'NewExpression':
      return isTimerPromise(node, file) ? { what: 'a timer', via: [] } : undefined;
    case 'AwaitExpression':
      return slowWorkIn(node.argument, file, resolver, depth);
    case 'ArrayExpression':
      return firstOf(node.elements, (element) => (element === null ? undefined : slowWorkIn(element, file, resolver, depth)));
    case 'ConditionalExpression':
      return slowWorkIn(node.consequent, file, resolver, depth) ?? slowWorkIn(node.alternate, file, resolver, depth);
    case 'LogicalExpression':
      return slowWorkIn(node.right, file, resolver, depth);
    default:
      return undefined;
  }
}

/** `Promise.all([…])`, and what stands before `.then(…)`. */
function inCombinator(call: TSESTree.CallExpression, file: SourceFile, resolver: Resolver, depth: number): SlowWork | undefined {
  if (call.callee.type !== 'MemberExpression') return undefined;
  const { object } = call.callee;
  const name = memberName(call.callee);
  if (object.type === 'Identifier' && object.name === 'Promise') return firstOf(call.arguments, (argument) => slowWorkIn(argument, file, resolver, depth));
  return name === 'then' || name === 'catch' || name === 'finally' ? slowWorkIn(object, file, resolver, depth) : undefined;
}

function inCall({ callee }: TSESTree.CallExpression, file: SourceFile, resolver: Resolver, depth: number): SlowWork | undefined {
  if (callee.type === 'Identifier' && isGlobal(callee, file)) return directly(slowGlobals.get(callee.name));
  const entity = resolver.entityOf(callee, file);
  if (entity?.kind === 'package') return quickMembers.has(entity.name) ? undefined : directly(whatPackageDoes(entity.module));
  if (entity?.kind !== 'function' || depth >= maximalDepth) return undefined;
  const inside = slowWorkOfFunction(entity.node, entity.file, resolver, depth + 1);
  return inside === undefined ? undefined : { what: inside.what, via: [{ text: mention(callee, file).slice(1, -1), node: entity.node, file: entity.file }, ...inside.via] };
}

function isGlobal(identifier: Node, file: SourceFile): boolean {
  return (variableOf(file, identifier)?.defs.length ?? 0) === 0;
}

function directly(what: string | undefined): SlowWork | undefined {
  return what === undefined ? undefined : { what, via: [] };
}

function whatPackageDoes(module: string): string | undefined {
  return slowPackages.get(module) ?? slowScopes.find(([prefix]) => module.startsWith(prefix))?.[1];
}

/** What a function's promise waits for: its awaits and what it returns, its inner functions left out. */
function slowWorkOfFunction(fn: FunctionNode, file: SourceFile, resolver: Resolver, depth: number): SlowWork | undefined {
  if (fn.body.type !== 'BlockStatement') return slowWorkIn(fn.body, file, resolver, depth);
  let found: SlowWork | undefined;
  walk(file, fn.body, (node) => {
    if (found !== undefined || isFunction(node)) return false;
    if (node.type === 'AwaitExpression') found = slowWorkIn(node.argument, file, resolver, depth);
    else if (node.type === 'ReturnStatement' && node.argument !== null) found = slowWorkIn(node.argument, file, resolver, depth);
    return true;
  });
  return found;
}

/** `new Promise((resolve) => setTimeout(resolve, 100))`: the timer is what it waits for when `resolve` itself is its callback. */
function isTimerPromise({ callee, arguments: [executor] }: TSESTree.NewExpression, file: SourceFile): boolean {
  if (callee.type !== 'Identifier' || callee.name !== 'Promise' || executor === undefined || !isFunction(executor)) return false;
  let hasTimer = false;
  walk(file, executor.body, (node) => {
    hasTimer ||= node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'setTimeout' && resolves(node.arguments[0], executor);
    return !hasTimer;
  });
  return hasTimer;
}

function resolves(callback: Node | undefined, executor: FunctionNode): boolean {
  const [resolve] = executor.params;
  if (callback === undefined || resolve?.type !== 'Identifier') return false;
  if (callback.type === 'Identifier') return callback.name === resolve.name;
  // `setTimeout(() => reject(…), …)` is a deadline for something else; only an executor that does nothing more is a pause.
  return callback.type === 'ArrowFunctionExpression' && callback.body.type === 'CallExpression' && callback.body.callee.type === 'Identifier' && callback.body.callee.name === resolve.name && parentOf(callback) !== undefined;
}

function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
