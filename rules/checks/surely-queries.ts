import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import { declaredBy } from '../syntax/parameters.ts';
import { createEffects, type Effect, type EffectsOf } from '../summaries/effects.ts';
import type { Library } from '../model/library.ts';
import { calledMember } from '../syntax/call-chain.ts';
import type { Told } from '../values/connection-given.ts';
import { takingCall } from '../values/library-calls.ts';
import { queryOver } from '../values/sent-at.ts';
import type { Resolver } from '../values/resolver.ts';
import { childrenOf } from '../syntax/preorder.ts';
import {
  keyName,
  memberName,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';

/** Code and what is the client in it. */
interface Place {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  isClient(node: Node): boolean;
  /** The library whose handle an expression is; not given where there is none. */
  readonly libraryAt?: (node: Node) => Library | undefined;
}

/** A query of the client that is under way when an expression has been evaluated, or the call of a helper that makes one. */
export interface Started {
  readonly node: TSESTree.CallExpression;
  readonly client: Node;
}

/**
 * The queries that an expression starts, on every way through it, and does not wait for: `client.query(…)`, `load(client)`,
 * `(async () => { await client.query(…); })()`, and such with `then` behind.
 */
export function startedIn(expression: Node, place: Place): readonly Started[] {
  const plain = unwrap(expression);
  if (plain.type !== 'CallExpression') return [];
  if (isChain(plain)) return startedIn(plain.callee.object, place);
  const callee = unwrap(plain.callee);
  if (isFunction(callee)) return callee.async ? queriesIn(callee, place).slice(0, 1) : [];
  return queryAt(plain, place) ?? plain.arguments.flatMap((argument) => startedIn(argument, place));
}

/** The queries that a function makes on every way through it, as far as its first `return`; what it awaits counts, too. */
export function queriesIn(fn: FunctionNode, place: Place): readonly Started[] {
  if (fn.generator) return [];
  const found: Started[] = [];
  if (fn.body.type === 'BlockStatement') collectStatements(fn.body.body, place, found);
  else collect(fn.body, place, found);
  return found;
}

/** Where a function gets the client, or the handle of a library: an argument, or the member of one with a key. */
interface Given {
  readonly index: number;
  readonly key: string | undefined;
  readonly library: Library | undefined;
}

/** The queries of a function that gets the client. */
const queriesInside: EffectsOf<Effect, Given> = createEffects({
  partsOf: ({ index, key, library }) => [index, key, library],
  effectsIn({ node, file }, given, resolver) {
    const isGiven = givenIn(node, given, file);
    if (isGiven === undefined) return [];
    const { library } = given;
    const place: Place =
      library === undefined
        ? { file, resolver, isClient: isGiven }
        : {
            file,
            resolver,
            isClient: () => false,
            libraryAt: (each) => (isGiven(each) ? library : undefined),
          };
    return queriesIn(node, place).map((started) => ({ node: started.node, file, via: [] }));
  },
});

/** Tells what a function was given: `trx`, `options.trx`, and `trx` of a parameter `{ trx }`. */
function givenIn(
  fn: FunctionNode,
  { index, key }: Given,
  file: SourceFile,
): ((node: Node) => boolean) | undefined {
  const param = declaredBy(fn.params[index]);
  const own = key === undefined || param?.type !== 'ObjectPattern' ? param : bound(param, key);
  const variable = own?.type === 'Identifier' ? variableOf(file, own) : undefined;
  if (variable === undefined) return undefined;
  if (key === undefined || own !== param) return (node) => isVariable(node, variable, file);
  return (node) => {
    const plain = unwrap(node);
    return (
      plain.type === 'MemberExpression' &&
      memberName(plain) === key &&
      isVariable(plain.object, variable, file)
    );
  };
}

function bound({ properties }: TSESTree.ObjectPattern, key: string): Node | undefined {
  const property = properties.find(
    (each) => each.type === 'Property' && keyName(each.key, each.computed) === key,
  );
  return property?.type === 'Property' ? declaredBy(property.value) : undefined;
}

/** Whether control goes on behind them. */
function collectStatements(statements: readonly Node[], place: Place, found: Started[]): boolean {
  for (const statement of statements) {
    if (!collectStatement(statement, place, found)) return false;
  }
  return true;
}

function collectStatement(statement: Node, place: Place, found: Started[]): boolean {
  switch (statement.type) {
    case 'BlockStatement':
      return collectStatements(statement.body, place, found);
    case 'TryStatement':
      return collectStatements(statement.block.body, place, found);
    case 'IfStatement':
      collect(statement.test, place, found);
      // What comes behind a branch that leaves is not reached on every way.
      return (
        !leaves(statement.consequent) &&
        (statement.alternate === null || !leaves(statement.alternate))
      );
    case 'SwitchStatement':
      return false;
    case 'ReturnStatement':
    case 'ThrowStatement':
      collect(statement, place, found);
      return false;
    case 'ExpressionStatement':
    case 'VariableDeclaration':
      collect(statement, place, found);
      return !waitsForTurn(statement, place.file);
    default:
      return true;
  }
}

function leaves(branch: Node): boolean {
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch;
  return (
    last?.type === 'ReturnStatement' ||
    last?.type === 'ThrowStatement' ||
    last?.type === 'ContinueStatement'
  );
}

const turnWords = /lock|mutex|sem|limit|queue|turn|acquire|previous|prev|chain|throttle/iu;

/** `await lock.acquire()`: what follows runs one after the other. */
function waitsForTurn(statement: Node, file: SourceFile): boolean {
  const code = file.text.slice(...statement.range).replace(/(['"`])(?:(?!\1).)*\1/gsu, '');
  return code.split(';').some((part) => turnWords.test(part.slice(part.search(/\bawait\b|$/iu))));
}

const choices: ReadonlySet<string> = new Set(['ConditionalExpression', 'LogicalExpression']);

function collect(node: Node, place: Place, found: Started[]): void {
  if (isFunction(node) || choices.has(node.type)) return;
  const started = node.type === 'CallExpression' ? queryAt(node, place) : undefined;
  if (started !== undefined) found.push(...started);
  else for (const child of childrenOf(place.file, node)) collect(child, place, found);
}

/** A query of the client, or a call of a function that is given the client and surely queries it. */
function queryAt(call: TSESTree.CallExpression, place: Place): readonly Started[] | undefined {
  const { callee } = call;
  const handle = place.libraryAt && (queryOver(call, place.libraryAt) ?? handleTold(call, place));
  if (handle !== undefined) return [{ node: call, client: handle }];
  if (callee.type === 'MemberExpression' && place.isClient(callee.object))
    return isPlainQuery(call, place.file) ? [{ node: call, client: callee.object }] : undefined;
  const given = givenBy(call, place);
  return given !== undefined && queriesGiven(call, given, place)
    ? [{ node: call, client: given.client }]
    : undefined;
}

/** The first argument, or member of one, that is the client or the handle. */
function givenBy(
  { arguments: args }: TSESTree.CallExpression,
  place: Place,
): (Given & { readonly client: Node }) | undefined {
  for (const [index, argument] of args.entries()) {
    for (const [key, client] of partsOf(argument)) {
      const library = place.libraryAt?.(client);
      if (library !== undefined || place.isClient(client)) return { index, key, library, client };
    }
  }
  return undefined;
}

/** An argument, or what an object that is written in place has under its keys. */
function partsOf(argument: Node): readonly (readonly [key: string | undefined, part: Node])[] {
  const plain = unwrap(argument);
  if (plain.type !== 'ObjectExpression') return [[undefined, argument]];
  return plain.properties.flatMap((each) =>
    each.type === 'Property' ? [[keyName(each.key, each.computed), each.value] as const] : [],
  );
}

/** `trx` of `User.query(trx).insert(row)`, `User.create(values, { transaction: trx })` and `knex('users').insert(row).transacting(trx)`. */
function handleTold(call: TSESTree.CallExpression, place: Place): Node | undefined {
  const { file, resolver } = place;
  const libraryAt = (node: Node): Library | undefined => place.libraryAt?.(node);
  for (const each of chainFrom(call)) {
    const [given] = each.arguments;
    const library = given && libraryAt(given);
    if (library?.boundBy.includes(calledMember(each) ?? '') === true) return given;
    const told = takingCall(each, file, resolver)?.told;
    if (isToldOf(told, libraryAt)) return told.node;
  }
  return undefined;
}

function isToldOf(
  told: Told | undefined,
  libraryAt: (node: Node) => Library | undefined,
): told is Told & { readonly kind: 'some' } {
  return told?.kind === 'some' && told.key === undefined && libraryAt(told.node) !== undefined;
}

/** The calls of a chain, the last one first. */
function chainFrom(call: TSESTree.CallExpression): readonly TSESTree.CallExpression[] {
  const { callee } = call;
  const before = callee.type === 'MemberExpression' ? unwrap(callee.object) : undefined;
  return before?.type === 'CallExpression' ? [call, ...chainFrom(before)] : [call];
}

function queriesGiven({ callee }: TSESTree.CallExpression, given: Given, place: Place): boolean {
  const entity = place.resolver.entityOf(callee, place.file);
  return entity?.kind === 'function' && queriesInside(entity, callee, place, given)?.length === 1;
}

function isVariable(node: Node, variable: Variable, file: SourceFile): boolean {
  const plain = unwrap(node);
  return plain.type === 'Identifier' && variableOf(file, plain) === variable;
}
