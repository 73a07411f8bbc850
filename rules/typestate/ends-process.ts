import { endingCalls } from '../model/quiet-calls.ts';
import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { nodeAt, placeOf } from '../values/apart.ts';
import type { Resolver } from '../values/resolver.ts';

/** Nothing of the program runs after a call: `process.exit(1)`, or a function that ends with one, of whatever file. */
export function endsProcess(call: CallNode, file: SourceFile, resolver: Resolver): boolean {
  if (isEnding(call, file)) return true;
  if (call.parent.type !== 'ExpressionStatement' || call.callee.type !== 'Identifier') return false;
  const fn = resolver.abstractValueOf(call.callee, file);
  if (fn?.kind !== 'function') return false;
  const place = placeOf(fn);
  return resolver.knownIn(fn.file, {
    text: `${place.range.join('-')} ends the process`,
    unknown: false,
    find: (_, there) => endsWithExit(nodeAt(place, there), there),
  });
}

function isEnding({ callee }: CallNode, { text }: SourceFile): boolean {
  return endingCalls.has(text.slice(...callee.range));
}

/** What may leave it before is an exception: no other statement returns. */
function endsWithExit(fn: Node, file: SourceFile): boolean {
  if (!isFunction(fn) || fn.async || fn.generator || fn.body.type !== 'BlockStatement')
    return false;
  const statements = fn.body.body;
  const last = statements.at(-1);
  const call = last?.type === 'ExpressionStatement' ? unwrap(last.expression) : undefined;
  return (
    call?.type === 'CallExpression' &&
    isEnding(call, file) &&
    statements.every(({ type }) => type === 'ExpressionStatement' || type === 'VariableDeclaration')
  );
}
