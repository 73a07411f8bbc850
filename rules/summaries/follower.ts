import { statementsSent } from './helper-statements.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { buildGraph } from '../flow/build-graph.ts';
import { maximalStates } from '../flow/explore.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import type { Graph } from '../flow/graph.ts';
import { findAcquisitions, type Wanted } from './acquisitions.ts';
import { callsParameter, returnedCalls } from './returned-calls.ts';
import type { Acquisition } from '../typestate/acquisition.ts';
import { followCheckout, type FollowContext } from '../typestate/follow-checkout.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import type { AccessPaths } from '../typestate/access-paths.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { wrapperResultOf, type AcquireWrappers, type Given } from './acquire-wrappers.ts';
import { keptHandle } from './kept-handles.ts';
import type { CallbackLending } from './callback-lending.ts';
import { findLentClients, lentFact, lendingsIn, type LentClient } from './callback-lendings.ts';
import { passedOn } from './passed-on.ts';
import { createCallSemantics, rootOf } from '../typestate/call-semantics.ts';
import { placeOf } from '../values/apart.ts';
import { resolverOf } from '../values/create-resolver.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Family, NodePlace, Question } from '../project/module-reader.ts';
import { walk } from '../syntax/preorder.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { createSummaries } from './summaries.ts';
import { createTable } from './tabulation.ts';
import { createInterner } from '../typestate/interning.ts';

/** Follows the clients of a file, and on demand those of the files that its getters, wrappers and helpers come from. */
export interface Follower {
  checkouts(): readonly Checkout[];
  /** What a function of the file does with clients for its callers. */
  wrapperResultsAt(range: NodePlace['range']): WrapperResults;
}

interface WrapperResults {
  readonly given: Given | undefined;
  readonly lends: readonly CallbackLending[];
}

const noWrapperResults: WrapperResults = { given: undefined, lends: [] };
/** Of functions that call each other and never settle what they do. */
const unsettled: WrapperResults = { ...noWrapperResults };

/** All clients of one function together: each is followed through all of it, so hundreds of them would take minutes. Public code needs 8,000 at most (`npm run corpus`); what is beyond is not judged. */
const maximalStatesOfGraph = 100_000;

/** One follower serves one file; what functions of other files give and lend is found by others, and kept without their trees. */
export function createFollower(resolver: Resolver, home: SourceFile): Follower {
  const graphOf = createGraphs(resolver);
  const followIn = createBoundedFollow(() => followContext);
  const summaries = createSummaries(({ node, file }, driver, initial) => {
    const graph = graphOf(node, file);
    const acquisition: Acquisition = { call: node, style: 'lent', driver, poolText: '' };
    const options = { initial, mostStates: maximalStates };
    return graph === null
      ? undefined
      : followCheckout(acquisition, graph, file, followContext, options);
  });
  const followContext: FollowContext = {
    resolver,
    summaries,
    statementsSent: (call, file, driver, isClient) =>
      statementsSent(call, file, resolver, driver, isClient),
  };
  const follow = createFollowOnce(graphOf, followIn);
  const wrapperResultsHere = createWrapperTable((fn) => {
    const { node, file } = fn;
    const wanted = callsParameter(node, file, resolver) ? 'all' : returnedCalls(node, file);
    const inside = checkoutsBelow(node, file, wanted);
    return {
      given: wrapperResultOf(fn, inside, resolver),
      lends: unlike([
        ...lendingsIn(inside, node, file, resolver),
        ...passedOn(node, resolver, file, (each) => lendingsOf(each)),
      ]),
    };
  });
  const wrapperResultsOf = createWrapperResults(resolver, home, wrapperResultsHere);
  const acquireWrappers: AcquireWrappers = { wrapperResultOf: (fn) => wrapperResultsOf(fn).given };
  const lendingsOf = (fn: KnownFunction): readonly CallbackLending[] => wrapperResultsOf(fn).lends;
  const acquiredBelow = (node: Node, file: SourceFile, wanted: Wanted): readonly Checkout[] =>
    findAcquisitions(resolver, acquireWrappers, node, file, wanted).flatMap((acquisition) =>
      follow(acquisition.call, rootOf(acquisition.call, file), acquisition, file),
    );
  const checkoutsBelow = (node: Node, file: SourceFile, wanted: Wanted): readonly Checkout[] => [
    ...acquiredBelow(node, file, wanted),
    ...(typeof wanted === 'string'
      ? followLent(findLentClients(resolver, lendingsOf, node, file), file, follow)
      : []),
  ];
  return {
    checkouts() {
      if (resolver.reader.leadsToCheckout?.(home) === false) return [];
      const acquired = acquiredBelow(home.ast, home, 'kept');
      const lent = findLentClients(resolver, lendingsOf, home.ast, home);
      return [...acquired, ...followLent(lent, home, follow), ...keptHandlesIn(lent, home, follow)];
    },
    wrapperResultsAt(range) {
      const node = functionAt(range, home);
      if (node === undefined) return noWrapperResults;
      return wrapperResultsHere({ kind: 'function', node, file: home });
    },
  };
}

