import { type FunctionNode, type Node, isFunction, isClass } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { isSidePath, longLivedDrivers } from '../model/pool-life.ts';
import { requestBoundModules, requestBoundRuntimes } from '../model/request-handlers.ts';
import type { Here } from '../values/resolver.ts';
import { importsOf } from '../project/import-reachability.ts';
import { callsIn } from '../syntax/calls.ts';
import { someIn } from '../syntax/preorder.ts';
import { isAskedOfKept } from '../syntax/taken-each-time.ts';
import { constantText } from '../syntax/constants.ts';
import {
  findAncestor,
  parentOf,
  type SourceFile,
  keyName,
  memberName,
  unwrap,
} from '../syntax/source-file.ts';
import { findBatches } from '../syntax/batches.ts';
import type { Hop } from '../summaries/effects.ts';
import {
  configurationOf,
  isEnded,
  poolsMadeAt,
  type Making,
  type PoolMade,
  enclosingBody,
} from '../summaries/pools-made.ts';
import { lifeOf, type Life } from '../values/pools/life.ts';
import { handlingOf, headOf, type Handling } from '../values/pools/request-handlers.ts';
import type { Finding, PathStep } from './finding.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { Analysis } from './analysis.ts';
import { findSharedEnds } from './shared-ends.ts';
import { stepAt, stepInFile } from './path-step.ts';
import { pathInProject } from '../project/module-reader.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { requestScope } from '../model/containers.ts';
import { decoratorsOf } from '../syntax/decorators.ts';

const rule = 'no-pool-per-request';

const inPlaces = { round: 'inLoop', container: 'scoped' } as const;
const timesOf = { round: 'Each iteration', container: 'Each request' } as const;

/** Pools and connections that are made for each request though they are the same each time, and a shared pool that a request ends. */
export function findPoolsPerRequest(analysis: Analysis): readonly Finding[] {
  const { file, resolver } = analysis;
  if (
    resolver.reader.leadsToDriver?.(file) === false ||
    isRequestBound(analysis) ||
    isSidePath(pathInProject(file, resolver.reader))
  )
    return [];
  const { calls, constructions } = callsIn(file);
  return [
    ...[...constructions, ...calls].flatMap((each) => findMade(each, analysis) ?? []),
    ...findSharedEnds(analysis),
  ];
}

/** Programs that must open what they need for each request. */
function isRequestBound({ file, resolver }: Here): boolean {
  const runtime = resolver.memberOf({ kind: 'module', file }, 'runtime');
  return (
    (runtime?.kind === 'text' && requestBoundRuntimes.has(constantText(runtime.node) ?? '')) ||
    importsOf(file).some((specifier) => requestBoundModules.test(specifier))
  );
}

/** Where something is evaluated again and again. */
interface Again {
  readonly within: Node;
  readonly by: Handling | 'round' | 'container';
}

function findMade(making: Making, here: Here): Finding | undefined {
  const { file, resolver } = here;
  const again = enclosingRepetition(making, here);
  if (again === undefined) return undefined;
  const made = poolsMadeAt(making, file, resolver);
  if (made.length === 0 || isOfFirstTime(making, again, file)) return undefined;
  for (const each of made) {
    const messageId = judge(each, making, again, here);
    if (messageId !== undefined) return describe(each, making, messageId, again, file);
  }
  return undefined;
}

/** Undefined where it is come to once, or the first time only. */
function enclosingAgain(node: Node, here: Here): Again | undefined {
  const { file } = here;
  const again = enclosingRepetition(node, here);
  return again === undefined || isOfFirstTime(node, again, file) ? undefined : again;
}

function enclosingRepetition(node: Node, here: Here): Again | undefined {
  const { file } = here;
  const handling = handlingOf(node, file);
  if (handling !== undefined) return { within: handling.inside, by: handling };
  const round = findAncestor(node, isLoopOrFunction);
  if (round !== undefined && (!isFunction(round) || isRound(round, file)))
    return { within: round, by: 'round' };
  const scoped = enclosingRequestScope(node, here);
  return scoped && { within: scoped, by: 'container' };
}

function isLoopOrFunction(node: Node): node is Node {
  return isFunction(node) || /^(?:For|While|DoWhile)/u.test(node.type);
}

/** `jobs.forEach((job) => …)`, `Promise.all(jobs.map((job) => …))` */
function isRound(fn: FunctionNode, file: SourceFile): boolean {
  return findBatches(file).some(({ parts }) =>
    parts.some(({ node, kind }) => kind === 'each' && node === fn),
  );
}

function judge(
  each: PoolMade,
  making: Making,
  { within, by }: Again,
  here: Here,
): string | undefined {
  const { file, resolver } = here;
  const { made } = each;
  const isOthers =
    !longLivedDrivers.has(made.module) ||
    isRequestBound({ file: each.file, resolver }) ||
    isFoundInside(each, here);
  const isOfRequest = typeof by === 'object' && by.handler === within;
  const life = isOthers
    ? undefined
    : lifeOf(making, each.ways, { within, isOfRequest }, file, resolver);
  if (
    life === undefined ||
    (life.given.length > 0 && by !== 'container') ||
    configurationOf(each, making.arguments, within, undefined, file) === undefined
  )
    return undefined;
  const ended = isEnded(each, life) || isDisposed(making);
  return made.kind === 'pool' ? poolMessage(ended, by) : clientMessage(life, by, file);
}

