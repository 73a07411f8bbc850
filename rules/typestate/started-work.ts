import type { TSESTree } from '@typescript-eslint/types';
import { calledMember } from '../syntax/call-chain.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../syntax/node.ts';
import { someIn } from '../syntax/preorder.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { parentOf, unwrap, variableOf, type SourceFile, isMember } from '../syntax/source-file.ts';
import { methodOfClient, type CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import type { KnownFunction } from './outcome.ts';
import { isPlainQuery } from './query-results.ts';

/** `client.query(text)`, which gives a promise. */
export function isQuery(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const { driver, style } = context.acquisition;
  if (driver.promises !== 'always' && style === 'callback') return false;
  const name = methodOfClient(call, fact, context) ?? '';
  return driver.queries.includes(name) && isPlainQuery(call, context.file);
}

/** A call that has started queries when it returns and gives promises of them: a helper that is given the client, or one round for each element of a list. */
export function isWork(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  if (context.graph.inlined.has(call)) return false;
  return (
    isHelper(call, fact, context) ||
    isOwnWork(call, fact, context) ||
    isQueryingRounds(call, fact, context)
  );
}

/** `const load = () => client.query(text); load()` */
function isOwnWork({ callee }: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const fn = context.closureOf(callee);
  if (fn === null || fn.generator) return false;
  return fn.async
    ? queriesIn(fn, fact, context)
    : returnedValues(context.file, fn).some((value) => {
        const call = unwrap(value);
        return call.type === 'CallExpression' && isQuery(call, fact, context);
      });
}

/** `(async () => { await client.query(text); })()` */
export function queriesInPlace(
  { callee }: CallNode,
  fact: Fact,
  context: CheckoutContext,
): boolean {
  const fn = unwrap(callee);
  return isFunction(fn) && fn.async && queriesIn(fn, fact, context);
}

function isHelper(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const index = call.arguments.findIndex(
    (argument) => context.accessPaths.valueOf(argument, fact) === 'client',
  );
  if (index === -1) return false;
  const callee = context.functionAt(call.callee);
  return callee === undefined
    ? isCallersWork(call, context.file)
    : callee.node.async || givesQuery(callee, index, context);
}

/** `return work(client)`: whoever asks for a client does something with it that takes time, unless its type says that it gives a plain value. */
function isCallersWork(call: CallNode, file: SourceFile): boolean {
  if (parentOf(call)?.type !== 'ReturnStatement' || call.callee.type !== 'Identifier') return false;
  const definition = variableOf(file, call.callee)?.defs[0];
  if (definition?.type !== 'Parameter') return false;
  const { typeAnnotation: type } =
    (definition.name as unknown as TSESTree.Identifier).typeAnnotation ?? {};
  const given = type?.type === 'TSFunctionType' ? type.returnType?.typeAnnotation.type : undefined;
  return given === undefined || !plainTypes.has(given);
}

const plainTypes: ReadonlySet<string> = new Set([
  'TSArrayType',
  'TSBigIntKeyword',
  'TSBooleanKeyword',
  'TSNumberKeyword',
  'TSStringKeyword',
]);

/** `(client) => client.query(text)` */
function givesQuery(
  { node, file }: KnownFunction,
  index: number,
  { acquisition: { driver } }: CheckoutContext,
): boolean {
  const client = paramsOf(node)[index];
  const variable = client === undefined ? undefined : variableOf(file, client);
  return (
    variable !== undefined &&
    returnedValues(file, node).some((value) => {
      const call = unwrap(value);
      return (
        call.type === 'CallExpression' &&
        isMember(call.callee, ...driver.queries) &&
        variableOf(file, call.callee.object) === variable &&
        isPlainQuery(call, file)
      );
    })
  );
}

const rounds: ReadonlySet<string> = new Set(['map', 'flatMap']);

/** `ids.map((id) => client.query(text, [id]))` */
function isQueryingRounds(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const [given] = call.arguments;
  if (given === undefined || !rounds.has(calledMember(call) ?? '')) return false;
  const round = context.closureOf(given) ?? unwrap(given);
  return isFunction(round) && queriesIn(round, fact, context);
}

function queriesIn(round: FunctionNode, fact: Fact, context: CheckoutContext): boolean {
  return someIn(
    context.file,
    round.body,
    (node: Node) =>
      node.type === 'CallExpression' &&
      (isQuery(node, fact, context) || isHelper(node, fact, context)),
    isFunction,
  );
}
