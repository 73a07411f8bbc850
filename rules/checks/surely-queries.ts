import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { isPlainQuery } from '../typestate/in-flight.ts';
import type { Resolver } from '../values/resolver.ts';
import { childrenOf } from '../syntax/preorder.ts';
import { unwrap, variableOf, type SourceFile, type Variable } from '../syntax/source-file.ts';

/** Code and what is the client in it. */
interface Place {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  isClient(node: Node): boolean;
}

/** A query of the client that is under way when an expression has been evaluated, or the call of a helper that makes one. */
export interface Started {
  readonly node: TSESTree.CallExpression;
  readonly client: Node;
}

/** Helpers of helpers are read this far. */
const maximalDepth = 3;

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
  return (
    queryAt(plain, place, 0) ?? plain.arguments.flatMap((argument) => startedIn(argument, place))
  );
}

/** The queries that a function makes on every way through it, as far as its first `return`; what it awaits counts, too. */
export function queriesIn(fn: FunctionNode, place: Place): readonly Started[] {
  return inFunction(fn, place, 0);
}

function inFunction(fn: FunctionNode, place: Place, depth: number): readonly Started[] {
  if (fn.generator) return [];
  const found: Started[] = [];
  if (fn.body.type === 'BlockStatement') collectStatements(fn.body.body, place, depth, found);
  else collect(fn.body, place, depth, found);
  return found;
}

/** Whether control goes on behind them. */
function collectStatements(
  statements: readonly Node[],
  place: Place,
  depth: number,
  found: Started[],
): boolean {
  for (const statement of statements) {
    if (!collectStatement(statement, place, depth, found)) return false;
  }
  return true;
}

function collectStatement(statement: Node, place: Place, depth: number, found: Started[]): boolean {
  switch (statement.type) {
    case 'BlockStatement':
      return collectStatements(statement.body, place, depth, found);
    case 'TryStatement':
      return collectStatements(statement.block.body, place, depth, found);
    case 'IfStatement':
      collect(statement.test, place, depth, found);
      // What comes behind a branch that leaves is not reached on every way.
      return (
        !leaves(statement.consequent) &&
        (statement.alternate === null || !leaves(statement.alternate))
      );
    case 'SwitchStatement':
      return false;
    case 'ReturnStatement':
    case 'ThrowStatement':
      collect(statement, place, depth, found);
      return false;
    case 'ExpressionStatement':
    case 'VariableDeclaration':
      collect(statement, place, depth, found);
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

function collect(node: Node, place: Place, depth: number, found: Started[]): void {
  if (isFunction(node) || choices.has(node.type)) return;
  const started = node.type === 'CallExpression' ? queryAt(node, place, depth) : undefined;
  if (started !== undefined) found.push(...started);
  else for (const child of childrenOf(place.file, node)) collect(child, place, depth, found);
}

/** A query of the client, or a call of a function that is given the client and surely queries it. */
function queryAt(
  call: TSESTree.CallExpression,
  place: Place,
  depth: number,
): readonly Started[] | undefined {
  const { callee } = call;
  if (callee.type === 'MemberExpression' && place.isClient(callee.object))
    return isPlainQuery(call, place.file) ? [{ node: call, client: callee.object }] : undefined;
  const client =
    depth < maximalDepth ? call.arguments.find((argument) => place.isClient(argument)) : undefined;
  return client !== undefined && queriesGiven(call, client, place, depth)
    ? [{ node: call, client }]
    : undefined;
}

function queriesGiven(
  call: TSESTree.CallExpression,
  client: Node,
  { file, resolver }: Place,
  depth: number,
): boolean {
  const entity = resolver.entityOf(call.callee, file);
  if (entity?.kind !== 'function' || entity.node.generator) return false;
  const param =
    entity.node.params[call.arguments.indexOf(client as TSESTree.CallExpressionArgument)];
  const variable =
    param === undefined
      ? undefined
      : variableOf(entity.file, param.type === 'AssignmentPattern' ? param.left : param);
  if (variable === undefined) return false;
  const inside: Place = {
    file: entity.file,
    resolver,
    isClient: (node) => isVariable(node, variable, entity.file),
  };
  return inFunction(entity.node, inside, depth + 1).length > 0;
}

function isVariable(node: Node, variable: Variable, file: SourceFile): boolean {
  const plain = unwrap(node);
  return plain.type === 'Identifier' && variableOf(file, plain) === variable;
}