/** `if (!isReady) await setUp()`: it is not come to again. */
function isOfFirstTime(node: Node, { within, by }: Again, file: SourceFile): boolean {
  return (
    isAskedOfKept(node, within, file) ||
    (typeof by === 'object' &&
      by.calls.some((call) =>
        isAskedOfKept(call, findAncestor(call, isFunction) ?? file.ast, file),
      ))
  );
}

/** What a function of this file leaves behind is reported there. */
function isFoundInside({ ways, at, via }: PoolMade, here: Here): boolean {
  const { file } = here;
  return ways.length === 0 && via[0]?.file === file && enclosingAgain(at, here) !== undefined;
}

/** `await using repository = new Repository()` */
function isDisposed(making: Making): boolean {
  const up = parentOf(making);
  return up?.type === 'VariableDeclarator' && up.parent.kind.endsWith('using');
}

/** A pool that a Lambda ends serves one request, as a client would: opinions differ on whether its connection should outlive that. */
function poolMessage(isEndedHere: boolean, by: Again['by']): string | undefined {
  if (typeof by === 'string') return isEndedHere ? undefined : inPlaces[by];
  if (!isEndedHere) return 'pool';
  return by.isLambda ? undefined : 'endedPool';
}

/** A connection that listens, or streams, belongs to its request. */
function clientMessage(
  { calls, events, endedBy }: Life,
  by: Again['by'],
  file: SourceFile,
): string | undefined {
  if (
    typeof by === 'string' ||
    by.isLambda ||
    !calls.has(methods.acquire) ||
    events.has('notification') ||
    lastsAsLongAs(by.inside, file)
  )
    return undefined;
  return endedBy.size > 0 ? 'client' : 'openClient';
}

/** `LISTEN jobs`, a session's lock, `{ replication: 'database' }` */
function lastsAsLongAs(handler: Node, file: SourceFile): boolean {
  return someIn(file, handler, (node) => {
    const text = node.type === 'TemplateElement' ? node.value.raw : undefined;
    return (
      (node.type === 'Property' &&
        node.key.type === 'Identifier' &&
        node.key.name === 'replication') ||
      lasting.test(text ?? (node.type === 'Literal' ? String(node.value) : ''))
    );
  });
}

const lasting = /\bLISTEN\b|pg_advisory/iu;

function describe(
  { node, file: home, made: { kind }, via }: PoolMade,
  making: Making,
  messageId: string,
  { by }: Again,
  file: SourceFile,
): Finding {
  const what = kind === 'pool' ? 'creates a pool' : 'opens a connection';
  const each = typeof by === 'string' ? timesOf[by] : 'Each call';
  return {
    rule,
    messageId,
    data: typeof by === 'string' ? {} : { line: String(by.handler.loc.start.line) },
    place: making.loc,
    steps: [
      ...(typeof by === 'string' ? [] : stepsTo(by, file)),
      stepAt(making, `${each} ${what}.`),
      ...via
        .slice(1)
        .map(({ callee, text }, index) =>
          stepInFile((via[index] as Hop).file, callee, `It calls \`${text}\`.`, file),
        ),
      ...(via.length === 0 ? [] : [stepInFile(home, node, 'The pool is created here.', file)]),
    ],
  };
}

function stepsTo({ handler, inside }: Handling, file: SourceFile): readonly PathStep[] {
  const what = excerpt(headOf(handler), file);
  return [
    stepAt(headOf(handler), `${what} is called for each request.`),
    ...(inside === handler ? [] : [stepAt(headOf(inside), 'It calls this function.')]),
  ];
}

/** The class, or the factory of a provider, whose value a container makes anew for each request, around a node. */
function enclosingRequestScope(node: Node, here: Here): Node | undefined {
  const body = enclosingBody(node);
  if (body === undefined) return undefined;
  const options = isClass(body) ? optionsOfClass(body, here) : optionsOfFactory(body);
  return options.some((each) => isOfRequest(each, here)) ? body : undefined;
}

/** `@Injectable({ scope: Scope.REQUEST })` */
function optionsOfClass(
  node: Parameters<typeof decoratorsOf>[0],
  { file, resolver }: Here,
): readonly Node[] {
  return decoratorsOf(node).flatMap(({ expression }) => {
    const call = unwrap(expression);
    if (call.type !== 'CallExpression') return [];
    const abstractValue = resolver.abstractValueOf(call.callee, file);
    return abstractValue?.kind === 'package' && abstractValue.module === requestScope.module
      ? call.arguments
      : [];
  });
}

/** `{ provide: 'POOL', scope: Scope.REQUEST, useFactory: () => new Pool() }` */
function optionsOfFactory(fn: Node): readonly Node[] {
  const property = parentOf(fn);
  return property?.type === 'Property' && keyName(property.key, property.computed) === 'useFactory'
    ? [property.parent]
    : [];
}

/** With `durable` requests of one tenant share it. */
function isOfRequest(options: Node, { file, resolver }: Here): boolean {
  if (options.type !== 'ObjectExpression') return false;
  const scope = valueOf(options, 'scope');
  if (scope?.type !== 'MemberExpression' || memberName(scope) !== requestScope.member) return false;
  const abstractValue = resolver.abstractValueOf(scope.object, file);
  return (
    abstractValue?.kind === 'package' &&
    abstractValue.module === requestScope.module &&
    abstractValue.name === requestScope.name &&
    valueOf(options, 'durable') === undefined
  );
}

function valueOf({ properties }: TSESTree.ObjectExpression, key: string): Node | undefined {
  for (const each of properties)
    if (each.type === 'Property' && keyName(each.key, each.computed) === key) return each.value;
  return undefined;
}
