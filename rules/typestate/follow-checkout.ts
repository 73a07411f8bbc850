import { explore, type Problem, type State } from '../flow/explore.ts';
import { isThrown, type Graph, type Point } from '../flow/graph.ts';
import { surelyReleases } from './known-calls.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import type { Acquisition } from './acquisition.ts';
import { isInGraph } from './outlives.ts';
import type { KnownFunction, Summaries } from './outcome.ts';
import { boundNames } from './bindings.ts';
import type { Checkout, CheckoutContext } from './checkout.ts';
import { createCheckoutLog } from './checkout-log.ts';
import { dependsOn, renamed, type AccessPath } from './access-path.ts';
import { createAccessPaths, type AccessPaths } from './access-paths.ts';
import { factKey, factParts, heldBy, initialFact, isLarge, type Fact } from './facts.ts';
import { narrow, testedPaths } from './narrow.ts';
import { createArguments } from './arguments.ts';
import { createLivenessPruning } from './liveness.ts';
import type { Resolver } from '../values/resolver.ts';
import { findAncestor, unwrap, type SourceFile, type Variable } from '../syntax/source-file.ts';
import { createSessionLog, type StatementsSent } from './session-log.ts';
import { holdsSurely } from './sure-tests.ts';
import { keepsToItself } from './keeping-objects.ts';
import { transfer } from './transfer.ts';

/** What following a client needs of the project around it. */
export interface FollowContext {
  readonly resolver: Resolver;
  readonly summaries: Summaries;
  readonly statementsSent: StatementsSent;
}

export interface Following {
  /** What holds at the entry: a client that the function's caller holds; nothing when not given. */
  readonly initial: ((accessPaths: AccessPaths) => Fact) | undefined;
  readonly mostStates: number;
}

export function followCheckout(
  acquisition: Acquisition,
  graph: Graph,
  file: SourceFile,
  { resolver, summaries, statementsSent }: FollowContext,
  { initial = () => initialFact, mostStates }: Following,
): Checkout {
  const { accessPaths, start } = startOf(acquisition, graph, file, initial);
  const tests = testsByPath(graph, accessPaths);
  const repeated = [...tests].filter(([, nodes]) => nodes.size > 1);
  const session = createSessionLog(file, accessPaths, acquisition.driver, statementsSent);
  const log = createCheckoutLog(session);
  const context: CheckoutContext = {
    file,
    graph,
    acquisition,
    accessPaths,
    tested: new Set(tests.keys()),
    repeated: new Set(repeated.map(([accessPath]) => accessPath)),
    summaries,
    closureOf: (node) => localFunction(node, resolver, file),
    functionAt: (node) => functionNamed(node, resolver, file),
    isMissing: (imported) =>
      imported.type === 'ImportDeclaration' &&
      imported.source.value.startsWith('.') &&
      resolver.reader.read(imported.source.value, file) === undefined,
    session,
    ...questionsOf(acquisition, accessPaths, file, resolver),
    keepsConnection: (argument, fact) =>
      !acquisition.driver.closesByArgument || !destroys(argument, accessPaths, fact),
    log,
  };
  const problem: Problem<Fact> = {
    initial: start,
    keyOf: factKey,
    partsOf: factParts,
    isLarge,
    marks: isRelease,
    forget: createLivenessPruning(graph, accessPaths, context.tested, file),
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
    holdsClient: (node, { fact }) => accessPaths.valueOf(node, fact) === 'client',
    valueOf: (node, fact) => accessPaths.valueOf(node, fact),
    surelyReleases: (call, fact) => !graph.inlined.has(call) && surelyReleases(fact, call, context),
    isDecided: (test) => isDecided(test, context),
    variablesWithClient,
    closureOf: (node) => context.closureOf(node),
  };
}

/** What holds at the entry, and access paths that know the constants given with it. */
function startOf(
  acquisition: Acquisition,
  graph: Graph,
  file: SourceFile,
  initial: (accessPaths: AccessPaths) => Fact,
): { readonly accessPaths: AccessPaths; readonly start: Fact } {
  let start = initialFact;
  const accessPaths: AccessPaths = createAccessPaths(
    file,
    acquisition,
    createArguments(graph, file, (param) => heldBy(start, accessPaths.accessPathOf(param))),
  );
  start = initial(accessPaths);
  return { accessPaths, start };
}

