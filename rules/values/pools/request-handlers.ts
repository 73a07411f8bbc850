import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../../syntax/node.ts';
import {
  commandExports,
  lambdaExport,
  middlewareMethod,
  requestHooks,
  responseMethods,
  routeDecorators,
  routeExports,
  routeFiles,
  routeMethods,
} from '../../model/request-handlers.ts';
import { assignedIn, isExportsObject } from '../assigned.ts';
import { constantText } from '../../syntax/constants.ts';
import { oncePerTree } from '../../syntax/once-per-file.ts';
import { decoratorsOf } from '../../syntax/decorators.ts';
import {
  contains,
  definitionOf,
  findAncestor,
  keyName,
  memberName,
  parentOf,
  topLevelVariable,
  variableOf,
  type SourceFile,
} from '../../syntax/source-file.ts';

/** A function that is surely called for each request, and the one below it, or called by it, in which a node stands. */
export interface Handling {
  readonly handler: FunctionNode;
  /** The outermost function around the node that belongs to the handling: the handler, or a helper that it calls. */
  readonly inside: FunctionNode;
  /** The calls by which the handler comes to it. */
  readonly calls: readonly Node[];
  readonly isLambda: boolean;
}

const maximalDepth = 3;

const handlingByFunction = oncePerTree(() => new Map<FunctionNode, Handling | undefined>());

/** The request handler on whose account a node is evaluated: around it, or calling the function around it. */
export function handlingOf(node: Node, file: SourceFile): Handling | undefined {
  const fn = findAncestor(node, isFunction);
  if (fn === undefined) return undefined;
  const known = handlingByFunction(file);
  if (!known.has(fn)) known.set(fn, enclosingHandling(node, file, 0));
  return known.get(fn);
}

function enclosingHandling(node: Node, file: SourceFile, depth: number): Handling | undefined {
  let outermost: FunctionNode | undefined;
  for (
    let fn = findAncestor(node, isFunction);
    fn !== undefined;
    fn = findAncestor(fn, isFunction)
  ) {
    if (isLambda(fn, file)) return { handler: fn, inside: fn, calls: [], isLambda: true };
    if (isHandler(fn, file)) return { handler: fn, inside: fn, calls: [], isLambda: false };
    outermost = fn;
  }
  return outermost === undefined || depth >= maximalDepth
    ? undefined
    : handlingOfCallers(outermost, file, depth);
}

/** What a function is known by: the route, the declaration's name, or its parameters. */
export function headOf(fn: FunctionNode): Node {
  if (fn.type === 'FunctionDeclaration') return fn.id ?? fn;
  const up = parentOf(fn);
  switch (up?.type) {
    case 'VariableDeclarator':
      return up.id;
    case 'AssignmentExpression':
      return up.left;
    case 'CallExpression':
      return up.arguments[0] ?? fn;
    case 'MethodDefinition':
    case 'Property':
      return up.key;
    default:
      return fn;
  }
}

/** `function load(id) { … }`, which a handler of this file calls. */
function handlingOfCallers(
  fn: FunctionNode,
  file: SourceFile,
  depth: number,
): Handling | undefined {
  for (const call of callsOf(fn, file)) {
    const handling = enclosingHandling(call, file, depth + 1);
    if (handling !== undefined)
      return { ...handling, inside: fn, calls: [...handling.calls, call] };
  }
  return undefined;
}

function callsOf(fn: FunctionNode, file: SourceFile): readonly Node[] {
  const name = nameOf(fn);
  const references = name === undefined ? [] : (variableOf(file, name)?.references ?? []);
  return references
    .map(({ identifier }) => identifier as unknown as Node)
    .filter((identifier) => {
      const up = parentOf(identifier);
      return up?.type === 'CallExpression' && up.callee === identifier && !contains(fn, up);
    });
}

/** The name by which the file can speak of a function. */
function nameOf(fn: FunctionNode): TSESTree.Identifier | undefined {
  if (fn.type === 'FunctionDeclaration') return fn.id ?? undefined;
  const up = parentOf(fn);
  return up?.type === 'VariableDeclarator' && up.id.type === 'Identifier' ? up.id : undefined;
}

function isHandler(fn: FunctionNode, file: SourceFile): boolean {
  return (
    answersRequest(fn, file) ||
    isRouteCallback(fn) ||
    isForAll(fn) ||
    isNamedInRoute(fn, file) ||
    isHandlerProperty(fn) ||
    isRouteMethod(fn) ||
    (routeFiles.test(file.path) && isExportedAs(fn, file, (name) => routeExports.has(name)))
  );
}

/** `(req, res) => res.json(…)`: what comes behind another parameter is answered with. */
function answersRequest({ params }: FunctionNode, file: SourceFile): boolean {
  return params.slice(1).some((param) => {
    const variable = param.type === 'Identifier' ? variableOf(file, param) : undefined;
    return (variable?.references ?? []).some(({ identifier }) =>
      isAnswer(parentOf(identifier as unknown as Node)),
    );
  });
}

