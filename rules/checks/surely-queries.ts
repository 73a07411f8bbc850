import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import { parameterAt } from '../syntax/parameters.ts';
import { createEffects, type Effect, type EffectsOf } from '../summaries/effects.ts';
import type { Library } from '../model/library.ts';
import { queryOver } from '../values/sent-at.ts';
import type { Resolver } from '../values/resolver.ts';
import { childrenOf } from '../syntax/preorder.ts';
import { unwrap, variableOf, type SourceFile, type Variable } from '../syntax/source-file.ts';

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

/** Those of a function that gets the client at an index. */
const queriesInside: EffectsOf<Effect, number> = createEffects({
  effectsIn({ node, file }, index, resolver) {
    const variable = parameterAt(node, index, file);
    if (variable === undefined) return [];
    const isClient = (each: Node): boolean => isVariable(each, variable, file);
    return queriesIn(node, { file, resolver, isClient }).map((started) => ({
      node: started.node,
      file,
      via: [],
    }));
  },
});

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
  const handle = place.libraryAt && queryOver(call, place.libraryAt);
  if (handle !== undefined) return [{ node: call, client: handle }];
  if (callee.type === 'MemberExpression' && place.isClient(callee.object))
    return isPlainQuery(call, place.file) ? [{ node: call, client: callee.object }] : undefined;
  const index = call.arguments.findIndex((argument) => place.isClient(argument));
  const client = call.arguments[index];
  return client !== undefined && queriesGiven(call, index, place)
    ? [{ node: call, client }]
    : undefined;
}

function queriesGiven({ callee }: TSESTree.CallExpression, index: number, place: Place): boolean {
  const entity = place.resolver.entityOf(callee, place.file);
  return entity?.kind === 'function' && queriesInside(entity, callee, place, index)?.length === 1;
}

function isVariable(node: Node, variable: Variable, file: SourceFile): boolean {
  const plain = unwrap(node);
  return plain.type === 'Identifier' && variableOf(file, plain) === variable;
}
