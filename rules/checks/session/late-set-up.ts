import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../../syntax/node.ts';
import { lastingKind } from '../../model/sql.ts';
import { subjectOf } from '../../model/session-words.ts';
import { walk } from '../../syntax/preorder.ts';
import { parentOf, unwrap, variableOf, type SourceFile } from '../../syntax/source-file.ts';
import type { Finding } from '../finding.ts';
import type { Analysis } from '../analysis.ts';
import { isQuery } from '../../syntax/calls.ts';
import { mayWriteLastingStatement } from '../../values/texts/session-texts.ts';
import { setUpsIn } from './set-ups.ts';
import { statementsIn } from '../../values/texts/statements.ts';

/**
 * `pool.on('connect', async (client) => …)`, or 'acquire': the pool waits for no listener (pg-pool 3.14 `index.js`, `_acquireClient`). What the listener
 * asks at once stands in the client's queue before the borrower's query. What it asks behind an `await` of that comes after it.
 */
export function findLateSetUps(analysis: Analysis): readonly Finding[] {
  const { file, resolver } = analysis;
  if (!mayWriteLastingStatement(file)) return [];
  return setUpsIn(analysis).flatMap(({ fn, event }) => {
    if (event === 'onConnect' || !fn.async) return [];
    const late = queriesIn(fn, file).find(
      (query) =>
        isBehindQuery(query, fn, file) &&
        lastingKind(statementsIn(query, file, resolver)) !== undefined,
    );
    return late === undefined ? [] : describe(late, statementsIn(late, file, resolver), event);
  });
}

/** Queries on the client that the listener is given, those of inner functions left out. */
function queriesIn(listener: FunctionNode, file: SourceFile): readonly CallNode[] {
  const queries: CallNode[] = [];
  walk(file, listener.body, (node) => {
    if (node.type === 'CallExpression' && isOwnQuery(node, listener, file)) queries.push(node);
    return !isFunction(node);
  });
  return queries;
}

function isOwnQuery(call: CallNode, { params: [client] }: FunctionNode, file: SourceFile): boolean {
  const variable = client === undefined ? undefined : variableOf(file, client);
  return (
    variable !== undefined &&
    isQuery(call) &&
    variableOf(file, unwrap(call.callee.object)) === variable
  );
}

/** True when a statement before, in the same block or around it, awaits another query of the client. */
function isBehindQuery(query: Node, listener: FunctionNode, file: SourceFile): boolean {
  for (
    let node = query, up = parentOf(query);
    up !== undefined && node !== listener;
    node = up, up = parentOf(up)
  ) {
    if (up.type !== 'BlockStatement') continue;
    const before = up.body.slice(0, up.body.indexOf(node as TSESTree.Statement));
    if (before.some((statement) => awaitsQuery(statement, listener, file))) return true;
  }
  return false;
}

function awaitsQuery(statement: Node, listener: FunctionNode, file: SourceFile): boolean {
  if (statement.type === 'BlockStatement')
    return statement.body.some((each) => awaitsQuery(each, listener, file));
  const value =
    statement.type === 'ExpressionStatement'
      ? statement.expression
      : statement.type === 'VariableDeclaration'
        ? statement.declarations[0].init
        : null;
  const awaited = value?.type === 'AwaitExpression' ? unwrap(value.argument) : undefined;
  return awaited?.type === 'CallExpression' && isOwnQuery(awaited, listener, file);
}

function describe(
  query: CallNode,
  kinds: ReturnType<typeof statementsIn>,
  event: string,
): readonly Finding[] {
  const kind = lastingKind(kinds);
  const effect = kind?.effect ?? 'set';
  const parameter = kind?.parameter ?? null;
  const data = {
    subject: subjectOf(effect, { verb: kind?.verb ?? '', parameter }),
    effect,
    setting: parameter ?? '',
    event,
  };
  return [{ rule: 'no-session-state', messageId: 'lateSetUp', data, place: query.loc, steps: [] }];
}