function followLent(
  clients: readonly LentClient[],
  file: SourceFile,
  follow: FollowOnce,
): readonly Checkout[] {
  const byCallback = new Map(clients.toReversed().map((lent) => [lent.callback, lent]));
  return clients
    .filter((lent) => byCallback.get(lent.callback) === lent)
    .flatMap((lent) => follow(lent.callback, lent.callback, lent.acquisition, file, lent));
}

/** The handles that callbacks of a file leave to the code around them. */
function keptHandlesIn(
  lent: readonly LentClient[],
  home: SourceFile,
  follow: FollowOnce,
): readonly Checkout[] {
  return lent
    .flatMap((each) => keptHandle(each, home) ?? [])
    .flatMap((acquisition) =>
      follow(acquisition.call, rootOf(acquisition.call, home), acquisition, home),
    );
}

/** Of the file's own functions at once; of others from what is kept of them. */
function createWrapperResults(
  { reader }: Resolver,
  home: SourceFile,
  wrapperResultsHere: (fn: KnownFunction) => WrapperResults,
): (fn: KnownFunction) => WrapperResults {
  return (fn) => {
    const { path, range } = placeOf(fn);
    return path === home.path || reader.answer === undefined
      ? wrapperResultsHere(fn)
      : reader.answer(path, wrapperResultsAt(range), noWrapperResults);
  };
}

function wrapperResultsAt(range: NodePlace['range']): Question<WrapperResults> {
  return {
    text: `${range.join('-')} gifts`,
    find: (reader, file) => followerOf(resolverOf(reader, file), file).wrapperResultsAt(range),
    isSame: isAlike,
    family: wrapperResults,
  };
}

// A cache, keyed by what it belongs to: it holds nothing of its own.
const followers = new WeakMap<Resolver, Follower>();

function followerOf(resolver: Resolver, home: SourceFile): Follower {
  const follower = followers.get(resolver) ?? createFollower(resolver, home);
  followers.set(resolver, follower);
  return follower;
}

const wrapperResults: Family<WrapperResults> = {
  name: 'gifts',
  membersIn: (_, file) => functionsIn(file).map((fn) => wrapperResultsAt(fn.range)),
};

function functionsIn(file: SourceFile): readonly FunctionNode[] {
  const found: FunctionNode[] = [];
  walk(file, file.ast, (node) => {
    if (isFunction(node)) found.push(node);
    return true;
  });
  return found;
}

/** So much is done for an answer that it takes hundreds to be too much. */
const workOfAnswer = 500;

