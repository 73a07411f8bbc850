import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { declaredBy } from '../syntax/parameters.ts';
import type { Acquisition, Kept } from '../typestate/acquisition.ts';
import { libraryOf } from '../model/libraries.ts';
import type { LentClient } from './callback-lendings.ts';

/** The handle of a library's connection that its callback leaves to the code around it: `saved = tx`, `return tx`. */
export function keptHandle(
  { acquisition, callback, callbackLending }: LentClient,
  file: SourceFile,
): Acquisition | undefined {
  const handle = parameterOf(callback, callbackLending.argument, file);
  if (handle === undefined || libraryOf(acquisition.driver) === undefined) return undefined;
  const kept = keptBy(callback, handle, file);
  return kept.names.length > 0 || kept.isGiven
    ? { ...acquisition, style: 'promise', kept }
    : undefined;
}

function parameterOf(fn: FunctionNode, index: number, file: SourceFile): Variable | undefined {
  const declared = declaredBy(fn.params[index]);
  return variableOf(file, declared);
}

function keptBy(callback: FunctionNode, handle: Variable, file: SourceFile): Kept {
  const names: Node[] = [];
  let isGiven = isHandle(callback.body);
  walk(file, callback.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'ReturnStatement') isGiven ||= isHandle(node.argument);
    if (node.type === 'AssignmentExpression' && isHandle(node.right) && isOutside(node.left))
      names.push(node.left);
    return true;
  });
  return { names, isGiven };

  function isHandle(value: Node | null): boolean {
    const plain = value === null ? undefined : unwrap(value);
    return plain?.type === 'Identifier' && variableOf(file, plain) === handle;
  }

  function isOutside(target: Node): boolean {
    const variable = variableOf(file, target);
    const declared = variable?.identifiers[0] as Node | undefined;
    return declared !== undefined && !contains(callback, declared);
  }
}
