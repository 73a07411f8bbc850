import { constantText } from '../../syntax/constants.ts';
import { callsIn } from '../../syntax/calls.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../../syntax/node.ts';
import { memberName, unwrap, variableOf, type SourceFile } from '../../syntax/source-file.ts';
import { configOf } from '../../values/pools/pool-config.ts';
import type { Here } from '../../values/resolver.ts';
import { makingsIn } from './startup-parameters.ts';

/** A function of this file that a pool calls with a connection before a borrower gets it. */
export interface SetUp {
  readonly fn: FunctionNode;
  /** `connect`, `acquire` or `onConnect`. */
  readonly event: string;
  /** The pool, or what makes it. */
  readonly pool: Node;
}

/** `pool.on('connect', (client) => …)`, `new Pool({ onConnect: setUp })` */
export function setUpsIn(here: Here): readonly SetUp[] {
  const { file, resolver } = here;
  if (!/['"`](?:connect|acquire)['"`]|\bonConnect\b/u.test(file.text)) return [];
  return [
    ...callsIn(file).calls.flatMap((call) => listenerOf(call, here)),
    ...makingsIn({ file, resolver }).flatMap((making) =>
      resolver.abstractValueOf(making, file)?.kind === 'pool'
        ? configOf(making, file, resolver).properties.flatMap(({ name, value, file: at }) =>
            name === 'onConnect' ? setUpBy(value, name, making, { file: at, resolver }) : [],
          )
        : [],
    ),
  ].filter(({ fn }) => isOfFile(fn, file));
}

function listenerOf(
  { callee, arguments: [named, listener] }: CallNode,
  here: Here,
): readonly SetUp[] {
  const { file, resolver } = here;
  const event = named && constantText(named);
  return callee.type === 'MemberExpression' &&
    /^(?:on|addListener|prependListener)$/u.test(memberName(callee) ?? '') &&
    (event === 'connect' || event === 'acquire') &&
    listener !== undefined &&
    resolver.abstractValueOf(callee.object, file)?.kind === 'pool'
    ? setUpBy(listener, event, callee.object, here)
    : [];
}

function setUpBy(
  value: Node,
  event: string,
  pool: Node,
  { file, resolver }: Here,
): readonly SetUp[] {
  const plain = unwrap(value);
  if (isFunction(plain)) return [{ fn: plain, event, pool }];
  const abstractValue = resolver.abstractValueOf(plain, file);
  return abstractValue?.kind === 'function' ? [{ fn: abstractValue.node, event, pool }] : [];
}

function isOfFile(fn: Node, file: SourceFile): boolean {
  let node = fn;
  while (node.parent) node = node.parent;
  return node === file.ast;
}

/** What sets the connection up that an expression stands for. */
export function setUpWith(
  node: Node,
  setUps: readonly SetUp[],
  file: SourceFile,
): SetUp | undefined {
  const variable = variableOf(file, unwrap(node));
  return variable && setUps.find(({ fn: { params } }) => isParameter(params[0], variable, file));
}

function isParameter(param: Node | undefined, variable: object, file: SourceFile): boolean {
  return param?.type === 'Identifier' && variableOf(file, param) === variable;
}
