import type { Sent } from '../typestate/session-log.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { methods, type Driver } from '../model/drivers.ts';
import { lastingKind, statementKinds, type StatementKind } from '../model/sql.ts';
import type { Resolver } from '../values/resolver.ts';
import { walk } from '../syntax/preorder.ts';
import {
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { nothingGiven, type GivenTexts } from '../values/texts/known-texts.ts';
import type { Text } from '../values/texts/text.ts';
import { tellingTexts } from '../values/texts/session-texts.ts';
import { statementsIn } from '../values/texts/statements.ts';

const nothing: Sent = { kinds: [], source: undefined };
/** Helpers of helpers are read this far. */
const maximalDepth = 4;

/** What a call sends over a client: as a query of its own, or inside of a helper that is given the client. Undefined when the client has no part in it. */
export function statementsSent(
  call: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
  driver: Driver,
  isClient: (node: Node) => boolean,
): Sent | undefined {
  const step =
    call.callee.type === 'MemberExpression'
      ? driver.transactions[memberName(call.callee) ?? '']
      : undefined;
  if (step !== undefined && call.callee.type === 'MemberExpression' && isClient(call.callee.object))
    return { kinds: statementKinds(step), source: undefined };
  if (isQuery(call))
    return isClient(call.callee.object)
      ? { kinds: statementsIn(call, file, resolver), source: undefined }
      : undefined;
  return call.arguments.some((argument) => isClient(argument) || hasClient(argument, isClient))
    ? statementsThrough(call, file, resolver, isClient)
    : undefined;
}

type Query = TSESTree.CallExpression & { readonly callee: TSESTree.MemberExpression };

/** `client.query(…)` */
export function isQuery(call: TSESTree.CallExpression): call is Query {
  return call.callee.type === 'MemberExpression' && memberName(call.callee) === methods.query;
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
  call: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
  isSubject: (argument: Node) => boolean,
): Sent {
  return through(call, { file, resolver, given: nothingGiven, isSubject }, 0);
}

interface Place {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly given: GivenTexts;
  isSubject(argument: Node): boolean;
}

function through(call: TSESTree.CallExpression, place: Place, depth: number): Sent {
  const entity =
    depth < maximalDepth ? place.resolver.entityOf(call.callee, place.file) : undefined;
  if (entity?.kind !== 'function') return nothing;
  const subjects = new Set<Variable>();
  const given = new Map<Variable, Text>();
  entity.node.params.forEach((param, index) => {
    const argument = call.arguments[index];
    if (argument !== undefined) bind(param, argument, entity.file, place, subjects, given);
  });
  if (subjects.size === 0 && given.size === 0) return nothing;
  const isSubject = (node: Node): boolean => isOneOf(node, subjects, entity.file);
  return sentIn(
    entity.node,
    { file: entity.file, resolver: place.resolver, given, isSubject },
    depth,
  );
}

function isOneOf(node: Node, subjects: ReadonlySet<Variable>, file: SourceFile): boolean {
  const plain = unwrap(node);
  const variable = plain.type === 'Identifier' ? variableOf(file, plain) : undefined;
  return variable !== undefined && subjects.has(variable);
}

/** Notes what a parameter stands for: the client, or a text. */
function bind(
  param: Node,
  argument: Node,
  file: SourceFile,
  from: Place,
  subjects: Set<Variable>,
  given: Map<Variable, Text>,
): void {
  const pattern = param.type === 'AssignmentPattern' ? param.left : param;
  if (pattern.type === 'ObjectPattern' && argument.type === 'ObjectExpression')
    return bindProperties(pattern, argument, file, from, subjects, given);
  const variable = pattern.type === 'Identifier' ? variableOf(file, pattern) : undefined;
  if (variable === undefined) return;
  if (from.isSubject(argument)) {
    subjects.add(variable);
    return;
  }
  const [only, ...others] = tellingTexts(argument, from);
  if (only !== undefined && others.length === 0) given.set(variable, only);
}

function bindProperties(
  pattern: TSESTree.ObjectPattern,
  argument: TSESTree.ObjectExpression,
  file: SourceFile,
  from: Place,
  subjects: Set<Variable>,
  given: Map<Variable, Text>,
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
function sentIn(fn: FunctionNode, place: Place, depth: number): Sent {
  const kinds: StatementKind[] = [];
  const listened = new Set<string | undefined>();
  let source: Sent['source'];
  walk(place.file, fn.body, (node) => {
    if (isFunction(node)) return isRunInPlace(node);
    if (node.type !== 'CallExpression') return true;
    const sent = sentBy(node, fn, place, depth);
    const loop = loopedOver(node, fn, place.file);
    if (sent.kinds.some(({ effect }) => effect === 'listen')) listened.add(loop);
    kinds.push(
      ...(loop === undefined || listened.has(loop) ? sent.kinds : sent.kinds.map(withoutUnlisten)),
    );
    source ??= sent.source;
    return true;
  });
  return { kinds, source };
}

/** What the nearest loop around a call goes through, as the source has it. */
function loopedOver(call: Node, fn: FunctionNode, file: SourceFile): string | undefined {
  for (let up = parentOf(call); up !== undefined && up !== fn; up = parentOf(up)) {
    if (up.type === 'ForOfStatement') return file.text.slice(...up.right.range);
  }
  return undefined;
}

/** `for (const topic of dropped) UNLISTEN topic`: a loop over other topics takes back none of those listened to before. */
function withoutUnlisten(kind: StatementKind): StatementKind {
  return { ...kind, undoes: kind.undoes.filter((effect) => effect !== 'listen') };
}

function sentBy(
  call: TSESTree.CallExpression,
  fn: FunctionNode,
  place: Place,
  depth: number,
): Sent {
  if (isQuery(call)) {
    const { object } = call.callee;
    if (!place.isSubject(object) && !isPoolWithGivenText(call, object, place)) return nothing;
    const kinds = statementsIn(call, place.file, place.resolver, place.given);
    return {
      kinds,
      source: lastingKind(kinds) === undefined ? undefined : { query: call, fn, file: place.file },
    };
  }
  return call.arguments.some(
    (argument) => place.isSubject(argument) || isGivenText(argument, place),
  )
    ? through(call, place, depth + 1)
    : nothing;
}

/** What a helper sends to its own pool is its caller's matter only as far as the caller chose the text. */
function isPoolWithGivenText(call: TSESTree.CallExpression, receiver: Node, place: Place): boolean {
  return (
    call.arguments[0] !== undefined &&
    isGivenText(call.arguments[0], place) &&
    place.resolver.entityOf(receiver, place.file)?.kind === 'pool'
  );
}

function isGivenText(argument: Node, { given, file }: Place): boolean {
  const plain = unwrap(argument);
  const variable = plain.type === 'Identifier' ? variableOf(file, plain) : undefined;
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
