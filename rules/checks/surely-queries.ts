import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import { createEffects, type Effect, type EffectsOf } from '../summaries/effects.ts';
import { askedBy, isRequest, type Request } from '../syntax/call-chain.ts';
import { enclosingHolding } from '../values/holding.ts';
import {
  heldCallAt,
  ownFunctionAt,
  type HeldCall,
  type HoldingCode,
} from '../summaries/held-calls.ts';
import { constantAt, heldIn, heldThrough, type Given, type Held } from '../summaries/held-paths.ts';
import { inHelper, noRounds } from '../summaries/several-rounds.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { parentOf, referencesTo, unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { Resolver, Here } from '../values/resolver.ts';
import { overHandle } from './query-over-held.ts';
import { chosenIn, collectBody } from './started-statements.ts';
import type { Ambient, Place, Started } from './started.ts';

/**
 * The queries that an expression starts and does not wait for: `client.query(…)`, `load(client)`,
 * `(async () => { await client.query(…); })()`, and such with `then` behind. What it gives is waited for later, unless told otherwise.
 */
export function startedIn(expression: Node, place: Place, isWaitedFor = true): readonly Started[] {
  const plain = unwrap(expression);
  if (plain.type === 'Identifier') {
    const kept = keptUnawaited(plain, place.file);
    return kept === undefined ? [] : startedIn(kept, place, isWaitedFor);
  }
  const chosen = chosenIn(plain, place);
  if (chosen !== undefined) return startedIn(chosen, place, isWaitedFor);
  if (plain.type === 'ConditionalExpression') {
    const [yes, no] = [plain.consequent, plain.alternate].map((each) =>
      startedIn(each, place, isWaitedFor),
    );
    return yes !== undefined && no !== undefined && no.length > 0 ? yes : [];
  }
  return isRequest(plain) ? startedBy(plain, place, isWaitedFor) : [];
}

function startedBy(plain: Request, place: Place, isWaitedFor: boolean): readonly Started[] {
  if (isChain(plain)) return startedIn(plain.callee.object, place);
  const callee = unwrap(askedBy(plain));
  if (isFunction(callee)) return callee.async ? queriesIn(callee, place).slice(0, 1) : [];
  const started = queriesAt(plain, place, isWaitedFor);
  return started.length > 0 || plain.type !== 'CallExpression'
    ? started
    : plain.arguments.flatMap((argument) => startedIn(argument, place, false));
}

/** A promise in a constant that nobody awaits by itself. */
function keptUnawaited(name: TSESTree.Identifier, file: SourceFile): Node | undefined {
  const made = constantAt(name, file);
  const isAwaited = referencesTo(name, file).some(
    (each) => parentOf(each)?.type === 'AwaitExpression',
  );
  return isAwaited || made?.type === 'Identifier' ? undefined : made;
}

/** The queries that a function makes, as far as its first `return`; what it awaits counts, too. */
export function queriesIn(fn: FunctionNode, place: Place): readonly Started[] {
  return fn.generator ? [] : collectBody(fn, place, (request) => queriesAt(request, place));
}

/** What a function is given, by how many arguments, and which of them differ from round to round. */
interface Entry {
  readonly given: readonly Given[];
  readonly passed: number;
  readonly varying: readonly number[];
  readonly ambient: Ambient | undefined;
}

interface Query extends Effect, Pick<Started, 'isSure' | 'isBehind'> {}

/** The queries of a function over the one connection that it is given. */
const queriesInside: EffectsOf<Query, Entry> = createEffects({
  partsOf: ({ given, passed, varying, ambient }) => [
    ...given.flatMap(({ level, index, key, held: { library } }) => [level, index, key, library]),
    passed,
    'varying',
    ...varying,
    ambient,
  ],
  effectsIn({ node, file }, entry, resolver) {
    const holding = entry.ambient && enclosingHolding(node, file, resolver);
    if (holding?.leaves === true || holding?.isApart === true) return [];
    return queriesIn(node, placeIn(node, { file, resolver }, entry)).map((started) => ({
      node: started.node,
      file,
      via: [],
      isSure: started.isSure,
      isBehind: started.isBehind,
    }));
  },
  identityOf: ({ isSure, isBehind }) => [isSure, isBehind],
});

function placeIn(
  node: FunctionNode,
  { file, resolver }: Here,
  { given, passed, varying, ambient }: Entry,
): Place {
  return {
    file,
    resolver,
    paths: heldIn(node, given, file),
    ofThis: given.filter(({ level }) => level === null),
    enclosing: node,
    rounds: inHelper(node, varying, file),
    ambient,
    omitted: paramsOf(node).slice(passed),
    inside: [],
  };
}