/** What functions give and lend: where they call each other, when nothing is added any more, whoever is asked first. */
function createWrapperTable(
  find: (fn: KnownFunction) => WrapperResults,
): (fn: KnownFunction) => WrapperResults {
  const rowOf = createInterner();
  const table = createTable<KnownFunction, WrapperResults>({
    least: noWrapperResults,
    unknown: unsettled,
    includes: (more, fewer) =>
      (fewer.given === undefined || isAlike(more.given, fewer.given)) &&
      fewer.lends.every((each) => more.lends.some((other) => isAlike(each, other))),
    solve: (fn) => ({ answer: find(fn), work: workOfAnswer }),
  });
  return (fn) => table(rowOf([fn.node]), fn);
}

function unlike<Each>(all: readonly Each[]): readonly Each[] {
  return all.filter((each, index) => all.findIndex((other) => isAlike(each, other)) === index);
}

/** Nodes and rows of libraries are equal to themselves; all else is compared part by part. */
function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other) || 'type' in one || 'module' in one) return false;
  if (one instanceof Map && other instanceof Map) return isAlike([...one], [...other]);
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, part]) => isAlike(part, (other as Record<string, unknown>)[key]))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function functionAt([start, end]: NodePlace['range'], file: SourceFile): FunctionNode | undefined {
  let found: FunctionNode | undefined;
  walk(file, file.ast, (node) => {
    if (isFunction(node) && node.range[0] === start && node.range[1] === end) found ??= node;
    return found === undefined && node.range[0] <= start && end <= node.range[1];
  });
  return found;
}

type FollowOnce = (
  key: Node,
  root: FunctionNode | TSESTree.Program,
  acquisition: Acquisition,
  file: SourceFile,
  lent?: LentClient,
) => readonly Checkout[];

/** Follows each client once, and again where other things are known of it by now; none where the function around it is too large for a graph. */
function createFollowOnce(
  graphOf: (root: FunctionNode | TSESTree.Program, file: SourceFile) => Graph | null,
  followIn: FollowIn,
): FollowOnce {
  const followed = new Map<Node, { known: unknown; found: readonly Checkout[] }>();
  return (key, root, acquisition, file, lent) => {
    const known = [acquisition, lent?.callbackLending];
    const before = followed.get(key);
    if (before !== undefined && isAlike(before.known, known)) return before.found;
    const graph = graphOf(root, file);
    const initial = lent && ((accessPaths: AccessPaths) => lentFact(lent, accessPaths));
    const found = graph === null ? [] : [followIn(graph, acquisition, file, initial)];
    followed.set(key, { known, found });
    return found;
  };
}

type FollowIn = (
  graph: Graph,
  acquisition: Acquisition,
  file: SourceFile,
  initial?: (accessPaths: AccessPaths) => Fact,
) => Checkout;

/** Follows one client through a graph, with what the ones before it have left of the graph's states. */
function createBoundedFollow(followContext: () => FollowContext): FollowIn {
  const statesLeft = new Map<Graph, number>();
  return (graph, acquisition, file, initial) => {
    const left = statesLeft.get(graph) ?? maximalStatesOfGraph;
    const checkout = followCheckout(acquisition, graph, file, followContext(), {
      initial,
      mostStates: Math.min(left, maximalStates),
    });
    statesLeft.set(graph, left - checkout.exploration.states.length);
    return checkout;
  };
}

type GraphOf = (root: FunctionNode | TSESTree.Program, file: SourceFile) => Graph | null;

/** Each function's graph is built once. */
function createGraphs(resolver: Resolver): GraphOf {
  const graphs = new Map<FunctionNode | TSESTree.Program, Graph | null>();
  const semanticsByFile = new Map<SourceFile, ReturnType<typeof createCallSemantics>>();
  return (root, file) => {
    const known = graphs.get(root);
    if (known !== undefined) return known;
    const semantics = semanticsByFile.get(file) ?? createCallSemantics(resolver, file);
    semanticsByFile.set(file, semantics);
    const graph = buildGraph(root, semantics);
    graphs.set(root, graph);
    return graph;
  };
}
