import type { TSESTree } from '@typescript-eslint/types';
import { libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { decoratorsOf } from '../syntax/decorators.ts';
import { parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { optionIn, optionsOf, textOrMember } from './reached.ts';
import type { Resolver } from './resolver.ts';

/** A decorator or function of a library that holds a connection while the code that it is given runs. */
export interface Holding {
  /** `@Transactional()`, `runInTransaction(async () => …)` */
  readonly call: TSESTree.CallExpression;
  readonly library: Library;
  /** Whether a connection is held meanwhile. */
  readonly isHeld: boolean;
  /** It takes a connection of its own inside a transaction, too. */
  readonly isApart: boolean;
  /** The code runs outside of the transaction around it. */
  readonly leaves: boolean;
}

/** What a call of such a function or decorator comes to; undefined where its propagation does not show. */
export function holdingBy(node: Node, file: SourceFile, resolver: Resolver): Holding | undefined {
  const call = unwrap(node);
  if (call.type !== 'CallExpression') return undefined;
  const entity = resolver.entityOf(call.callee, file);
  const library = entity?.kind === 'driver' ? libraryFor(entity.driver) : undefined;
  if (library === undefined || entity?.kind !== 'driver' || !library.holds.includes(entity.name))
    return undefined;
  const { ambient } = library;
  if (ambient === null) return { call, library, isHeld: true, isApart: true, leaves: false };
  const propagation = propagationOf(call, ambient.propagation);
  if (propagation === undefined) return undefined;
  return {
    call,
    library,
    isHeld: !ambient.none.includes(propagation),
    isApart: ambient.apart.includes(propagation),
    leaves: ambient.leaves.includes(propagation),
  };
}

function propagationOf(call: TSESTree.CallExpression, at: string | number): string | undefined {
  if (typeof at === 'string') return optionIn(optionsOf(call), at, 'default');
  const given = call.arguments[at];
  return given === undefined ? 'default' : textOrMember(given);
}

/** What holds a connection while a method runs. */
export function holdingAround(
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): Holding | undefined {
  const method = parentOf(fn);
  if (method?.type !== 'MethodDefinition') return undefined;
  for (const { expression } of decoratorsOf(method)) {
    const holding = holdingBy(expression, file, resolver);
    if (holding !== undefined) return holding;
  }
  return undefined;
}

/** True in code that such a transaction is around, as far as the functions around it tell. */
export function isInAmbient(node: Node, file: SourceFile, resolver: Resolver): boolean {
  for (let each = parentOf(node); each !== undefined; each = parentOf(each)) {
    if (!isFunction(each)) continue;
    const up = parentOf(each);
    const holding = holdingAround(each, file, resolver) ?? (up && holdingBy(up, file, resolver));
    if (holding?.isHeld === true && holding.library.ambient !== null) return true;
  }
  return false;
}
