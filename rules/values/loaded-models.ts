import type { TSESTree } from '@typescript-eslint/types';
import { libraryFor } from '../model/libraries.ts';
import { constantText } from '../syntax/constants.ts';
import type { Node } from '../syntax/node.ts';
import { memberName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { initialOf } from './assigned.ts';
import type { AbstractValue } from './abstract-values.ts';
import { handleOf, type Handle } from './handles.ts';
import type { Resolver } from './resolver.ts';

/**
 * `require(path)(sequelize, DataTypes)`: a file whose name only shows when the program runs, and that is given a handle and an
 * export of its library, defines a model.
 */
export function loadedModel(
  { callee, arguments: [given, types] }: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
): AbstractValue | undefined {
  if (given === undefined || types === undefined || !isLoaded(callee, file)) return undefined;
  const handle = handleOf(resolver.abstractValueOf(given, file), resolver);
  return handle !== undefined &&
    handle.mayBeLent !== true &&
    handle.library.models.madeBy.length > 0 &&
    isExportOf(resolver.abstractValueOf(types, file), handle)
    ? handle
    : undefined;
}

function isExportOf(value: AbstractValue | undefined, { library }: Handle): boolean {
  return value?.kind === 'driver' && libraryFor(value.driver) === library;
}

/** `require(path)`, `(await import(path)).default`, or a name of it. */
function isLoaded(node: Node, file: SourceFile): boolean {
  const plain = unwrap(node);
  switch (plain.type) {
    case 'MemberExpression':
      return memberName(plain) === 'default' && isLoaded(plain.object, file);
    case 'AwaitExpression':
      return isLoaded(plain.argument, file);
    case 'ImportExpression':
      return constantText(plain.source) === undefined;
    case 'CallExpression':
      return isComputedRequire(plain);
    case 'Identifier': {
      const initial = initialOf(plain, file);
      return initial !== undefined && isLoaded(initial, file);
    }
    default:
      return false;
  }
}

function isComputedRequire({ callee, arguments: [path] }: TSESTree.CallExpression): boolean {
  return (
    callee.type === 'Identifier' &&
    callee.name === 'require' &&
    path !== undefined &&
    constantText(path) === undefined
  );
}
