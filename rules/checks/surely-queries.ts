import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import { createEffects, type Effect, type EffectsOf } from '../summaries/effects.ts';
import type { Library } from '../model/library.ts';
import { askedBy, isRequest, methodsBehind, type Request } from '../syntax/call-chain.ts';
import { slowWorkIn } from '../summaries/slow-work.ts';
import { joinsQuery } from '../typestate/joined-queries.ts';
import { isCarriedBy } from '../values/carried-statements.ts';
import { derivedLibrary } from '../values/derived-library.ts';
import { isUnderWay, queryOver } from '../values/sent-at.ts';
import { useOf } from '../syntax/uses.ts';
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
export interface Place {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  isClient(node: Node): boolean;
  /** The library whose handle an expression is; not given where there is none. */
  readonly libraryAt?: (node: Node) => Library | undefined;
}

/** A query of the client that is under way when an expression has been evaluated, or the call of a helper that makes one. */
export interface Started {
  readonly node: Request;
  readonly client: Node;
  /** It comes after another query, or after slow work, has been waited for. */
  readonly isBehind: boolean;
}

/** What was found on the way so far. */
interface Found {
  readonly queries: Started[];
  /** Something has been waited for that takes a while. */
  hasWaited: boolean;
}

/**
 * The queries that an expression starts, on every way through it, and does not wait for: `client.query(…)`, `load(client)`,
 * `(async () => { await client.query(…); })()`, and such with `then` behind.
 */
export function startedIn(expression: Node, place: Place): readonly Started[] {
  const plain = unwrap(expression);
  if (!isRequest(plain)) return [];
  if (isChain(plain)) return startedIn(plain.callee.object, place);
  const callee = unwrap(askedBy(plain));
  if (isFunction(callee)) return callee.async ? queriesIn(callee, place).slice(0, 1) : [];
  const query = queryAt(plain, place);
  if (query !== undefined) return [query];
  return plain.type === 'CallExpression'
    ? plain.arguments.flatMap((argument) => startedIn(argument, place))
    : [];
}

/** The queries that a function makes on every way through it, as far as its first `return`; what it awaits counts, too. */
export function queriesIn(fn: FunctionNode, place: Place): readonly Started[] {
  if (fn.generator) return [];
  const found: Found = { queries: [], hasWaited: false };
  if (fn.body.type === 'BlockStatement') collectStatements(fn.body.body, place, found);
  else collect(fn.body, place, found);
  return found.queries;
}

/** Where a function gets the client, or the handle of a library: an argument, or the member of one with a key. */
interface Given {
  readonly index: number;
  readonly key: string | undefined;
  readonly library: Library | undefined;
}

interface QueryInside extends Effect, Pick<Started, 'isBehind'> {}

/** The queries of a function that gets the client. */
const queriesInside: EffectsOf<QueryInside, Given> = createEffects({
  partsOf: ({ index, key, library }) => [index, key, library],
  identityOf: ({ isBehind }) => [isBehind],
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
            libraryAt: (each) =>
              derivedLibrary(each, (node) => (isGiven(node) ? library : undefined)),
          };
    return queriesIn(node, place).map((started) => ({
      node: started.node,
      file,
      via: [],
      isBehind: started.isBehind,
    }));
  },
});

/** Tells what a function was given: `trx`, `options.trx`, and `trx` of a parameter `{ trx }`. */
function givenIn(
  fn: FunctionNode,
  { index, key }: Given,
  file: SourceFile,
): ((node: Node) => boolean) | undefined {
  const param = declaredBy(paramsOf(fn)[index]);
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
function collectStatements(statements: readonly Node[], place: Place, found: Found): boolean {
  for (const statement of statements) {
    if (!collectStatement(statement, place, found)) return false;
  }
  return true;
}

function collectStatement(statement: Node, place: Place, found: Found): boolean {
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

function collect(node: Node, place: Place, found: Found): void {
  if (isFunction(node) || choices.has(node.type)) return;
  const started = isRequest(node) ? queryAt(node, place) : undefined;
  if (started !== undefined)
    found.queries.push({ ...started, isBehind: started.isBehind || found.hasWaited });
  else if (node.type === 'AwaitExpression') collectAwaited(node, place, found);
  else for (const child of childrenOf(place.file, node)) collect(child, place, found);
}

function collectAwaited({ argument }: TSESTree.AwaitExpression, place: Place, found: Found): void {
  const before = found.queries.length;
  collect(argument, place, found);
  found.hasWaited ||=
    found.queries.length > before || slowWorkIn(argument, place.file, place.resolver) !== undefined;
}

/** A query of the client, or a call of a function that is given the client and surely queries it. */
export function queryAt(request: Request, place: Place): Started | undefined {
  const handle =
    place.libraryAt && (queryOver(request, place.libraryAt) ?? handleTold(request, place));
  if (handle !== undefined) return { node: request, client: handle, isBehind: false };
  if (request.type !== 'CallExpression') return undefined;
  const { callee } = request;
  if (callee.type === 'MemberExpression' && place.isClient(callee.object))
    return isPlainQuery(request, place.file)
      ? { node: request, client: callee.object, isBehind: false }
      : undefined;
  return queryInHelper(request, place);
}

function queryInHelper(call: TSESTree.CallExpression, place: Place): Started | undefined {
  const given = givenBy(call, place);
  const inside = given === undefined ? [] : queriesGiven(call, given, place);
  return given === undefined || inside.length === 0
    ? undefined
    : { node: call, client: given.client, isBehind: inside.some(({ isBehind }) => isBehind) };
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

/** `trx` of `User.query(trx).insert(row)`, `User.create(values, { transaction: trx })`, `knex('users').insert(row).transacting(trx)` and ``sql`…`.execute(trx)``. */
function handleTold(request: Request, place: Place): Node | undefined {
  if (request.type !== 'CallExpression') return undefined;
  for (const call of chainFrom(request)) {
    const parts = call.arguments.flatMap((argument) => partsOf(argument));
    const told = parts.find(([, part]) => {
      const library = place.libraryAt?.(part);
      return library !== undefined && goesOver(call, part, library, place);
    });
    if (told !== undefined) return told[1];
  }
  return undefined;
}

/** A call that is given the handle is a query over it, and no function of the program's own. */
function goesOver(
  call: TSESTree.CallExpression,
  handle: Node,
  library: Library,
  { file, resolver }: Place,
): boolean {
  const isQuery =
    joinsQuery(handle, useOf(handle), library) || isCarriedBy(call, library, file, resolver);
  return (
    isQuery &&
    isUnderWay(library, call, methodsBehind(call)) &&
    resolver.entityOf(call.callee, file)?.kind !== 'function'
  );
}

/** The calls of a chain, the last one first. */
function chainFrom(call: TSESTree.CallExpression): readonly TSESTree.CallExpression[] {
  const { callee } = call;
  const before = callee.type === 'MemberExpression' ? unwrap(callee.object) : undefined;
  return before?.type === 'CallExpression' ? [call, ...chainFrom(before)] : [call];
}

function queriesGiven(
  { callee }: TSESTree.CallExpression,
  given: Given,
  place: Place,
): readonly QueryInside[] {
  const entity = place.resolver.entityOf(callee, place.file);
  return entity?.kind === 'function' ? (queriesInside(entity, callee, place, given) ?? []) : [];
}

function isVariable(node: Node, variable: Variable, file: SourceFile): boolean {
  const plain = unwrap(node);
  return plain.type === 'Identifier' && variableOf(file, plain) === variable;
}
