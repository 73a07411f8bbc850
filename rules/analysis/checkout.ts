import type { TSESTree } from '@typescript-eslint/types';
import { explore, type Exploration, type State } from '../flow/explore.ts';
import { isThrown, type FunctionNode, type Graph, type Node, type Point } from '../flow/graph.ts';
import type { SessionEffect, StatementKind } from '../model/sql.ts';
import type { Acquisition } from './acquisitions.ts';
import { boundNames, isInGraph } from './bindings.ts';
import { createCells, type Cells } from './cells.ts';
import { factKey, initialFact, type Fact, type Value } from './facts.ts';
import { testedCells } from './narrow.ts';
import type { Resolver } from './resolver.ts';
import { unwrap, type SourceFile, type Variable } from './source-file.ts';
import { statementsIn } from './statements.ts';
import type { KnownFunction, Summaries } from './summaries.ts';
import { transfer } from './transfer.ts';

/** What the transfer needs to know of one acquisition and its graph. */
export interface CheckoutContext {
  readonly file: SourceFile;
  readonly graph: Graph;
  readonly acquisition: Acquisition;
  readonly cells: Cells;
  /** Cells that some branch depends on. */
  readonly tested: ReadonlySet<string>;
  /** Cells that several branches depend on, so that what one says tells how another comes out. */
  readonly repeated: ReadonlySet<string>;
  readonly summaries: Summaries;
  /** The function of this file that an expression names. */
  closureOf(node: Node): FunctionNode | null;
  /** The function that a call calls, of this file or another. */
  calleeOf(call: TSESTree.CallExpression): KnownFunction | undefined;
  statementsOf(call: TSESTree.CallExpression): readonly StatementKind[];
  /** A number for a call that leaves session state, to be kept in facts. `effects` when it is not the text of a query that says which. */
  siteOf(call: TSESTree.CallExpression, effects?: readonly SessionEffect[]): number;
  effectsAt(site: number): readonly SessionEffect[];
  onRelease(fact: Fact, site: Node, argument: Node | null): void;
}

/** One acquisition with everything that can become of its client. */
export interface Checkout {
  readonly acquisition: Acquisition;
  readonly graph: Graph;
  readonly exploration: Exploration<Fact>;
  /** The query calls whose session state was on the client at a release that keeps the connection. */
  readonly dirtyReleases: ReadonlyMap<TSESTree.CallExpression, Node>;
  /** The number of releases seen on any path. */
  readonly releases: number;
  holdsClient(node: Node, state: State<Fact>): boolean;
  /** What an expression evaluates to in a fact that holds right after it. */
  valueOf(node: Node, fact: Fact): Value | undefined;
  /** The function of this file that an expression names. */
  closureOf(node: Node): FunctionNode | null;
  /** The session state that is on the client. */
  effectsLeft(fact: Fact): readonly SessionEffect[];
}

/** A function that lends its client and releases it nowhere may have found it a new owner: nothing is said of it. */
export function isAnswerable({ acquisition, exploration, releases }: Checkout): boolean {
  return exploration.isComplete && (acquisition.style === 'lent' || releases > 0 || !exploration.states.some(({ fact }) => fact.wasLent));
}

/** What following a client needs of the project around it. */
export interface Surroundings {
  readonly resolver: Resolver;
  readonly summaries: Summaries;
}

