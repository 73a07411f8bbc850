import { transactionStep } from '../model/protocols.ts';
import type { Sent } from '../typestate/session-log.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { createEffects, type Effect, type EffectsOf } from './effects.ts';
import type { Driver } from '../model/drivers.ts';
import { lastingKind, statementKinds, type StatementKind } from '../model/sql.ts';
import { isQuery } from '../syntax/calls.ts';
import type { Resolver } from '../values/resolver.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { nothingGiven, type GivenList, type GivenTexts } from '../values/texts/known-texts.ts';
import { holeFor, type Text } from '../values/texts/text.ts';
import { elementsIn } from '../values/texts/text-lists.ts';
import { mayWriteTellingStatement, tellingTexts } from '../values/texts/session-texts.ts';
import { statementsIn } from '../values/texts/statements.ts';

/** A query inside of a function that is given the client, or the text. */
interface Statement extends Effect {
  readonly node: CallNode;
  readonly kinds: readonly StatementKind[];
  /** Whether it leaves something behind. */
  readonly lasts: boolean;
  /** The function that it stands in. */
  readonly fn: FunctionNode;
}

/** What the parameters of a function are: the client or pool in question, or known texts. */
interface Given {
  readonly subjects: ReadonlySet<Variable>;
  readonly texts: GivenTexts;
}

const statementsInside: EffectsOf<Statement, Given> = createEffects({
  effectsIn: sentIn,
  partsOf: ({ subjects, texts }) => [
    ...subjects,
    ...[...texts].flatMap(([variable, given]) => [
      variable,
      ...('list' in given ? given.list.flatMap(partsOfText) : partsOfText(given)),
    ]),
  ],
  // A helper that is called twice sends twice.
  identityOf: ({ via, node, kinds }) => [
    ...via.map(({ callee }) => callee),
    node,
    ...kinds.map(({ undoes }) => undoes.join(' ')),
  ],
});

function partsOfText({ pieces, isAltered, isFragment }: Text): readonly unknown[] {
  const parts = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.expression));
  return [isAltered, isFragment, ...parts];
}

/** What a call sends over a client: as a query of its own, or inside of a helper that is given the client. Undefined when the client has no part in it. */
export function statementsSent(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
  driver: Driver,
  isClient: (node: Node) => boolean,
): Sent | undefined {
  const step =
    call.callee.type === 'MemberExpression'
      ? transactionStep(driver, memberName(call.callee))
      : undefined;
  if (step !== undefined && call.callee.type === 'MemberExpression' && isClient(call.callee.object))
    return { kinds: statementKinds(step), source: undefined };
  if (isQuery(call))
    return isClient(call.callee.object)
      ? { kinds: statementsIn(call, file, resolver), source: undefined }
      : undefined;
  const isGiven = call.arguments.some(
    (argument) => isClient(argument) || hasClient(argument, isClient),
  );
  if (!isGiven && !mayCapture(call, file)) return undefined;
  const sent = statementsThrough(call, file, resolver, isClient);
  return isGiven || sent.kinds.length > 0 ? sent : undefined;
}

/** `run(text)`, where `run` stands in the function that holds the client. */
function mayCapture({ callee }: CallNode, file: SourceFile): boolean {
  const variable = variableOf(file, callee);
  return (
    variable !== undefined &&
    variable.scope.type !== 'module' &&
    variable.scope.type !== 'global' &&
    mayWriteTellingStatement(file)
  );
}

/** `{ client, id }` */
function hasClient(argument: Node, isClient: (node: Node) => boolean): boolean {
  return (
    argument.type === 'ObjectExpression' &&
    argument.properties.some((property) => property.type === 'Property' && isClient(property.value))
  );
}

/** Statements of the function that `call` names. `isSubject` tells which arguments are the client or pool in question. */
export function statementsThrough(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
  isSubject: (argument: Node) => boolean,
): Sent {
  const place: Place = { file, resolver, given: nothingGiven, isSubject };
  const sent = through(call, place) ?? [];
  const source = sent.find(({ lasts }) => lasts);
  return {
    kinds: sent.flatMap(({ kinds }) => kinds),
    source: source && { query: source.node, fn: source.fn, file: source.file },
  };
}

