import type { TSESTree } from '@typescript-eslint/types';
import { buildGraph } from '../flow/build-graph.ts';
import type { FunctionNode, Graph } from '../flow/graph.ts';
import { findAcquisitions } from './acquisitions.ts';
import { followCheckout, type Checkout, type Surroundings } from './checkout.ts';
import { createGetters } from './getters.ts';
import { findLentClients, lentFact, lendsIn, passedOn, type Lend } from './lending.ts';
import { createMeaning, rootOf } from './meaning.ts';
import type { Resolver } from './resolver.ts';
import type { SourceFile } from './source-file.ts';
import { createSummaries, type KnownFunction } from './summaries.ts';

/** Follows the clients of a file, and on demand those of the files that its getters, wrappers and helpers come from. */
export interface Follower {
  checkoutsOf(file: SourceFile): readonly Checkout[];
}

/** One follower serves one linted file. */
export function createFollower(resolver: Resolver): Follower {
  const known = new Map<SourceFile, readonly Checkout[]>();
  const graphOf = createGraphs(resolver);
  const summaries = createSummaries(({ node, file }, initial) => {
    const graph = graphOf(node, file);
    return graph === null ? undefined : followCheckout({ call: node, style: 'lent', poolText: '' }, graph, file, surroundings, initial);
  });
  const surroundings: Surroundings = { resolver, summaries };
  const checkoutsOf = (file: SourceFile): readonly Checkout[] => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, []);
    if (!mayCheckOut(file)) return [];
    // A getter may itself call a getter of its file that stands further down, so the file is gone through until nothing is added.
    for (let count = -1; count !== known.get(file)?.length; ) {
      count = known.get(file)?.length ?? 0;
      known.set(file, [...followOwned(file), ...followLent(file)]);
    }
    return known.get(file) ?? [];
  };
  const getters = createGetters(checkoutsOf);
  const lendsOf = (fn: KnownFunction): readonly Lend[] => [...lendsIn(checkoutsOf(fn.file), fn.node, fn.file), ...passedOn(fn.node, resolver, fn.file)];
  const followOwned = (file: SourceFile): readonly Checkout[] =>
    findAcquisitions(resolver, getters, file).flatMap((acquisition) => {
      const graph = graphOf(rootOf(acquisition.call, file), file);
      return graph === null ? [] : [followCheckout(acquisition, graph, file, surroundings)];
    });
  const followLent = (file: SourceFile): readonly Checkout[] =>
    findLentClients(resolver, lendsOf, file).flatMap((lent) => {
      const graph = graphOf(lent.callback, file);
      return graph === null ? [] : [followCheckout(lent.acquisition, graph, file, surroundings, (cells) => lentFact(lent, cells))];
    });
  return { checkoutsOf };
}

/** A cheap look at the text: every checkout has such a word in it, and most files have none. */
function mayCheckOut(file: SourceFile): boolean {
  return /connect|client|pool|transaction/iu.test(file.text);
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
