import { callOf } from '../syntax/calls.ts';
import { excerpt, lineExcerpt } from '../syntax/excerpt.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import { unwrap, variableOf, type SourceFile, type Variable } from '../syntax/source-file.ts';
import type { Effect, Hop } from '../summaries/effects.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isOurs } from '../typestate/facts.ts';
import { helperText } from './helper-text.ts';

/** The call that a cure speaks of. */
interface Culprit {
  /** With its place as seen from a file: "`findUser()` (users.ts:7)". */
  readonly call: string;
  /** The function that makes it has been given the handle. */
  readonly isBehind: boolean;
}

type IsHandle = (node: Node) => boolean;

/** The first call on the way to an effect that is not given the handle; undefined for what happens in place. */
export function notPassedOn(
  { node, file, via }: Effect,
  checkout: Checkout,
  from: SourceFile,
): Culprit | undefined {
  const [first] = via;
  if (first === undefined) return undefined;
  let caller = from;
  let isHandle: IsHandle = (each) => isHeldBy(each, checkout);
  for (const hop of via) {
    const given = givenIn(hop, caller, isHandle);
    if (given === undefined)
      return hop === first
        ? { call: helperText(hop, from), isBehind: false }
        : { call: `\`${hop.text}()\` (${lineExcerpt(hop.callee, caller, from)})`, isBehind: true };
    isHandle = given;
    caller = hop.file;
  }
  return { call: `${nameOf(node, file)} (${lineExcerpt(node, file, from)})`, isBehind: true };
}

function isHeldBy(node: Node, checkout: Checkout): boolean {
  return (
    node.type === 'Identifier' &&
    checkout.exploration.states.some(({ fact }) => isOurs(checkout.valueOf(node, fact)))
  );
}

function nameOf(node: Node, file: SourceFile): string {
  return node.type === 'CallExpression'
    ? `\`${excerpt(node.callee, file).slice(1, -1)}()\``
    : excerpt(node, file);
}

/** What has the handle in the function that a call calls; undefined where the call does not give it. */
function givenIn(
  { callee, node: fn, file }: Hop,
  caller: SourceFile,
  isHandle: IsHandle,
): IsHandle | undefined {
  const call = callOf(callee);
  if (call === undefined || !isFunction(fn)) return undefined;
  const has = (node: Node): boolean => someIn(caller, node, isHandle);
  const method = unwrap(callee);
  const isOfHandle = method.type === 'MemberExpression' && has(method.object);
  const params = paramsOf(fn).filter((param, index) =>
    call.arguments.slice(index, param.type === 'RestElement' ? undefined : index + 1).some(has),
  );
  return params.length === 0 && !isOfHandle ? undefined : withCopies(fn, params, isOfHandle, file);
}

/** Parameters, and the variables that are computed from them. */
function withCopies(
  fn: Node,
  params: readonly Node[],
  isThis: boolean,
  file: SourceFile,
): IsHandle {
  const variables = new Set(params.flatMap((param) => declaredIn(param, file)));
  const isHandle: IsHandle = (node) => {
    if (node.type === 'ThisExpression') return isThis;
    const variable = node.type === 'Identifier' ? variableOf(file, node) : undefined;
    return variable !== undefined && variables.has(variable);
  };
  walk(file, fn, (node) => {
    if (
      node.type === 'VariableDeclarator' &&
      node.init !== null &&
      someIn(file, node.init, isHandle)
    )
      declaredIn(node.id, file).forEach((each) => variables.add(each));
    return true;
  });
  return isHandle;
}

function declaredIn(pattern: Node, file: SourceFile): readonly Variable[] {
  const found: Variable[] = [];
  walk(file, pattern, (node) => {
    const variable = node.type === 'Identifier' ? variableOf(file, node) : undefined;
    if (variable?.identifiers.some((each) => (each as unknown as Node) === node) === true)
      found.push(variable);
    return true;
  });
  return found;
}