/** How many parameters a call gives arguments. */
export function passedBy({ arguments: given }: CallNode): number {
  return given.some(({ type }) => type === 'SpreadElement') ? Infinity : given.length;
}

/** The place that a function is which is given something, for one look at what is in it. */
export function placeGiven(
  { node, file }: HeldCall['fn'],
  { given, passed }: Pick<Entry, 'given' | 'passed'>,
  resolver: Resolver,
): Place {
  const entry: Entry = { given, passed, varying: [], ambient: undefined };
  const place = placeIn(node, { file, resolver }, entry);
  return { ...place, rounds: noRounds };
}

/** The place that code is which runs once and where an expression is known to be a connection. */
export function placeHolding(
  { file, resolver }: Pick<HoldingCode, 'file' | 'resolver'>,
  enclosing: Node,
  heldAt: (node: Node) => Held | undefined,
): Place {
  return {
    file,
    resolver,
    paths: heldThrough({ at: heldAt, member: () => undefined, keysOf: () => [] }, file),
    ofThis: [],
    enclosing,
    rounds: noRounds,
    ambient: undefined,
    omitted: [],
    inside: [],
  };
}

/** Queries of the client, or a call of a function that is given the client and queries it. */
export function queriesAt(request: Request, place: Place, isWaitedFor = false): readonly Started[] {
  const own = queryOf(request, place, isWaitedFor);
  if (own !== undefined || request.type !== 'CallExpression') return own ?? [];
  const inner = ownFunctionAt(request, place.enclosing, place.file);
  const seen =
    inner === undefined || place.inside.includes(inner)
      ? []
      : queriesIn(inner, { ...place, inside: [...place.inside, inner] });
  const [first] = seen;
  return first === undefined
    ? queriesGiven(request, place)
    : [{ ...first, node: request, isBehind: seen.some(({ isBehind }) => isBehind) }];
}

/** Undefined where the call is none of the client's own methods. */
function queryOf(
  request: Request,
  place: Place,
  isWaitedFor: boolean,
): readonly Started[] | undefined {
  const { file, paths, ambient } = place;
  const over = overHandle(request, place, isWaitedFor);
  if (over !== undefined) return [over];
  if (request.type !== 'CallExpression') return undefined;
  const query = { node: request, isNested: false, isSure: true, isBehind: false };
  if (ambient?.isOver(request, file) === true)
    return [{ ...query, client: undefined, held: ambient.held }];
  const { callee } = request;
  const client = callee.type === 'MemberExpression' ? paths.at(callee.object) : undefined;
  if (client?.library !== null || callee.type !== 'MemberExpression') return undefined;
  return isPlainQuery(request, file) ? [{ ...query, client: callee.object, held: client }] : [];
}

/** A function is asked about each connection that it is given by itself. */
function queriesGiven(call: CallNode, place: Place): readonly Started[] {
  const called = heldCallAt(call, place) ?? calledInAmbient(call, place);
  if (called === undefined) return [];
  const { ambient } = place;
  const connections = new Map(called.given.map(({ held }) => [held.of, held]));
  const given = [...connections.values()].flatMap((held) => {
    const own = called.given.filter((each) => each.held.of === held.of);
    return startedInside(call, called, { given: own, client: own[0]?.by ?? call, held }, place);
  });
  return given.length > 0 || ambient === undefined
    ? given
    : startedInside(call, called, { given: [], client: undefined, held: ambient.held }, place);
}

function calledInAmbient(call: CallNode, place: Place): HeldCall | undefined {
  if (place.ambient === undefined) return undefined;
  const fn = place.resolver.abstractValueOf(call.callee, place.file);
  return fn?.kind === 'function' ? { fn, given: [] } : undefined;
}

function startedInside(
  call: CallNode,
  { fn }: HeldCall,
  {
    given,
    client,
    held,
  }: { readonly given: readonly Given[]; readonly client: Node | undefined; readonly held: Held },
  { rounds, resolver, file, ambient }: Place,
): readonly Started[] {
  const varying = call.arguments.flatMap((each, index) => (rounds.varies(each) ? [index] : []));
  const entry: Entry = {
    given,
    passed: passedBy(call),
    varying,
    ambient: given.length > 0 ? undefined : ambient,
  };
  const found = queriesInside(fn, call.callee, { resolver, file }, entry) ?? [];
  const query = found.find(({ isSure }) => isSure) ?? found[0];
  return query === undefined
    ? []
    : [
        {
          node: call,
          client,
          held,
          isNested: false,
          isSure: query.isSure,
          isBehind: found.some(({ isBehind }) => isBehind),
        },
      ];
}
