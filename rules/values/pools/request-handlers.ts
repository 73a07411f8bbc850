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
  findAncestor,
  keyName,
  memberName,
  parentOf,
  topLevelVariable,
  type SourceFile,
  declarationOf,
  referencesTo,
} from '../../syntax/source-file.ts';
import { callOf, nameOfFunction, callsByName } from '../../syntax/calls.ts';

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
  for (const { callee } of callsByName(nameOfFunction(fn), file)) {
    if (contains(fn, callee)) continue;
    const handling = enclosingHandling(callee, file, depth + 1);
    if (handling !== undefined)
      return { ...handling, inside: fn, calls: [...handling.calls, callee] };
  }
  return undefined;
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
    return referencesTo(param, file).some((name) => isAnswer(parentOf(name)));
  });
}

/** `response.json(rows)`; one without an argument reads what a server answered. */
function isAnswer(member: Node | undefined): boolean {
  if (member?.type !== 'MemberExpression' || !responseMethods.has(memberName(member) ?? ''))
    return false;
  return (callOf(member)?.arguments.length ?? 0) > 0;
}

/** `app.use((request, response, next) => …)` */
export function isMiddleware(fn: FunctionNode): boolean {
  const up = parentOf(fn);
  return (
    fn.params.length > 1 &&
    up?.type === 'CallExpression' &&
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
  return referencesTo(nameOfFunction(fn), file).some((name) => {
    const up = parentOf(name);
    return up !== undefined && isRouteWith(up, name);
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
  const node = declarationOf(topLevelVariable(file, name));
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
  const name = nameOfFunction(fn);
  return name?.type === 'Identifier' && test(name.name) && isDeclaredInExport(fn, up);
}

function isDeclaredInExport(fn: FunctionNode, up: Node | undefined): boolean {
  const declaration =
    fn.type === 'FunctionDeclaration' || up === undefined ? up : parentOf(parentOf(up) ?? up);
  return declaration?.type === 'ExportNamedDeclaration';
}
