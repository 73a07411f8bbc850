import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { isSidePath, longLivedDrivers } from '../model/pool-life.ts';
import { requestBoundModules, requestBoundRuntimes } from '../model/request-handlers.ts';
import type { Resolver } from '../values/resolver.ts';
import { importsOf } from '../project/reach.ts';
import { callsIn } from '../syntax/calls.ts';
import { isAskedOfKept } from '../syntax/taken-each-time.ts';
import { constantText } from '../syntax/constants.ts';
import { findAncestor, parentOf, type SourceFile } from '../syntax/source-file.ts';
import { findBatches } from '../syntax/batches.ts';
import type { Hop } from '../summaries/effects.ts';
import {
  configurationOf,
  isEnded,
  lifeOfMade,
  poolsMadeAt,
  type Making,
  type PoolMade,
} from '../summaries/pools-made.ts';
import type { Life } from '../values/pools/life.ts';
import { handlingOf, headOf, type Handling } from '../values/pools/request-handlers.ts';
import type { Finding, PathStep } from './finding.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import type { Scene } from './scene.ts';
import { findSharedEnds } from './shared-ends.ts';
import { stepInFile } from './step-in-file.ts';

const rule = 'no-pool-per-request';

/** Pools and connections that are made for each request though they are the same each time, and a shared pool that a request ends. */
export function findPoolsPerRequest({ file, resolver }: Scene): readonly Finding[] {
  if (
    resolver.reader.leadsToDriver?.(file) === false ||
    isRequestBound(file, resolver) ||
    isSidePath(resolver.reader.texts?.listening.pathInProject(file.path) ?? file.path)
  )
    return [];
  const { calls, constructions } = callsIn(file);
  return [
    ...[...constructions, ...calls].flatMap((each) => findMade(each, file, resolver) ?? []),
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

/** Where something is evaluated again and again. */
interface Again {
  readonly within: Node;
  /** Undefined for a round of a loop. */
  readonly handling: Handling | undefined;
}

function findMade(making: Making, file: SourceFile, resolver: Resolver): Finding | undefined {
  const again = againAround(making, file);
  if (again === undefined) return undefined;
  for (const each of poolsMadeAt(making, file, resolver)) {
    const messageId = judge(each, making, again, file, resolver);
    if (messageId !== undefined) return describe(each, making, messageId, again, file);
  }
  return undefined;
}

/** Undefined where it is come to once, or the first time only. */
function againAround(node: Node, file: SourceFile): Again | undefined {
  const handling = handlingOf(node, file);
  const round = findAncestor(node, isLoopOrFunction);
  const isRepeated = round !== undefined && (!isFunction(round) || isRound(round, file));
  const within = handling?.inside ?? (isRepeated ? round : undefined);
  return within === undefined || isOfFirstTime(node, { within, handling }, file)
    ? undefined
    : { within, handling };
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
  made: PoolMade,
  making: Making,
  { within, handling }: Again,
  file: SourceFile,
  resolver: Resolver,
): string | undefined {
  if (
    !longLivedDrivers.has(made.made.module) ||
    isRequestBound(made.file, resolver) ||
    isFoundInside(made, file)
  )
    return undefined;
  const life = lifeOfMade(made, making, within, file, resolver);
  if (
    life === undefined ||
    life.given.length > 0 ||
    configurationOf(made, making.arguments, within, undefined, file) === undefined
  )
    return undefined;
  const ended = isEnded(made, life) || isDisposed(making);
  if (handling === undefined) return ended || made.made.kind !== 'pool' ? undefined : 'inLoop';
  return made.made.kind === 'pool'
    ? poolMessage(ended, handling)
    : clientMessage(life, handling, file);
}

/** `if (!isReady) await setUp()`: it is not come to again. */
function isOfFirstTime(node: Node, { within, handling }: Again, file: SourceFile): boolean {
  return (
    isAskedOfKept(node, within, file) ||
    handling?.calls.some((call) =>
      isAskedOfKept(call, findAncestor(call, isFunction) ?? file.ast, file),
    ) === true
  );
}

/** What a function of this file leaves behind is reported there. */
function isFoundInside({ ways, at, via }: PoolMade, file: SourceFile): boolean {
  return ways.length === 0 && via[0]?.file === file && againAround(at, file) !== undefined;
}

/** `await using repository = new Repository()` */
function isDisposed(making: Making): boolean {
  const up = parentOf(making);
  return up?.type === 'VariableDeclarator' && up.parent.kind.endsWith('using');
}

/** A pool that a Lambda ends serves one request, as a client would: opinions differ on whether its connection should outlive that. */
function poolMessage(isEndedHere: boolean, { isLambda }: Handling): string | undefined {
  if (!isEndedHere) return 'pool';
  return isLambda ? undefined : 'endedPool';
}

/** A connection that listens, or streams, belongs to its request. */
function clientMessage(
  { calls, events, endedBy }: Life,
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
  return endedBy.size > 0 ? 'client' : 'openClient';
}

function describe(
  { node, file: home, made: { kind }, via }: PoolMade,
  making: Making,
  messageId: string,
  { handling }: Again,
  file: SourceFile,
): Finding {
  const what = kind === 'pool' ? 'makes a pool of its own' : 'opens a connection of its own';
  const each = handling === undefined ? 'Each round of the loop' : 'Each call';
  return {
    rule,
    messageId,
    data: handling === undefined ? {} : { line: String(handling.handler.loc.start.line) },
    place: placeOf(making),
    steps: [
      ...stepsTo(handling, file),
      { place: placeOf(making), text: `${each} ${what}.` },
      ...via
        .slice(1)
        .map(({ callee, text }, index) =>
          stepInFile((via[index] as Hop).file, callee, `It calls \`${text}\`.`, file),
        ),
      ...(via.length === 0 ? [] : [stepInFile(home, node, 'The pool is made here.', file)]),
    ],
  };
}

function stepsTo(handling: Handling | undefined, file: SourceFile): readonly PathStep[] {
  if (handling === undefined) return [];
  const { handler, inside } = handling;
  const what = mention(headOf(handler), file);
  return [
    { place: placeOf(headOf(handler)), text: `${what} is called for each request.` },
    ...(inside === handler
      ? []
      : [{ place: placeOf(headOf(inside)), text: 'It calls this function.' }]),
  ];
}
