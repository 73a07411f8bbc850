import type { TSESTree } from '@typescript-eslint/types';
import { explore, type Problem } from '../flow/explore.ts';
import { isThrown, type Graph, type Point } from '../flow/graph.ts';
import { surelyReleases } from './known-calls.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import type { Acquisition } from './acquisition.ts';
import { isInGraph } from './outlives.ts';
import type { KnownFunction, Summaries } from './outcome.ts';
import { boundNames } from './bindings.ts';
import type { Checkout, CheckoutContext } from './checkout.ts';
import { createCheckoutLog } from './checkout-log.ts';
import { dependsOn, renamed, type Cell } from './cell.ts';
import { createCells, type Cells } from './cells.ts';
import { factKey, factParts, initialFact, isLarge, type Fact } from './facts.ts';
import { testedCells } from './narrow.ts';
import { createForgetting } from './liveness.ts';
import type { Resolver } from '../values/resolver.ts';
import { findAncestor, unwrap, type SourceFile, type Variable } from '../syntax/source-file.ts';
import { createSessionLog, type StatementsSent } from './session-log.ts';
import { holdsSurely } from './sure-tests.ts';
import { keepsToItself } from './keeping-objects.ts';
import { transfer } from './transfer.ts';

/** What following a client needs of the project around it. */
export interface Surroundings {
  readonly resolver: Resolver;
  readonly summaries: Summaries;
  readonly statementsSent: StatementsSent;
}

export interface Following {
  /** What holds at the entry: a client that the function's caller holds; nothing when not given. */
  readonly initial: ((cells: Cells) => Fact) | undefined;
  readonly mostStates: number;
}

export function followCheckout(
  acquisition: Acquisition,
  graph: Graph,
  file: SourceFile,
  { resolver, summaries, statementsSent }: Surroundings,
  { initial = () => initialFact, mostStates }: Following,
): Checkout {
  const cells = createCells(file, acquisition);
  const tests = testsByCell(graph, cells);
  const session = createSessionLog(file, cells, acquisition.driver, statementsSent);
  const callees = new Map<TSESTree.CallExpression, KnownFunction | undefined>();
  const log = createCheckoutLog(session);
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
    session,
    ...questionsOf(acquisition, cells, file, resolver),
    keepsConnection: (argument, fact) =>
      !acquisition.driver.closesByArgument || !destroys(argument, cells, fact),
    log,
  };
  const problem: Problem<Fact> = {
    initial: initial(cells),
    keyOf: factKey,
    partsOf: factParts,
    isLarge,
    forget: createForgetting(graph, cells, context.tested, file),
    transfer: (fact, point, edge) => transfer(fact, point, edge, context),
  };
  const exploration = explore(graph, problem, mostStates);
  return {
    acquisition,
    graph,
    exploration,
    session,
    ...log.record,
    mayKeepConnection: log.record.keptSites.size > 0,
    releases: log.record.releaseSites.size,
    holdsClient: (node, { fact }) => cells.valueOf(node, fact) === 'client',
    valueOf: (node, fact) => cells.valueOf(node, fact),
    surelyReleases: (call, fact) => !graph.inlined.has(call) && surelyReleases(fact, call, context),
    variablesWithClient: (fact) =>
      fact.cells.flatMap(({ cell, value }) =>
        cell.kind === 'variable' && value === 'client' ? cell.variable : [],
      ),
    closureOf: (node) => context.closureOf(node),
  };
}

/** What the project around answers of the client and its pool. */
function questionsOf(
  acquisition: Acquisition,
  cells: Cells,
  file: SourceFile,
  resolver: Resolver,
): Pick<CheckoutContext, 'keepsToItself' | 'holdsSurely'> {
  return {
    keepsToItself: (made, index) => keepsToItself(made, index, file, resolver),
    holdsSurely: (test, fact) =>
      holdsSurely(
        test,
        acquisition,
        file,
        resolver,
        (node) => cells.valueOf(node, fact) === 'client',
      ),
  };
}

/** Anything may be truthy, except what is plainly not. */
function destroys(argument: Node | null, cells: Cells, fact: Fact): boolean {
  if (argument === null) return false;
  const value = cells.valueOf(argument, fact);
  return value !== 'null' && value !== 'false' && value !== 'nothing';
}

