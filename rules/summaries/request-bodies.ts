import type { TSESTree } from '@typescript-eslint/types';
import { bodyReaders, requestTypes, routeExports, routeFiles } from '../model/request-handlers.ts';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import {
  definitionOf,
  memberName,
  parentOf,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

/** `await request.json()`: what somebody sends as fast as their line allows. */
export function readsRequestBody(
  { callee, arguments: given }: TSESTree.CallExpression,
  file: SourceFile,
): boolean {
  return (
    callee.type === 'MemberExpression' &&
    given.length === 0 &&
    bodyReaders.has(memberName(callee) ?? '') &&
    isRequest(callee.object, file)
  );
}

/** A parameter that is declared as a request of the Fetch standard, or the first one of what a framework calls for each. */
function isRequest(node: Node, file: SourceFile): boolean {
  const variable = node.type === 'Identifier' ? variableOf(file, node) : undefined;
  const definition = definitionOf(variable);
  const fn = definition?.node as Node | undefined;
  if (definition?.type !== 'Parameter' || fn === undefined || !isFunction(fn)) return false;
  const name = variable?.identifiers[0] as unknown as Node;
  if (name.type !== 'Identifier') return false;
  return (
    (declaredBy(paramsOf(fn)[0]) === name && isRouteExport(fn, file)) ||
    isRequestType(name.typeAnnotation?.typeAnnotation, file)
  );
}

function isRequestType(type: Node | undefined, file: SourceFile): boolean {
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return false;
  const module = requestTypes.get(type.typeName.name);
  return module !== undefined && module === importedFrom(type.typeName, file);
}

/** Null for what no file declares, undefined for what this file does. */
function importedFrom(name: TSESTree.Identifier, file: SourceFile): string | null | undefined {
  const definition = definitionOf(variableOf(file, name));
  if (definition === undefined) return null;
  const parent = definition.parent as Node | null | undefined;
  return parent?.type === 'ImportDeclaration' ? parent.source.value : undefined;
}

/** `export async function POST(request)` of `route.js`, `export const POST = …` */
function isRouteExport(fn: FunctionNode, { path }: SourceFile): boolean {
  const up = parentOf(fn);
  const name =
    fn.type === 'FunctionDeclaration' ? fn.id : up?.type === 'VariableDeclarator' ? up.id : null;
  const statement = fn.type === 'FunctionDeclaration' ? up : up && parentOf(parentOf(up) ?? up);
  return (
    routeFiles.test(path) &&
    name?.type === 'Identifier' &&
    routeExports.has(name.name) &&
    statement?.type === 'ExportNamedDeclaration'
  );
}
