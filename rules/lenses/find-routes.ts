import { sep } from 'node:path';
import type { TSESTree } from '@typescript-eslint/types';
import {
  middlewareMethod,
  routeDecorators,
  routeExports,
  routeFiles,
  routeMethods,
} from '../model/request-handlers.ts';
import { constantText } from '../syntax/constants.ts';
import { decoratorsOf } from '../syntax/decorators.ts';
import type { Place } from '../syntax/place.ts';
import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import { keyName, memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';
import type { Here } from '../values/resolver.ts';
import { findQueries } from './find-queries.ts';
import { sentAt } from './find-statements.ts';
import type { WrittenQuery } from './written-query.ts';
import type { RouteStatement, WrittenRoute } from './written-route.ts';

/** Calls from the handler to the function that sends: controller, service, repository, helper. */
const maximalDepth = 8;
/** A handler that comes to more functions than this is a whole program. */
const mostFunctions = 300;

/** A route, and the nodes in which its handlers stand or are named. */
interface Handled extends Pick<WrittenRoute, 'method' | 'path'> {
  readonly node: Node;
  readonly handlers: readonly Node[];
}

/** The routes of a file with what their handlers send. */
export function findRoutes(analysis: Here): readonly WrittenRoute[] {
  const { file } = analysis;
  const handled: Handled[] = [];
  walk(file, file.ast, (node) => {
    handled.push(...handledAt(node, file));
    return true;
  });
  return handled.map(({ node, handlers, method, path }) => ({
    place: node.loc,
    method,
    path,
    ...sentFrom(handlers, analysis),
  }));
}

function handledAt(node: Node, file: SourceFile): readonly Handled[] {
  if (node.type === 'CallExpression')
    return [...byPath(node), ...byChain(node), ...byOptions(node)];
  if (node.type === 'MethodDefinition') return byDecorator(node);
  return node.type === 'ExportNamedDeclaration' && routeFiles.test(file.path)
    ? byExport(node, file)
    : [];
}

/** `app.get('/users', authenticate, listUsers)` */
function byPath(call: CallNode): readonly Handled[] {
  const method = routeMethodOf(call);
  const [path, ...handlers] = call.arguments;
  const text = path === undefined ? undefined : constantText(path);
  return method === undefined || text === undefined || !/^[/*]/u.test(text) || handlers.length === 0
    ? []
    : [{ node: call, method, path: text, handlers }];
}

/** `router.route('/users').get(listUsers).post(addUser)` */
function byChain(call: CallNode): readonly Handled[] {
  const method = routeMethodOf(call);
  if (method === undefined || call.callee.type !== 'MemberExpression') return [];
  for (let below: Node = call.callee.object; below.type === 'CallExpression';) {
    const [path] = below.arguments;
    if (below.callee.type !== 'MemberExpression') return [];
    if (memberName(below.callee) === 'route') {
      const text = path === undefined ? undefined : constantText(path);
      return text === undefined
        ? []
        : [{ node: call, method, path: text, handlers: call.arguments }];
    }
    below = below.callee.object;
  }
  return [];
}

/** Undefined for `use`, which takes whole routers. */
function routeMethodOf({ callee }: CallNode): string | undefined {
  const name = memberName(callee);
  if (name === undefined || name === middlewareMethod || !routeMethods.has(name)) return undefined;
  return name === 'del' ? 'DELETE' : name.toUpperCase();
}

/** `fastify.route({ method: 'GET', url: '/users', handler })` */
function byOptions({ callee, arguments: [options] }: CallNode): readonly Handled[] {
  if (
    callee.type !== 'MemberExpression' ||
    memberName(callee) !== 'route' ||
    options?.type !== 'ObjectExpression'
  )
    return [];
  const valueOf = (...names: readonly string[]) =>
    options.properties.flatMap((each) =>
      each.type === 'Property' && names.includes(keyName(each.key, each.computed) ?? '')
        ? [each.value]
        : [],
    );
  const [path] = valueOf('url', 'path').map(constantText);
  const methods = valueOf('method').flatMap((each) =>
    (each.type === 'ArrayExpression' ? each.elements : [each]).flatMap(
      (one) => (one && constantText(one)) ?? [],
    ),
  );
  const handlers = valueOf('handler', 'preHandler');
  return path === undefined || handlers.length === 0
    ? []
    : methods.map((method) => ({ node: options, method: method.toUpperCase(), path, handlers }));
}

/** `@Get(':id') find() { … }` of `@Controller('users')` */
function byDecorator(method: TSESTree.MethodDefinition): readonly Handled[] {
  return decoratorsOf(method).flatMap(({ expression }) => {
    if (expression.type !== 'CallExpression' || expression.callee.type !== 'Identifier') return [];
    const { name } = expression.callee;
    if (!routeDecorators.has(name)) return [];
    const path = `/${[prefixOf(method), pathGiven(expression)].filter((part) => part !== '').join('/')}`;
    return [{ node: method, method: name.toUpperCase(), path, handlers: [method.value] }];
  });
}

const controllers: ReadonlySet<string> = new Set(['Controller', 'JsonController', 'Route']);

function prefixOf(method: Node): string {
  const owner = parentOf(parentOf(method) ?? method);
  if (owner?.type !== 'ClassDeclaration' && owner?.type !== 'ClassExpression') return '';
  const prefixes = decoratorsOf(owner).flatMap(({ expression }) =>
    expression.type === 'CallExpression' &&
    expression.callee.type === 'Identifier' &&
    controllers.has(expression.callee.name)
      ? [pathGiven(expression)]
      : [],
  );
  return prefixes[0] ?? '';
}

function pathGiven({ arguments: [path] }: CallNode): string {
  return ((path && constantText(path)) ?? '').replace(/^\/+/u, '').replace(/(?<!\/)\/+$/u, '');
}

/** `export async function GET(request) { … }` of `app/api/users/[id]/route.ts` */
function byExport(
  { declaration }: TSESTree.ExportNamedDeclaration,
  { path: file }: SourceFile,
): readonly Handled[] {
  const named =
    declaration?.type === 'FunctionDeclaration'
      ? [{ name: declaration.id?.name, value: declaration }]
      : declaration?.type === 'VariableDeclaration'
        ? declaration.declarations.map(({ id, init }) => ({
            name: id.type === 'Identifier' ? id.name : undefined,
            value: init,
          }))
        : [];
  const path = pathOfFile(file);
  return named.flatMap(({ name, value }) =>
    name !== undefined && routeExports.has(name) && value
      ? [{ node: value, method: name, path, handlers: [value] }]
      : [],
  );
}

/** Next.js and SvelteKit name a path by folders; a folder in brackets groups others and is no part of it. */
function pathOfFile(file: string): string {
  const folders = file.split(sep).slice(0, -1);
  const root = folders.findLastIndex((name) => name === 'app' || name === 'routes');
  return `/${folders
    .slice(root + 1)
    .filter((name) => !/^\(.*\)$/u.test(name))
    .join('/')}`;
}

/** What is sent from some nodes on, over the functions that they call. */
function sentFrom(
  starts: readonly Node[],
  { file, resolver }: Here,
): Pick<WrittenRoute, 'statements' | 'built'> {
  const statements: RouteStatement[] = [];
  const seen = new Set<string>();
  const queries = new Map<string, readonly WrittenQuery[]>();
  const queriesIn = (from: SourceFile): readonly WrittenQuery[] => {
    const known = queries.get(from.path) ?? findQueries({ file: from, resolver });
    queries.set(from.path, known);
    return known;
  };
  let built = 0;
  const follow = (node: Node, from: SourceFile, depth: number): void => {
    const key = `${from.path} ${node.range.join()}`;
    if (seen.has(key) || seen.size >= mostFunctions || depth > maximalDepth) return;
    seen.add(key);
    const analysis = { file: from, resolver };
    built += queriesIn(from).filter(({ place }) => isWithin(place, node.loc)).length;
    walk(from, node, (each) => {
      const sent = sentAt(each, analysis);
      statements.push(...sent.map(({ place, pieces }) => ({ place, pieces, file: from.path })));
      if (each.type === 'CallExpression' && sent.length === 0)
        for (const named of [each.callee, ...each.arguments.filter(isNamed)])
          followNamed(named, from, depth);
      return true;
    });
  };
  const followNamed = (node: Node, from: SourceFile, depth: number): void => {
    const called = functionAt(node, { file: from, resolver });
    if (called !== undefined) follow(called.node, called.file, depth + 1);
  };
  for (const start of starts) {
    if (isNamed(start)) followNamed(start, file, 0);
    else follow(start, file, 0);
  }
  return { statements, built };
}

function isNamed({ type }: Node): boolean {
  return type === 'Identifier' || type === 'MemberExpression';
}

function functionAt(node: Node, { file, resolver }: Here) {
  if (isFunction(node)) return undefined;
  const abstractValue = resolver.abstractValueOf(node, file);
  return abstractValue?.kind === 'function' ? abstractValue : undefined;
}

function isWithin(inner: Place, outer: Place): boolean {
  return isUpTo(outer.start, inner.start) && isUpTo(inner.end, outer.end);
}

function isUpTo(one: Place['start'], other: Place['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.column <= other.column);
}
