import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { isKeptElsewhere } from './acquisition.ts';
import { dependsOn, renamed, type AccessPath } from './access-path.ts';
import { markOf } from './access-paths.ts';
import type { CheckoutContext } from './checkout.ts';
import { escape, heldBy, isOurs, withAccessPath, type Fact, type Value } from './facts.ts';
import { assume, testedPaths } from './narrow.ts';
import { outlivesFunction } from './outlives.ts';
import { unpack } from './containers.ts';
import { membersWritten, type LocalObject } from './local-objects.ts';
import { isSomethingElse } from './returned.ts';
import { keyName, parentOf, unwrap } from '../syntax/source-file.ts';

/** `target` gets the value of `source`: several facts where the value is a test that has not been made yet. */
export function bind(
  fact: Fact,
  target: Node,
  source: Node | null,
  context: CheckoutContext,
): readonly Fact[] {
  const value = settledValue(fact, source, context);
  const pattern = unwrap(target.type === 'AssignmentPattern' ? target.left : target);
  const marked = bindMark(fact, pattern, value, context);
  if (marked !== undefined) return [marked];
  if (value === 'container')
    return [isDisposedOf(pattern) ? escape(fact) : unpack(fact, pattern, context)];
  if (pattern.type === 'ObjectPattern') return takeApart(fact, pattern, source, context);
  const accessPath = context.accessPaths.accessPathOf(pattern);
  if (isOurs(value)) return [bindOurs(fact, pattern, accessPath, value, context)];
  if (accessPath === undefined) return [fact];
  const isWorthKeeping = isAskedAgain(accessPath, pattern, source, context);
  const known =
    isWorthKeeping && value === undefined && source !== null
      ? outcomesOf(fact, source, context)
      : [[fact, value] as const];
  return known.map(([each, outcome]) =>
    withMembers(
      withAccessPath(
        forgetDependents(each, accessPath),
        accessPath,
        isWorthKeeping ? (outcome ?? returnedBesideNothing(pattern, source, context)) : undefined,
      ),
      accessPath,
      source,
      context,
    ),
  );
}

/** What a function in the graph gives back where it gives back null elsewhere. */
function returnedBesideNothing(
  target: Node,
  source: Node | null,
  { file }: CheckoutContext,
): Value | undefined {
  return target.type === 'CallExpression' && source !== null && isSomethingElse(source, file)
    ? 'some'
    : undefined;
}

/** Tests or waits behind this ask what the access path holds. */
function isAskedAgain(
  accessPath: AccessPath,
  pattern: Node,
  source: Node | null,
  context: CheckoutContext,
): boolean {
  return (
    pattern.type === 'CallExpression' ||
    context.tested.has(accessPath) ||
    (source !== null && isOfRace(source, context))
  );
}

/** What the race gave, or its promise: what another one gave or failed with is told by each use of it. */
function isOfRace(source: Node, { acquisition: { raced } }: CheckoutContext): boolean {
  const plain = unwrap(source);
  return (
    raced !== undefined &&
    (plain.type === 'AwaitExpression' ? unwrap(plain.argument) : plain) === raced.call
  );
}

/** What is known of the members of a variable, and of tests with it, is known under the name of a parameter that gets it, too. */
function withMembers(
  fact: Fact,
  accessPath: AccessPath,
  source: Node | null,
  { accessPaths, tested }: CheckoutContext,
): Fact {
  const given =
    source === null || unwrap(source).type !== 'Identifier'
      ? undefined
      : accessPaths.accessPathOf(source);
  if (given === undefined || given === accessPath) return fact;
  const members = fact.accessPaths.filter((each) => dependsOn(each.accessPath, given));
  return members.reduce((before, { accessPath: member, value }) => {
    const own = renamed(member, given, accessPath, accessPaths.intern);
    return tested.has(own) ? withAccessPath(before, own, value) : before;
  }, fact);
}

/** `client.inTransaction = true`, `client.done = done` */
function bindMark(
  fact: Fact,
  pattern: Node,
  value: Value | undefined,
  { acquisition: { driver }, accessPaths }: CheckoutContext,
): Fact | undefined {
  const mark =
    pattern.type === 'MemberExpression'
      ? markOf(pattern, driver, (operand) => accessPaths.valueOf(operand, fact), accessPaths.intern)
      : undefined;
  return mark === undefined
    ? undefined
    : withAccessPath(fact, mark, isOurs(value) && value !== 'release' ? 'any' : (value ?? 'any'));
}

/** What a value is once its promise has settled. */
export function settledValue(
  fact: Fact,
  source: Node | null,
  context: CheckoutContext,
): Value | undefined {
  const value = source === null ? 'null' : context.accessPaths.valueOf(source, fact);
  if (value === 'fulfilled' || value === 'rejected') return value;
  // What a `then` handler gets, or what a chain passes on, has settled.
  if (value !== 'promise' || fact.status !== 'held') return value;
  if (isKeptElsewhere(context.acquisition)) return undefined;
  return context.acquisition.shape === undefined ? 'client' : 'container';
}