/** `response.json(rows)`; one without an argument reads what a server answered. */
function isAnswer(member: Node | undefined): boolean {
  if (member?.type !== 'MemberExpression' || !responseMethods.has(memberName(member) ?? ''))
    return false;
  const call = parentOf(member);
  return call?.type === 'CallExpression' && call.callee === member && call.arguments.length > 0;
}

/** `app.use((request, response, next) => …)` */
export function isMiddleware(fn: FunctionNode): boolean {
  const up = parentOf(fn);
  return (
    fn.params.length > 1 &&
    up?.type === 'CallExpression' &&
    up.callee.type === 'MemberExpression' &&
    routeMethods.has(memberName(up.callee) ?? '')
  );
}

/** `app.use((request, response, next) => …)`, `fastify.addHook('onRequest', async (request) => …)` */
function isForAll(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false;
  const [stage] = call.arguments;
  switch (memberName(call.callee)) {
    case middlewareMethod:
      return fn.params.length > 1;
    case requestHooks.method:
      return stage !== undefined && requestHooks.stages.has(constantText(stage) ?? '');
    default:
      return false;
  }
}

/** `app.get('/users', handler)` */
function isRouteCallback(fn: FunctionNode): boolean {
  const up = parentOf(fn);
  return up !== undefined && isRouteWith(up, fn);
}

function isRouteWith(call: Node, handler: Node): boolean {
  if (
    call.type !== 'CallExpression' ||
    call.callee.type !== 'MemberExpression' ||
    !routeMethods.has(memberName(call.callee) ?? '')
  )
    return false;
  const [path, ...handlers] = call.arguments;
  const text = path === undefined ? undefined : textStartOf(path);
  return text !== undefined && /^[/*]/u.test(text) && handlers.some((each) => each === handler);
}

function textStartOf(path: Node): string | undefined {
  return path.type === 'TemplateLiteral'
    ? (path.quasis[0]?.value.cooked ?? undefined)
    : constantText(path);
}

/** `app.get('/users', listUsers)` */
function isNamedInRoute(fn: FunctionNode, file: SourceFile): boolean {
  const name = nameOf(fn);
  const references = name === undefined ? [] : (variableOf(file, name)?.references ?? []);
  return references.some(({ identifier }) => {
    const node = identifier as unknown as Node;
    const up = parentOf(node);
    return up !== undefined && isRouteWith(up, node);
  });
}

/** `fastify.route({ method, url, handler })` */
function isHandlerProperty(fn: FunctionNode): boolean {
  const property = parentOf(fn);
  if (
    property?.type !== 'Property' ||
    keyName(property.key, property.computed) !== 'handler' ||
    property.parent.type !== 'ObjectExpression'
  )
    return false;
  const keys = property.parent.properties.map((each) =>
    each.type === 'Property' ? keyName(each.key, each.computed) : undefined,
  );
  return keys.includes('method') && (keys.includes('url') || keys.includes('path'));
}

/** `@Get() list() { … }` */
function isRouteMethod(fn: FunctionNode): boolean {
  const method = parentOf(fn);
  return (
    method?.type === 'MethodDefinition' &&
    decoratorsOf(method).some(
      ({ expression }) =>
        expression.type === 'CallExpression' &&
        expression.callee.type === 'Identifier' &&
        routeDecorators.has(expression.callee.name),
    )
  );
}

/** `export const handler = async (event) => …`, `exports.handler = …` */
function isLambda(fn: FunctionNode, file: SourceFile): boolean {
  return isExportedAs(fn, file, (name) => name === lambdaExport) && !isCommand(file);
}

function isCommand(file: SourceFile): boolean {
  return [...commandExports].some(
    (name) =>
      (assignedIn(file).byName.get(name) ?? []).some(({ object }) =>
        isExportsObject(object, file),
      ) ||
      parentOf(declaratorOf(name, file) ?? file.ast)?.parent?.type === 'ExportNamedDeclaration',
  );
}

/** What the file declares by a name at its top level. */
function declaratorOf(name: string, file: SourceFile): Node | undefined {
  const node = definitionOf(topLevelVariable(file, name))?.node as Node | undefined;
  return node?.type === 'VariableDeclarator' ? node : undefined;
}

function isExportedAs(
  fn: FunctionNode,
  file: SourceFile,
  test: (name: string) => boolean,
): boolean {
  const up = parentOf(fn);
  if (up?.type === 'AssignmentExpression')
    return (
      up.left.type === 'MemberExpression' &&
      isExportsObject(up.left.object, file) &&
      test(memberName(up.left) ?? '')
    );
  const name = nameOf(fn);
  return name !== undefined && test(name.name) && isDeclaredInExport(fn, up);
}

function isDeclaredInExport(fn: FunctionNode, up: Node | undefined): boolean {
  const declaration =
    fn.type === 'FunctionDeclaration' || up === undefined ? up : parentOf(parentOf(up) ?? up);
  return declaration?.type === 'ExportNamedDeclaration';
}
