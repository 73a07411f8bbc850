import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../syntax/node.ts';
import { acquireNames, methods } from '../model/drivers.ts';
import {
  definitionOf,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type Definition,
  type SourceFile,
} from '../syntax/source-file.ts';

/** `client.release`, a name that was taken from one, and `done` of `connect((error, client, done) => …)`, passed on or not. */
export function isRelease(callee: Node, file: SourceFile, asked = new Set<Definition>()): boolean {
  if (callee.type === 'MemberExpression') return memberName(callee) === methods.release;
  const definition =
    callee.type === 'Identifier' ? definitionOf(variableOf(file, callee)) : undefined;
  if (definition === undefined || asked.has(definition)) return false;
  asked.add(definition);
  if (definition.type === 'Parameter') return isGivenRelease(definition, file, asked);
  return definition.type === 'Variable' && isTakenRelease(definition, file, asked);
}

/** `const { release } = client`, `const release = client.release` */
function isTakenRelease(
  { node, name }: Definition,
  file: SourceFile,
  asked: Set<Definition>,
): boolean {
  const { id, init } = node as unknown as TSESTree.VariableDeclarator;
  if (id.type !== 'ObjectPattern') return init !== null && isRelease(unwrap(init), file, asked);
  return id.properties.some(
    (each) =>
      each.type === 'Property' &&
      each.value === (name as unknown as Node) &&
      keyName(each.key, each.computed) === methods.release,
  );
}

/** The third parameter of what a checkout calls back, and what a call in this file gives a release for. */
function isGivenRelease(
  { node, name }: Definition,
  file: SourceFile,
  asked: Set<Definition>,
): boolean {
  const fn = node as unknown as FunctionNode;
  const index = fn.params.findIndex((param) => param === (name as unknown as Node));
  return placesOf(fn, file).some((place) => {
    const call = parentOf(place);
    if (call?.type !== 'CallExpression') return false;
    const given = call.callee === place ? call.arguments[index] : undefined;
    return given === undefined
      ? index === 2 && call.arguments.at(-1) === place && isAcquire(call)
      : isRelease(unwrap(given), file, asked);
  });
}

/** Where a function stands or is named. */
function placesOf(fn: FunctionNode, file: SourceFile): readonly Node[] {
  const up = parentOf(fn);
  const name =
    fn.type === 'FunctionDeclaration' ? fn.id : up?.type === 'VariableDeclarator' ? up.id : null;
  const variable = name?.type === 'Identifier' ? variableOf(file, name) : undefined;
  return [
    fn,
    ...(variable?.references ?? []).map(({ identifier }) => identifier as unknown as Node),
  ];
}

function isAcquire({ callee }: TSESTree.CallExpression): boolean {
  return callee.type === 'MemberExpression' && acquireNames.has(memberName(callee) ?? '');
}