function bindOurs(
  fact: Fact,
  target: Node,
  accessPath: AccessPath | undefined,
  value: Value | undefined,
  context: CheckoutContext,
): Fact {
  const { disposal } = context.acquisition.driver;
  if (accessPath === undefined || (isDisposedOf(target) && disposal === undefined))
    return escape(fact);
  if (outlivesFunction(target, context) && !isKeptOnClient(target, value, fact, context)) {
    if (value === 'client') context.log.onStore(target);
    return escape(fact);
  }
  return withAccessPath(forgetDependents(fact, accessPath), accessPath, value);
}

/** `using client = …`: whoever made it disposable answers for it. */
function isDisposedOf(target: Node): boolean {
  const declaration = parentOf(parentOf(target) ?? target);
  return (
    declaration?.type === 'VariableDeclaration' &&
    (declaration.kind === 'using' || declaration.kind === 'await using')
  );
}

/** `client.done = done` hands nothing on: whoever gets the client can call it, and nobody else. */
export function isKeptOnClient(
  target: Node | null,
  value: Value | undefined,
  fact: Fact,
  { accessPaths }: CheckoutContext,
): boolean {
  return (
    value === 'release' &&
    target?.type === 'MemberExpression' &&
    accessPaths.valueOf(target.object, fact) === 'client'
  );
}

/** What was known of a variable's members and of tests with it holds no longer once it is set. */
function forgetDependents(fact: Fact, accessPath: AccessPath): Fact {
  const accessPaths = fact.accessPaths.filter((each) => !dependsOn(each.accessPath, accessPath));
  return accessPaths.length === fact.accessPaths.length ? fact : { ...fact, accessPaths };
}

const tests: ReadonlySet<string> = new Set([
  'UnaryExpression',
  'BinaryExpression',
  'CallExpression',
]);

/** Both outcomes of `const owns = !given` and `given ? false : true`, each with what it says of `given`, where other tests ask for that. */
function outcomesOf(
  fact: Fact,
  source: Node,
  context: CheckoutContext,
): readonly (readonly [Fact, Value | undefined])[] {
  const plain = unwrap(source);
  const value = context.accessPaths.valueOf(plain, fact);
  if (value !== undefined) return [[fact, value]];
  const test = plain.type === 'ConditionalExpression' ? plain.test : plain;
  const isUnknown = !testedPaths(test, context.accessPaths).some(
    (accessPath) => context.repeated.has(accessPath) || heldBy(fact, accessPath) !== undefined,
  );
  if (isUnknown) return [[fact, undefined]];
  return [true, false].flatMap((outcome) =>
    assume(fact, test, outcome, context).flatMap((each) =>
      plain.type === 'ConditionalExpression'
        ? outcomesOf(each, outcome ? plain.consequent : plain.alternate, context)
        : [[each, valueOfOutcome(plain, outcome)] as const],
    ),
  );
}

function valueOfOutcome(test: Node, outcome: boolean): Value {
  if (tests.has(test.type)) return `${outcome}`;
  return outcome ? 'some' : 'nothing';
}

/** The names that a target binds, each with what it gets. */
export function boundNames(
  source: Node,
  target: Node,
): readonly (readonly [source: Node, name: Node])[] {
  if (target.type !== 'ObjectPattern') return [[source, target]];
  return target.properties.flatMap((property) =>
    property.type === 'Property' && property.value.type === 'Identifier'
      ? [[property, property.value] as const]
      : [],
  );
}

/** `{ client, depth = 0 }`, given `{ client: other }`: each name gets what is written there, or its default. */
function bindMembers(
  fact: Fact,
  { properties }: TSESTree.ObjectPattern,
  written: LocalObject,
  context: CheckoutContext,
): readonly Fact[] {
  let facts: readonly Fact[] = [fact];
  for (const property of properties) {
    if (property.type !== 'Property') continue;
    const { value: target } = property;
    const given = written.get(keyName(property.key, property.computed) ?? '');
    const source = given ?? (target.type === 'AssignmentPattern' ? target.right : null);
    facts = facts.flatMap((each) => bind(each, target, source, context));
  }
  return facts;
}

function takeApart(
  fact: Fact,
  pattern: TSESTree.ObjectPattern,
  source: Node | null,
  context: CheckoutContext,
): readonly Fact[] {
  const written = source === null ? undefined : membersWritten(source);
  if (written !== undefined && pattern.properties.every(({ type }) => type === 'Property'))
    return bindMembers(fact, pattern, written, context);
  const value = settledValue(fact, source, context);
  if (value === 'collection' || value === 'promise') return [escape(fact)];
  let facts: readonly Fact[] = [fact];
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || property.value.type !== 'Identifier') continue;
    const { value: target } = property;
    const isRelease =
      value === 'client' &&
      context.acquisition.driver.releases.includes(keyName(property.key, property.computed) ?? '');
    facts = facts.flatMap((each) =>
      isRelease
        ? [bindOurs(each, target, context.accessPaths.accessPathOf(target), 'release', context)]
        : bind(each, target, property, context),
    );
  }
  return facts;
}