interface Place {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly given: GivenTexts;
  isSubject(argument: Node): boolean;
}

function through(call: CallNode, place: Place): readonly Statement[] | undefined {
  const abstractValue = place.resolver.abstractValueOf(call.callee, place.file);
  if (abstractValue?.kind !== 'function') return [];
  const subjects = new Set<Variable>();
  const texts = new Map<Variable, Text | GivenList>();
  paramsOf(abstractValue.node).forEach((param, index) => {
    const argument = call.arguments[index];
    if (argument !== undefined) bind(param, argument, abstractValue.file, place, subjects, texts);
  });
  if (abstractValue.file === place.file && mayCapture(call, place.file))
    captured(abstractValue.node, place).forEach((variable) => subjects.add(variable));
  return subjects.size === 0 && texts.size === 0
    ? []
    : statementsInside(abstractValue, call.callee, place, { subjects, texts });
}

// A cache, keyed by function: it holds nothing of its own.
const referencesByFunction = new WeakMap<FunctionNode, readonly Node[]>();

/** What a function calls, asks and passes on of the variables around it. */
function referencesIn(fn: FunctionNode, file: SourceFile): readonly Node[] {
  const known = referencesByFunction.get(fn);
  if (known !== undefined) return known;
  const found = new Map<Variable, Node>();
  walk(file, fn.body, (node) => {
    if (node.type !== 'CallExpression') return true;
    const asked = isQuery(node) ? node.callee.object : node.callee;
    for (const each of [asked, ...node.arguments].map(unwrap)) {
      const variable = variableOf(file, each);
      if (variable !== undefined && !contains(fn, variable.scope.block as unknown as Node))
        found.set(variable, each);
    }
    return true;
  });
  referencesByFunction.set(fn, [...found.values()]);
  return [...found.values()];
}

/** The variables with the client or pool in question that a function uses, itself or in the functions around it that it calls. */
function captured(fn: FunctionNode, place: Place): readonly Variable[] {
  const { file, resolver } = place;
  const found: Variable[] = [];
  // The set grows while it is read: it is the worklist.
  const functions = new Set([fn]);
  for (const each of functions) {
    for (const referenced of referencesIn(each, file)) {
      const abstractValue = resolver.local.abstractValueOf(referenced, file);
      if (abstractValue?.kind === 'function' && abstractValue.file === file)
        functions.add(abstractValue.node);
      const variable = variableOf(file, referenced);
      if (variable !== undefined && place.isSubject(referenced)) found.push(variable);
    }
  }
  return found;
}

function isOneOf(node: Node, subjects: ReadonlySet<Variable>, file: SourceFile): boolean {
  const plain = unwrap(node);
  const variable = variableOf(file, plain);
  return variable !== undefined && subjects.has(variable);
}

/** Notes what a parameter stands for: the client, or a text. */
function bind(
  param: Node,
  argument: Node,
  file: SourceFile,
  from: Place,
  subjects: Set<Variable>,
  given: Map<Variable, Text | GivenList>,
): void {
  const pattern = declaredBy(param) ?? param;
  if (pattern.type === 'ObjectPattern' && argument.type === 'ObjectExpression')
    return bindProperties(pattern, argument, file, from, subjects, given);
  const variable = variableOf(file, pattern);
  if (variable === undefined) return;
  if (from.isSubject(argument)) {
    subjects.add(variable);
    return;
  }
  const text = onlyTextOf(argument, from) ?? listOf(argument, from);
  if (text !== undefined) given.set(variable, text);
}

function onlyTextOf(argument: Node, from: Place): Text | undefined {
  const [only, ...others] = tellingTexts(argument, from);
  return others.length === 0 ? only : undefined;
}

/** The texts of a list, those that are not known among them. */
function listOf(argument: Node, from: Place): GivenList | undefined {
  const plain = unwrap(argument);
  const variable = variableOf(from.file, plain);
  const given = variable && from.given.get(variable);
  if (given !== undefined) return 'list' in given ? given : undefined;
  const list = elementsIn(plain, from.file)?.map((each) => onlyTextOf(each, from) ?? holeFor(each));
  return list && { list };
}