/** `initial` is what holds at the entry: nothing, or a client that the function's caller holds. */
export function followCheckout(acquisition: Acquisition, graph: Graph, file: SourceFile, { resolver, summaries }: Surroundings, initial: (cells: Cells) => Fact = () => initialFact): Checkout {
  const cells = createCells(file, acquisition);
  const tests = testsByCell(graph, cells);
  const sites: TSESTree.CallExpression[] = [];
  const effects = new Map<TSESTree.CallExpression, readonly SessionEffect[]>();
  const callees = new Map<TSESTree.CallExpression, KnownFunction | undefined>();
  const statements = new Map<TSESTree.CallExpression, readonly StatementKind[]>();
  const dirtyReleases = new Map<TSESTree.CallExpression, Node>();
  const releaseSites = new Set<Node>();
  const context: CheckoutContext = {
    file,
    graph,
    acquisition,
    cells,
    tested: new Set(tests.keys()),
    repeated: new Set([...tests].filter(([, nodes]) => nodes.size > 1).map(([cell]) => cell)),
    summaries,
    closureOf: (node) => localFunction(node, resolver, file),
    calleeOf(call) {
      if (!callees.has(call)) callees.set(call, calledFunction(call, resolver, file));
      return callees.get(call);
    },
    statementsOf(call) {
      const known = statements.get(call) ?? statementsIn(call, file);
      statements.set(call, known);
      return known;
    },
    siteOf(call, known) {
      if (!sites.includes(call)) sites.push(call);
      if (known !== undefined) effects.set(call, known);
      return sites.indexOf(call);
    },
    effectsAt(site) {
      const call = sites[site];
      return call === undefined ? [] : (effects.get(call) ?? context.statementsOf(call).flatMap(({ effect }) => effect ?? []));
    },
    onRelease(fact, site, argument) {
      releaseSites.add(site);
      if (destroys(argument, cells, fact)) return;
      for (const each of fact.dirty) {
        const call = sites[each];
        if (call !== undefined && !dirtyReleases.has(call)) dirtyReleases.set(call, site);
      }
    },
  };
  const exploration = explore(graph, { initial: initial(cells), keyOf: factKey, transfer: (fact, point, edge) => transfer(fact, point, edge, context) });
  return {
    acquisition,
    graph,
    exploration,
    dirtyReleases,
    releases: releaseSites.size,
    holdsClient: (node, { fact }) => cells.valueOf(node, fact) === 'client',
    valueOf: (node, fact) => cells.valueOf(node, fact),
    closureOf: (node) => context.closureOf(node),
    effectsLeft: ({ dirty }) => dirty.flatMap((site) => context.effectsAt(site)),
  };
}

/** Anything may be truthy, except what is plainly not. */
function destroys(argument: Node | null, cells: Cells, fact: Fact): boolean {
  if (argument === null) return false;
  const value = cells.valueOf(argument, fact);
  return value !== 'null' && value !== 'false' && value !== 'nothing';
}

/** The tests in which each cell is asked, by cell; what a tested variable is computed from is asked there. */
function testsByCell(graph: Graph, cells: Cells): ReadonlyMap<string, ReadonlySet<Node>> {
  const tests = new Map<string, Set<Node>>();
  const note = (test: Node): void => {
    for (const cell of testedCells(test, cells)) tests.set(cell, (tests.get(cell) ?? new Set()).add(test));
  };
  graph.points.filter(isTest).forEach(({ node }) => note(node));
  // A variable is computed before it is tested, so the way back meets each after what is computed from it.
  for (const { kind, node, target } of [...graph.points].reverse()) {
    if (kind !== 'bind' || node === null || target === null) continue;
    const computed = boundNames(node, target).filter(([, name]) => tests.has(cells.cellOf(name) ?? ''));
    computed.forEach(([source]) => note(source));
  }
  for (const cell of tests.keys()) {
    if (isSetBehindOurBack(cells.variableOf(cell), graph)) tests.delete(cell);
  }
  return tests;
}

function isTest(point: Point): point is Point & { node: Node } {
  const { kind, node, edges } = point;
  return node !== null && kind === 'eval' && edges.some(({ when }) => when !== 'next' && when !== 'stopped' && !isThrown(when));
}

/** A variable of this function that an inner function sets whose body is not part of the graph: a flag of an event handler. */
function isSetBehindOurBack(variable: Variable | undefined, graph: Graph): boolean {
  const declared = variable?.identifiers[0]?.range;
  if (variable === undefined || declared === undefined || declared[0] < graph.root.range[0] || declared[1] > graph.root.range[1]) return false;
  return variable.references.some((each) => each.isWrite() && each.init !== true && !isInGraph(each.identifier as unknown as Node, graph));
}

function localFunction(node: Node, resolver: Resolver, file: SourceFile): FunctionNode | null {
  const plain = unwrap(node);
  if (plain.type !== 'Identifier') return null;
  const entity = resolver.entityOf(plain, file);
  return entity?.kind === 'function' && entity.file === file ? entity.node : null;
}

function calledFunction(call: TSESTree.CallExpression, resolver: Resolver, file: SourceFile): KnownFunction | undefined {
  const entity = resolver.entityOf(call.callee, file);
  return entity?.kind === 'function' && !isAbstract(entity.node) ? entity : undefined;
}

/** A method that does nothing but throw stands for those that override it. */
function isAbstract({ body }: FunctionNode): boolean {
  return body.type === 'BlockStatement' && body.body[0]?.type === 'ThrowStatement';
}
