import type { TSESTree } from '@typescript-eslint/types';
import { buildGraph } from '../../flow/build-graph.ts';
import { maximalStates } from '../../flow/explore.ts';
import type { FunctionNode, Graph, Node } from '../../flow/graph.ts';
import { findAcquisitions, type Acquisition } from './acquisitions.ts';
import type { Cells } from './cells.ts';
import { followCheckout, type Checkout, type Surroundings } from './checkout.ts';
import type { Fact } from './facts.ts';
import { createGetters } from './getters.ts';
import { findLentClients, lentFact, lendsIn, passedOn, type Lend } from './lending.ts';
import { createMeaning, rootOf } from './meaning.ts';
import type { Resolver } from '../identity/resolver.ts';
import type { SourceFile } from '../files/source-file.ts';
import { createSummaries, type KnownFunction } from './summaries.ts';

/** Follows the clients of a file, and on demand those of the files that its getters, wrappers and helpers come from. */
export interface Follower {
  checkoutsOf(file: SourceFile): readonly Checkout[];
}

/** All clients of one function together: each is followed through all of it, so hundreds of them would take minutes. Public code needs 8,000 at most (`npm run corpus`); what is beyond is not judged. */
const maximalStatesOfGraph = 100_000;

/** One follower serves one linted file. */
export function createFollower(resolver: Resolver): Follower {
  const graphOf = createGraphs(resolver);
  const followIn = createBoundedFollow(() => surroundings);
  const summaries = createSummaries(({ node, file }, driver, initial) => {
    const graph = graphOf(node, file);
    const acquisition: Acquisition = { call: node, style: 'lent', driver, poolText: '' };
    return graph === null
      ? undefined
      : followCheckout(acquisition, graph, file, surroundings, {
          initial,
          mostStates: maximalStates,
        });
  });
  const surroundings: Surroundings = { resolver, summaries };
  const followed = new Map<Node, Checkout | null>();
  const follow = (
    key: Node,
    root: FunctionNode | TSESTree.Program,
    acquisition: Acquisition,
    file: SourceFile,
    initial?: (cells: Cells) => Fact,
  ): readonly Checkout[] => {
    const before = followed.get(key);
    if (before !== undefined) return before === null ? [] : [before];
    const graph = graphOf(root, file);
    const checkout = graph === null ? null : followIn(graph, acquisition, file, initial);
    followed.set(key, checkout);
    return checkout === null ? [] : [checkout];
  };
  const inside = new Map<Node, readonly Checkout[]>();
  /** Getters and wrappers are asked for while their callers are followed; one that is being followed already has no client yet. */
  const checkoutsInside = (fn: KnownFunction): readonly Checkout[] => {
    const before = inside.get(fn.node);
    if (before !== undefined) return before;
    inside.set(fn.node, []);
    const checkouts = checkoutsBelow(fn.node, fn.file, true);
    inside.set(fn.node, checkouts);
    return checkouts;
  };
  const getters = createGetters(checkoutsInside);
  const lendsOf = (fn: KnownFunction): readonly Lend[] => [
    ...lendsIn(checkoutsInside(fn), fn.node, fn.file),
    ...passedOn(fn.node, resolver, fn.file),
  ];
  const checkoutsBelow = (node: Node, file: SourceFile, isGetter: boolean): readonly Checkout[] => [
    ...findAcquisitions(resolver, getters, node, file, isGetter).flatMap((acquisition) =>
      follow(acquisition.call, rootOf(acquisition.call, file), acquisition, file),
    ),
    ...findLentClients(resolver, lendsOf, node, file).flatMap((lent) =>
      follow(lent.callback, lent.callback, lent.acquisition, file, (cells) =>
        lentFact(lent, cells),
      ),
    ),
  ];
  return {
    checkoutsOf: (file) =>
      resolver.reader.leadsToCheckout?.(file) === false
        ? []
        : checkoutsBelow(file.ast, file, false),
  };
}

type FollowIn = (
  graph: Graph,
  acquisition: Acquisition,
  file: SourceFile,
  initial?: (cells: Cells) => Fact,
) => Checkout;

/** Follows one client through a graph, with what the ones before it have left of the graph's states. */
function createBoundedFollow(surroundings: () => Surroundings): FollowIn {
  const statesLeft = new Map<Graph, number>();
  return (graph, acquisition, file, initial) => {
    const left = statesLeft.get(graph) ?? maximalStatesOfGraph;
    const checkout = followCheckout(acquisition, graph, file, surroundings(), {
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
  const meanings = new Map<SourceFile, ReturnType<typeof createMeaning>>();
  return (root, file) => {
    const known = graphs.get(root);
    if (known !== undefined) return known;
    const meaning = meanings.get(file) ?? createMeaning(resolver, file);
    meanings.set(file, meaning);
    const graph = buildGraph(root, meaning);
    graphs.set(root, graph);
    return graph;
  };
}