function bindProperties(
  pattern: TSESTree.ObjectPattern,
  argument: TSESTree.ObjectExpression,
  file: SourceFile,
  from: Place,
  subjects: Set<Variable>,
  given: Map<Variable, Text | GivenList>,
): void {
  for (const property of pattern.properties) {
    if (property.type !== 'Property') continue;
    const key = keyName(property.key, property.computed);
    const value = argument.properties.find(
      (each) => each.type === 'Property' && keyName(each.key, each.computed) === key,
    );
    if (value?.type === 'Property') bind(property.value, value.value, file, from, subjects, given);
  }
}

/** All statements in the order in which they are written; which of them are sent is not asked. */
function sentIn(
  { node: fn, file }: KnownFunction,
  { subjects, texts }: Given,
  resolver: Resolver,
): readonly Statement[] | undefined {
  const isSubject = (node: Node): boolean => isOneOf(node, subjects, file);
  const place: Place = { file, resolver, given: texts, isSubject };
  const found: Statement[] = [];
  const listened = new Set<string | undefined>();
  let isKnown = true;
  walk(file, fn.body, (node) => {
    if (isFunction(node)) return isRunInPlace(node);
    if (node.type !== 'CallExpression') return true;
    const sent = sentBy(node, fn, place);
    isKnown &&= sent !== undefined;
    const loop = loopedOver(node, fn, file);
    if (sent?.some(listens) === true) listened.add(loop);
    const isWhole = loop === undefined || listened.has(loop);
    found.push(...(isWhole ? (sent ?? []) : (sent ?? []).map(withoutUnlisten)));
    return isKnown;
  });
  return isKnown ? found : undefined;
}

function listens({ kinds }: Statement): boolean {
  return kinds.some(({ effect }) => effect === 'listen');
}

/** What the nearest loop around a call goes through, as the source has it. */
function loopedOver(call: Node, fn: FunctionNode, file: SourceFile): string | undefined {
  for (let up = parentOf(call); up !== undefined && up !== fn; up = parentOf(up)) {
    if (up.type === 'ForOfStatement') return file.text.slice(...up.right.range);
  }
  return undefined;
}

/** `for (const topic of dropped) UNLISTEN topic`: a loop over other topics takes back none of those listened to before. */
function withoutUnlisten(statement: Statement): Statement {
  const kinds = statement.kinds.map((kind) => ({
    ...kind,
    undoes: kind.undoes.filter((effect) => effect !== 'listen'),
  }));
  return { ...statement, kinds };
}

function sentBy(call: CallNode, fn: FunctionNode, place: Place): readonly Statement[] | undefined {
  const { file, resolver, given } = place;
  if (isQuery(call)) {
    const { object } = call.callee;
    if (!place.isSubject(object) && !isPoolWithGivenText(call, object, place)) return [];
    const kinds = statementsIn(call, file, resolver, given);
    return [{ node: call, file, via: [], kinds, lasts: lastingKind(kinds) !== undefined, fn }];
  }
  return call.arguments.some(
    (argument) => place.isSubject(argument) || isGivenText(argument, place),
  )
    ? through(call, place)
    : [];
}

/** What a helper sends to its own pool is its caller's matter only as far as the caller chose the text. */
function isPoolWithGivenText(call: CallNode, receiver: Node, place: Place): boolean {
  return (
    call.arguments[0] !== undefined &&
    isGivenText(call.arguments[0], place) &&
    place.resolver.abstractValueOf(receiver, place.file)?.kind === 'pool'
  );
}

function isGivenText(argument: Node, { given, file }: Place): boolean {
  const plain = unwrap(argument);
  const variable = variableOf(file, plain);
  return variable !== undefined && given.has(variable);
}

/** A function that is written as an argument, a listener excepted, is taken to run while the helper does. */
function isRunInPlace(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  return (
    call?.type === 'CallExpression' &&
    call.callee !== fn &&
    !(
      call.callee.type === 'MemberExpression' &&
      /^(?:on|once|addListener)$/u.test(memberName(call.callee) ?? '')
    )
  );
}