function variablesWithClient({ accessPaths }: Fact): readonly Variable[] {
  return accessPaths.flatMap(({ accessPath, value }) =>
    accessPath.kind === 'variable' && value === 'client' ? accessPath.variable : [],
  );
}

function isRelease(before: Fact, after: Fact): boolean {
  return before.status !== 'released' && after.status === 'released';
}

/** What the project around answers of the client and its pool. */
function questionsOf(
  acquisition: Acquisition,
  accessPaths: AccessPaths,
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
        (node) => accessPaths.valueOf(node, fact) === 'client',
      ),
  };
}

/** Anything may be truthy, except what is plainly not. */
function destroys(argument: Node | null, accessPaths: AccessPaths, fact: Fact): boolean {
  if (argument === null) return false;
  const value = accessPaths.valueOf(argument, fact);
  return value !== 'null' && value !== 'false' && value !== 'nothing';
}

/** The tests in which each access path is asked, by access path; what a tested variable is computed from is asked there. */
function testsByPath(
  graph: Graph,
  accessPaths: AccessPaths,
): ReadonlyMap<AccessPath, ReadonlySet<Node>> {
  const tests = new Map<AccessPath, Set<Node>>();
  const note = (test: Node): void => {
    for (const accessPath of testedPaths(test, accessPaths))
      tests.set(accessPath, (tests.get(accessPath) ?? new Set()).add(test));
  };
  graph.points.filter(isTest).forEach(({ node }) => note(node));
  const isTested = (node: Node): boolean => {
    const accessPath = accessPaths.accessPathOf(node);
    return accessPath !== undefined && tests.has(accessPath);
  };
  // A variable is computed before it is tested, so the way back meets each after what is computed from it.
  for (const { kind, node, target } of [...graph.points].reverse()) {
    if (kind !== 'bind' || node === null || target === null) continue;
    const computed = boundNames(node, target).filter(([, name]) => isTested(name));
    computed.forEach(([source]) => note(source));
    for (const [own, given] of renamedMembers(node, target, accessPaths, [...tests.keys()]))
      tests.set(given, new Set([...(tests.get(given) ?? []), ...(tests.get(own) ?? [])]));
  }
  for (const accessPath of tests.keys()) {
    if (accessPath.kind === 'variable' && isSetBehindOurBack(accessPath.variable, graph))
      tests.delete(accessPath);
  }
  return tests;
}

/** Tests with members of a variable that gets the value of another: each with the same test of the other one's. */
function renamedMembers(
  source: Node,
  target: Node,
  accessPaths: AccessPaths,
  tested: readonly AccessPath[],
): readonly (readonly [own: AccessPath, given: AccessPath])[] {
  const [own, given] = [target, source].map((node) =>
    node.type === 'Identifier' ? accessPaths.accessPathOf(node) : undefined,
  );
  if (own === undefined || given === undefined || own === given) return [];
  return tested
    .filter((accessPath) => dependsOn(accessPath, own))
    .map((accessPath) => [accessPath, renamed(accessPath, own, given, accessPaths.intern)]);
}

function isTest(point: Point): point is Point & { node: Node } {
  const { kind, node, edges } = point;
  return (
    node !== null &&
    kind === 'eval' &&
    edges.some(({ when }) => when !== 'next' && when !== 'stopped' && !isThrown(when))
  );
}

function isDecided({ point, fact }: State<Fact>, context: CheckoutContext): boolean {
  if (!isTest(point)) return false;
  const ways = point.edges.filter(({ when }) => narrow(fact, point.node, when, context).length > 0);
  return ways.length === 1;
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
  const abstractValue = resolver.local.abstractValueOf(plain, file);
  return abstractValue?.kind === 'function' && abstractValue.file === file
    ? abstractValue.node
    : null;
}

function functionNamed(
  node: Node,
  resolver: Resolver,
  file: SourceFile,
): KnownFunction | undefined {
  const abstractValue = resolver.abstractValueOf(node, file);
  return abstractValue?.kind === 'function' && !isAbstract(abstractValue.node)
    ? abstractValue
    : undefined;
}

/** A method that does nothing but throw stands for those that override it. */
function isAbstract({ body }: FunctionNode): boolean {
  return body.type === 'BlockStatement' && body.body[0]?.type === 'ThrowStatement';
}
