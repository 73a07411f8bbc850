import type { TSESTree } from '@typescript-eslint/types';
import {
  bodyReaders,
  contextTypes,
  requestTypes,
  routeExports,
  routeFiles,
  serverMakers,
  streamedTypes,
  streamReaders,
  type RequestType,
} from '../model/request-handlers.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import type { Resolver } from '../values/resolver.ts';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { originalName } from '../syntax/exports.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import {
  definitionOf,
  memberName,
  parentOf,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

/** `await request.json()`, `await text(request)`: what somebody sends as fast as their line allows. */
export function readsRequestBody(
  { callee, arguments: given }: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  const [stream] = given;
  if (stream !== undefined)
    return isStreamReader(callee, file, resolver) && isStreamedRequest(stream, file, resolver);
  return (
    callee.type === 'MemberExpression' &&
    bodyReaders.has(memberName(callee) ?? '') &&
    isRequest(callee.object, file, resolver)
  );
}

/** Whether the parts of a stream are those of a request's body: `for await (const part of request)`. */
export function isStreamedRequest(node: Node, file: SourceFile, resolver: Resolver): boolean {
  const parameter = parameterNamed(node, file);
  return (
    parameter !== undefined &&
    (isOfType(parameter.name, streamedTypes, file) ||
      (isFirst(parameter) && isListenerOfServer(parameter.fn, file, resolver)))
  );
}

function isStreamReader(callee: Node, file: SourceFile, resolver: Resolver): boolean {
  const abstractValue = resolver.abstractValueOf(callee, file);
  return (
    abstractValue?.kind === 'package' &&
    abstractValue.module === streamReaders.module &&
    streamReaders.names.has(abstractValue.name)
  );
}

/** `createServer(async (request, response) => …)` */
function isListenerOfServer(fn: FunctionNode, file: SourceFile, resolver: Resolver): boolean {
  const by = packageCalling(fn, file, resolver);
  return (
    by !== undefined &&
    serverMakers.modules.has(by.module) &&
    by.name.split('.').at(-1) === serverMakers.name
  );
}

interface Parameter {
  readonly name: TSESTree.Identifier;
  readonly fn: FunctionNode;
}

function parameterNamed(node: Node, file: SourceFile): Parameter | undefined {
  const variable = node.type === 'Identifier' ? variableOf(file, node) : undefined;
  const definition = definitionOf(variable);
  const fn = definition?.node as Node | undefined;
  if (definition?.type !== 'Parameter' || fn === undefined || !isFunction(fn)) return undefined;
  const name = variable?.identifiers[0] as unknown as Node;
  return name.type === 'Identifier' ? { name, fn } : undefined;
}

function isFirst({ name, fn }: Parameter): boolean {
  return declaredBy(paramsOf(fn)[0]) === name;
}

/** A parameter that is declared as a request of the Fetch standard, or the first one of what a framework calls for each. */
function isRequest(node: Node, file: SourceFile, resolver: Resolver): boolean {
  if (node.type === 'MemberExpression')
    return memberName(node) === 'req' && isContext(node.object, file, resolver);
  const parameter = parameterNamed(node, file);
  return (
    parameter !== undefined &&
    ((isFirst(parameter) && isRouteExport(parameter.fn, file)) ||
      isOfType(parameter.name, requestTypes, file))
  );
}

/** `context` of `app.post('/', (context) => …)` */
function isContext(node: Node, file: SourceFile, resolver: Resolver): boolean {
  const parameter = parameterNamed(node, file);
  if (parameter === undefined) return false;
  const by = isFirst(parameter) ? packageCalling(parameter.fn, file, resolver) : undefined;
  return (
    isOfType(parameter.name, contextTypes, file) ||
    contextTypes.some(([, module]) => module === by?.module)
  );
}

/** The package whose function is given a function in place. */
function packageCalling(
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): (AbstractValue & { kind: 'package' }) | undefined {
  const call = parentOf(fn);
  if (call?.type !== 'CallExpression' || call.callee === fn) return undefined;
  const abstractValue = resolver.abstractValueOf(call.callee, file);
  return abstractValue?.kind === 'package' ? abstractValue : undefined;
}

function isOfType(
  { typeAnnotation }: TSESTree.Identifier,
  types: readonly RequestType[],
  file: SourceFile,
): boolean {
  const type = typeAnnotation?.typeAnnotation;
  const named = type?.type === 'TSTypeReference' ? type.typeName : undefined;
  // `http.IncomingMessage`
  const [start, name] =
    named?.type === 'TSQualifiedName' ? [named.left, named.right] : [named, named];
  if (start?.type !== 'Identifier' || name?.type !== 'Identifier') return false;
  const from = importedFrom(start, file);
  const original = start === name ? originalName(name, file) : name.name;
  return types.some(([each, module]) => each === original && module === from);
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
