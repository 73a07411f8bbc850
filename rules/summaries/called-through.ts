import { callsByName } from '../syntax/calls.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import { parameterIndex, paramsOf } from '../syntax/parameters.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { calledBy } from '../values/immediate-call.ts';
import type { Resolver } from '../values/resolver.ts';

/** A function that a call calls, and what it is called with; null for what nobody can tell. */
export interface Called {
  readonly callback: Node;
  readonly given: readonly (Node | null)[];
}

/** What a call in a function calls: `work` of `work(client)`, and of `inTransaction(client, work)`, which calls `work(client)`. */
export function calledThrough(
  call: CallNode,
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): readonly Called[] {
  return [calledBy(call, file, resolver), ...calledBehind(call, fn, file, resolver)];
}

/** The parameters of the function around that a function which is called calls in turn. */
function calledBehind(
  call: CallNode,
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): readonly Called[] {
  const passed = call.arguments.flatMap((each, index) =>
    parameterIndex(unwrap(each), fn, file) === -1 ? [] : [index],
  );
  const callee = passed.length === 0 ? undefined : resolver.near.abstractValueOf(call.callee, file);
  if (callee?.kind !== 'function') return [];
  const params = paramsOf(callee.node);
  return passed.flatMap((index) => {
    const [callback, name] = [call.arguments[index], params[index]];
    return callback === undefined || name === undefined
      ? []
      : callsByName(name, callee.file).map(({ arguments: args }) => ({
          callback: unwrap(callback),
          given: args.map((each) => {
            const from = parameterIndex(unwrap(each), callee.node, callee.file);
            return call.arguments[from] ?? null;
          }),
        }));
  });
}
