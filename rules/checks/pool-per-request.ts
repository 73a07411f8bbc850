import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { isSidePath, listenMethods, longLivedDrivers } from '../model/pool-life.ts';
import { requestBoundModules, requestBoundRuntimes } from '../model/request-handlers.ts';
import type { Entity } from '../values/entities.ts';
import type { Resolver } from '../values/resolver.ts';
import { importsOf } from '../project/reach.ts';
import { callsIn } from '../syntax/calls.ts';
import { constantText } from '../syntax/constants.ts';
import { findAncestor, memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';
import { isTheSameEachTime } from '../values/pools/depends-on.ts';
import { homeOf, usesOf, type Home, type Uses } from '../values/pools/keeping.ts';
import { madeIn, type Made } from '../values/pools/made-pools.ts';
import { handlingOf, type Handling } from '../values/pools/request-handlers.ts';
import type { Finding } from './finding.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import type { Scene } from './scene.ts';

const rule = 'no-pool-per-request';

/** Pools and connections that are made for each request though they are the same each time, and a shared pool that a request ends. */
export function findPoolsPerRequest({ file, resolver }: Scene): readonly Finding[] {
  if (
    resolver.reader.leadsToDriver?.(file) === false ||
    isRequestBound(file, resolver) ||
    isSidePath(resolver.reader.texts?.listening.pathInProject(file.path) ?? file.path)
  )
    return [];
  return [
    ...madeIn(file, resolver).flatMap((made) => findMade(made, file, resolver) ?? []),
    ...findSharedEnds(file, resolver),
  ];
}

/** Programs that must open what they need for each request. */
function isRequestBound(file: SourceFile, resolver: Resolver): boolean {
  const runtime = resolver.memberOf({ kind: 'module', file }, 'runtime');
  return (
    (runtime?.kind === 'text' && requestBoundRuntimes.has(constantText(runtime.node) ?? '')) ||
    importsOf(file).some((specifier) => requestBoundModules.test(specifier))
  );
}

function findMade(made: Made, file: SourceFile, resolver: Resolver): Finding | undefined {
  if (!longLivedDrivers.has(made.module)) return undefined;
  const handling = handlingOf(made.node, file);
  if (handling === undefined)
    return made.kind === 'pool' ? findInLoop(made, file, resolver) : undefined;
  const uses = isLocalTo(homeOf(made.node, file), handling.inside)
    ? usesOf(homeOf(made.node, file), file, resolver)
    : undefined;
  if (
    uses === undefined ||
    isKept(uses) ||
    !isTheSameEachTime(made.node.arguments, handling.inside, file)
  )
    return undefined;
  const messageId =
    made.kind === 'pool' ? poolMessage(uses, handling) : clientMessage(uses, handling, file);
  return messageId === undefined ? undefined : describe(made, messageId, handling, file);
}

/** A variable of the function, or nothing at all. */
function isLocalTo(home: Home, fn: Node): boolean {
  if (home.kind === 'nowhere') return true;
  return (
    home.kind === 'variable' &&
    fn.range[0] <= home.name.range[0] &&
    home.variable.identifiers.every(
      ({ range }) => range !== undefined && fn.range[0] <= range[0] && range[1] <= fn.range[1],
    )
  );
}

function isKept({ isGivenAway, isShared }: Uses): boolean {
  return isGivenAway || isShared;
}

/** A pool that a Lambda ends serves one request, as a client would: opinions differ on whether its connection should outlive that. */
function poolMessage({ calls }: Uses, { isLambda }: Handling): string | undefined {
  if (!calls.has(methods.end)) return 'pool';
  return isLambda ? undefined : 'endedPool';
}

/** A connection that listens, or streams, belongs to its request. */
function clientMessage(
  { calls, events }: Uses,
  { isLambda, inside }: Handling,
  file: SourceFile,
): string | undefined {
  if (
    isLambda ||
    !calls.has(methods.acquire) ||
    events.has('notification') ||
    /\bLISTEN\b|replication|pg_advisory/u.test(file.text.slice(...inside.range))
  )
    return undefined;
  return calls.has(methods.end) ? 'client' : 'openClient';
}

function describe(
  { node, kind }: Made,
  messageId: string,
  { handler, inside }: Handling,
  file: SourceFile,
): Finding {
  const what = mention(headOf(handler), file);
  const via =
    inside === handler ? [] : [{ place: placeOf(headOf(inside)), text: 'It calls this function.' }];
  return {
    rule,
    messageId,
    data: { line: String(handler.loc.start.line) },
    place: placeOf(node),
    steps: [
      { place: placeOf(headOf(handler)), text: `${what} is called for each request.` },
      ...via,
      {
        place: placeOf(node),
        text:
          kind === 'pool'
            ? 'Each call makes a pool of its own.'
            : 'Each call opens a connection of its own.',
      },
    ],
  };
}

/** What a function is known by: the route, the declaration's name, or its parameters. */
function headOf(fn: FunctionNode): Node {
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

/** A pool that each round of a loop makes anew, with the same configuration, and leaves behind. */
function findInLoop(made: Made, file: SourceFile, resolver: Resolver): Finding | undefined {
  const loop = findAncestor(made.node, isLoopOrFunction);
  const home = homeOf(made.node, file);
  if (loop === undefined || isFunction(loop) || !isLocalTo(home, loop)) return undefined;
  const uses = usesOf(home, file, resolver);
  if (
    isKept(uses) ||
    uses.calls.has(methods.end) ||
    !isTheSameEachTime(made.node.arguments, loop, file)
  )
    return undefined;
  return {
    rule,
    messageId: 'inLoop',
    data: {},
    place: placeOf(made.node),
    steps: [{ place: placeOf(made.node), text: 'Each round of the loop makes a pool of its own.' }],
  };
}

function isLoopOrFunction(node: Node): node is Node {
  return isFunction(node) || /^(?:For|While|DoWhile)/u.test(node.type);
}

/** `await pool.end()` in a handler, where the pool is a constant of a module. */
function findSharedEnds(file: SourceFile, resolver: Resolver): readonly Finding[] {
  if (!/\.\s*end\s*\(/u.test(file.text)) return [];
  return callsIn(file).calls.flatMap((call) => findSharedEnd(call, file, resolver) ?? []);
}

function findSharedEnd(
  call: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
): Finding | undefined {
  const { callee } = call;
  if (
    callee.type !== 'MemberExpression' ||
    memberName(callee) !== methods.end ||
    (callee.object.type !== 'Identifier' && callee.object.type !== 'MemberExpression')
  )
    return undefined;
  const handling = handlingOf(call, file);
  if (handling === undefined || isListener(call) || isShutdown(handling.handler, file))
    return undefined;
  const entity = resolver.entityOf(callee.object, file);
  if (entity?.kind !== 'pool' || !isConstantOfModule(entity)) return undefined;
  const pool = file.text.slice(...callee.object.range);
  return {
    rule,
    messageId: 'endsShared',
    data: { pool, line: String(handling.handler.loc.start.line) },
    place: placeOf(call),
    steps: [
      {
        place: placeOf(headOf(handling.handler)),
        text: `${mention(headOf(handling.handler), file)} is called for each request.`,
      },
      { place: placeOf(call), text: `It ends ${pool}, which later requests need.` },
    ],
  };
}

/** `const pool = new Pool()` at the top level: nobody can put another one in its place. */
function isConstantOfModule({ origin }: Entity & { kind: 'pool' }): boolean {
  const declarator = parentOf(origin.node);
  const declaration = declarator?.type === 'VariableDeclarator' ? declarator.parent : undefined;
  return (
    origin.node.type === 'NewExpression' &&
    declaration?.type === 'VariableDeclaration' &&
    declaration.kind === 'const' &&
    /^(?:Program|ExportNamedDeclaration)$/u.test(parentOf(declaration)?.type ?? '')
  );
}

/** It runs when something happens later, such as a signal. */
function isListener(call: Node): boolean {
  const fn = findAncestor(call, isFunction);
  const up = fn === undefined ? undefined : parentOf(fn);
  return (
    up?.type === 'CallExpression' &&
    up.callee.type === 'MemberExpression' &&
    listenMethods.has(memberName(up.callee) ?? '')
  );
}

/** A handler whose business is to end the program. */
function isShutdown(handler: FunctionNode, file: SourceFile): boolean {
  const route = parentOf(handler);
  return /process\s*\.\s*(?:exit|kill)|shut|terminat|restart/iu.test(
    file.text.slice(...(route?.type === 'CallExpression' ? route.range : handler.range)),
  );
}