/** The tests in which each cell is asked, by cell; what a tested variable is computed from is asked there. */
function testsByCell(graph: Graph, cells: Cells): ReadonlyMap<Cell, ReadonlySet<Node>> {
  const tests = new Map<Cell, Set<Node>>();
  const note = (test: Node): void => {
    for (const cell of testedCells(test, cells))
      tests.set(cell, (tests.get(cell) ?? new Set()).add(test));
  };
  graph.points.filter(isTest).forEach(({ node }) => note(node));
  // A variable is computed before it is tested, so the way back meets each after what is computed from it.
  for (const { kind, node, target } of [...graph.points].reverse()) {
    if (kind !== 'bind' || node === null || target === null) continue;
    const computed = boundNames(node, target).filter(([, name]) => {
      const cell = cells.cellOf(name);
      return cell !== undefined && tests.has(cell);
    });
    computed.forEach(([source]) => note(source));
    for (const [own, given] of renamedMembers(node, target, cells, [...tests.keys()]))
      tests.set(given, new Set([...(tests.get(given) ?? []), ...(tests.get(own) ?? [])]));
  }
  for (const cell of tests.keys()) {
    if (cell.kind === 'variable' && isSetBehindOurBack(cell.variable, graph)) tests.delete(cell);
  }
  return tests;
}

/** Tests with members of a variable that gets the value of another: each with the same test of the other one's. */
function renamedMembers(
  source: Node,
  target: Node,
  cells: Cells,
  tested: readonly Cell[],
): readonly (readonly [own: Cell, given: Cell])[] {
  const [own, given] = [target, source].map((node) =>
    node.type === 'Identifier' ? cells.cellOf(node) : undefined,
  );
  if (own === undefined || given === undefined || own === given) return [];
  return tested
    .filter((cell) => dependsOn(cell, own))
    .map((cell) => [cell, renamed(cell, own, given, cells.intern)]);
}

function isTest(point: Point): point is Point & { node: Node } {
  const { kind, node, edges } = point;
  return (
    node !== null &&
    kind === 'eval' &&
    edges.some(({ when }) => when !== 'next' && when !== 'stopped' && !isThrown(when))
  );
}

/** A variable of this function that an inner function sets whose body is not part of the graph: a flag of an event handler. What stands where control never comes sets nothing. */
function isSetBehindOurBack(variable: Variable, graph: Graph): boolean {
  const declared = variable.identifiers[0]?.range;
  if (
    declared === undefined ||
    declared[0] < graph.root.range[0] ||
    declared[1] > graph.root.range[1]
  )
    return false;
  const strays = variable.references.filter(
    (each) =>
      each.isWrite() && each.init !== true && !isInGraph(each.identifier as unknown as Node, graph),
  );
  return strays.some(({ identifier }) => isReached(identifier as unknown as Node, graph));
}

/** True below a function that is declared, or whose value is made at some point of the graph. */
function isReached(node: Node, graph: Graph): boolean {
  const fn = findAncestor(
    node,
    (each): each is FunctionNode => isFunction(each) && !graph.bodies.has(each),
  );
  return fn?.type === 'FunctionDeclaration' || graph.points.some((point) => point.node === fn);
}

function localFunction(node: Node, resolver: Resolver, file: SourceFile): FunctionNode | null {
  const plain = unwrap(node);
  if (plain.type !== 'Identifier') return null;
  const entity = resolver.local.entityOf(plain, file);
  return entity?.kind === 'function' && entity.file === file ? entity.node : null;
}

function calledFunction(
  call: TSESTree.CallExpression,
  resolver: Resolver,
  file: SourceFile,
): KnownFunction | undefined {
  const entity = resolver.entityOf(call.callee, file);
  return entity?.kind === 'function' && !isAbstract(entity.node) ? entity : undefined;
}

/** A method that does nothing but throw stands for those that override it. */
function isAbstract({ body }: FunctionNode): boolean {
  return body.type === 'BlockStatement' && body.body[0]?.type === 'ThrowStatement';
}
