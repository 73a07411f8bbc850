import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { isQuery } from '../syntax/calls.ts';
import type { StatementKind } from '../model/sql.ts';
import { calledMember, nextInChain, lastInChain } from '../syntax/call-chain.ts';
import { isWaitedFor } from '../syntax/chains.ts';
import type { Acquisition } from '../typestate/acquisition.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isInGraph } from '../typestate/outlives.ts';
import type { Here } from '../values/resolver.ts';
import { statementsIn } from '../values/texts/statements.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
  declarationOf,
} from '../syntax/source-file.ts';
import type { Finding } from './finding.ts';
import { stepOf } from './path-step.ts';
import { findLeak } from './leaks.ts';
import type { Analysis } from './analysis.ts';
import { singleQueryEdits } from '../fixes/single-query-edits.ts';

/** Checkouts for one statement that leaves nothing behind on its session: the pool's own `query()` does the same. */
export function findSingleQueries(analysis: Analysis): readonly Finding[] {
  const { checkouts } = analysis;
  return checkouts.flatMap((checkout) => findSingleQuery(checkout, analysis) ?? []);
}

function findSingleQuery(checkout: Checkout, here: Here): Finding | undefined {
  const { file, resolver } = here;
  const { acquisition } = checkout;
  const { call } = acquisition;
  if (acquisition.shape !== undefined || !isConnect(call)) return undefined;
  const variable = clientOf(acquisition, file);
  const query = variable === undefined ? undefined : onlyQuery(variable, checkout);
  if (
    query === undefined ||
    variable === undefined ||
    resolver.abstractValueOf(call.callee.object, file)?.kind !== 'pool'
  )
    return undefined;
  if (!isPlainStatement(query, here) || !isOnlyBorrowed(checkout, here)) return undefined;
  const edits =
    acquisition.style === 'callback'
      ? undefined
      : singleQueryEdits({ call, pool: call.callee.object, query, variable }, file);
  return {
    rule: 'prefer-pool-query',
    messageId: 'single',
    data: { pool: acquisition.poolText, line: String(query.loc.start.line) },
    place: call.loc,
    steps: [stepOf(query, file, 'is the only statement on this client.')],
    suggestions:
      edits === undefined
        ? []
        : [{ messageId: 'usePool', data: { pool: acquisition.poolText }, edits }],
  };
}

function isConnect(call: Node): call is CallNode & { callee: TSESTree.MemberExpression } {
  return call.type === 'CallExpression' && memberName(call.callee) === methods.acquire;
}

/** `const client = await pool.connect()`, `pool.connect().then((client) => …)`, `pool.connect((error, client, done) => …)` */
function clientOf({ call, style }: Acquisition, file: SourceFile): Variable | undefined {
  if (call.type !== 'CallExpression') return undefined;
  if (style === 'callback') return parameterOf(call.arguments[0], 1, file);
  const next = nextInChain(call);
  if (next !== undefined && style === 'promise')
    return calledMember(next) === 'then' ? parameterOf(next.arguments[0], 0, file) : undefined;
  const awaited = parentOf(call);
  const declarator = awaited?.type === 'AwaitExpression' ? parentOf(awaited) : undefined;
  return style === 'promise' &&
    declarator?.type === 'VariableDeclarator' &&
    declarator.id.type === 'Identifier'
    ? variableOf(file, declarator.id)
    : undefined;
}

function parameterOf(
  handler: Node | undefined,
  index: number,
  file: SourceFile,
): Variable | undefined {
  const parameter =
    handler !== undefined && isFunction(handler) ? handler.params[index] : undefined;
  return parameter && variableOf(file, parameter);
}

/** The one query on a client that is otherwise only released: waited for, and not in a loop of its own. */
function onlyQuery(variable: Variable, checkout: Checkout): CallNode | undefined {
  const calls = variable.references
    .filter((each) => each.init !== true)
    .map(({ identifier }) => nextInChain(identifier as unknown as Node));
  const queries = calls.flatMap((call) => (call !== undefined && isQuery(call) ? [call] : []));
  const [query] = queries;
  const isPlain = calls.every(
    (call) =>
      call !== undefined &&
      (isQuery(call) || (calledMember(call) === methods.release && !isDestroying(call))),
  );
  if (
    !isPlain ||
    query === undefined ||
    queries.length > 1 ||
    (checkout.acquisition.style === 'promise' && !isWaitedFor(lastInChain(query)))
  )
    return undefined;
  return isRepeated(query, checkout) ? undefined : query;
}

/** `release(true)` asks for a fresh connection each time. */
function isDestroying({ arguments: [argument] }: CallNode): boolean {
  return argument?.type === 'Literal' && Boolean(argument.value);
}

/** In a loop, or in a function that somebody calls, within the checkout. */
function isRepeated(query: Node, { acquisition: { call }, graph }: Checkout): boolean {
  return (
    !isInGraph(query, graph) ||
    findAncestor(
      query,
      (each): each is Node => /^(?:For|While|DoWhile)/u.test(each.type) && !contains(each, call),
    ) !== undefined
  );
}

/** No object that streams its rows, and no statement whose effect is on the session. */
function isPlainStatement(query: CallNode, { file, resolver }: Here): boolean {
  const [text] = query.arguments;
  if (text === undefined || isMadeObject(text, file)) return false;
  return statementsIn(query, file, resolver).every(isFreeOfSession);
}

function isFreeOfSession({ transaction, effect, undoes, verb }: StatementKind): boolean {
  return (
    transaction === null &&
    effect === null &&
    undoes.length === 0 &&
    verb !== 'SET' &&
    verb !== 'SAVEPOINT' &&
    verb !== 'RELEASE' &&
    verb !== 'DECLARE' &&
    verb !== 'FETCH' &&
    verb !== 'LOCK'
  );
}

/** `new Cursor(…)`, `new QueryStream(…)` */
function isMadeObject(text: Node, file: SourceFile): boolean {
  const plain = unwrap(text);
  if (plain.type !== 'Identifier')
    return plain.type === 'NewExpression' || plain.type === 'CallExpression';
  const declarator = declarationOf(variableOf(file, plain));
  return declarator?.type === 'VariableDeclarator' && declarator.init?.type === 'NewExpression';
}

/** Released on every way, never lent, never handed on. Where it gets lost, that is what has to be said. */
function isOnlyBorrowed(checkout: Checkout, here: Here): boolean {
  const { exploration, releases, mayKeepConnection } = checkout;
  const isHandedOn = exploration.states.some(
    ({ fact }) => fact.wasLent || fact.status === 'escaped' || fact.status === 'returned',
  );
  return (
    exploration.isComplete &&
    releases > 0 &&
    mayKeepConnection &&
    !isHandedOn &&
    findLeak(checkout, here) === undefined
  );
}
