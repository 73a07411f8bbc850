import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { listenMethods } from '../model/pool-life.ts';
import { endingCalls } from '../model/quiet-calls.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import type { Here } from '../values/resolver.ts';
import { callsIn } from '../syntax/calls.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { receiverText } from '../syntax/excerpt.ts';
import { isSamePool } from '../values/allocation-sites.ts';
import { handlingOf, headOf } from '../values/pools/request-handlers.ts';
import type { Finding } from './finding.ts';
import { stepAt, stepOf } from './path-step.ts';

type Pool = AbstractValue & { readonly kind: 'pool' };

/** `await pool.end()` in a handler, where the pool is a constant of a module. */
export function findSharedEnds(here: Here): readonly Finding[] {
  const { file } = here;
  if (!/\.\s*end\s*\(/u.test(file.text)) return [];
  return callsIn(file).calls.flatMap((call) => findSharedEnd(call, here) ?? []);
}

function findSharedEnd(call: CallNode, here: Here): Finding | undefined {
  const { file, resolver } = here;
  const { callee } = call;
  if (
    callee.type !== 'MemberExpression' ||
    memberName(callee) !== methods.end ||
    (callee.object.type !== 'Identifier' && callee.object.type !== 'MemberExpression')
  )
    return undefined;
  const handling = handlingOf(call, file);
  if (handling === undefined || isListener(call)) return undefined;
  const value = resolver.abstractValueOf(callee.object, file);
  if (value?.kind !== 'pool' || !isConstantOfModule(value)) return undefined;
  const { handler, inside } = handling;
  if (![handler, inside].some((fn) => isAsked(value, fn, here)) || endsProcess(handler, file))
    return undefined;
  const pool = receiverText(callee.object, file);
  return {
    rule: 'no-pool-per-request',
    messageId: 'endsShared',
    data: { pool, line: String(handling.handler.loc.start.line) },
    place: call.loc,
    steps: [
      stepOf(headOf(handling.handler), file, 'is called for each request.'),
      stepAt(call, `It ends ${pool}, which later requests use.`),
    ],
  };
}

/** `const pool = new Pool()` at the top level: nobody can put another one in its place. */
function isConstantOfModule({ site }: Pool): boolean {
  const declarator = parentOf(site.node);
  const declaration = declarator?.type === 'VariableDeclarator' ? declarator.parent : undefined;
  return (
    site.node.type === 'NewExpression' &&
    declaration?.type === 'VariableDeclaration' &&
    declaration.kind === 'const' &&
    /^(?:Program|ExportNamedDeclaration)$/u.test(parentOf(declaration)?.type ?? '')
  );
}

/** It runs when something happens later, such as a signal. */
function isListener(call: Node): boolean {
  const fn = findAncestor(call, isFunction);
  const up = fn === undefined ? undefined : parentOf(fn);
  return up?.type === 'CallExpression' && listenMethods.has(memberName(up.callee) ?? '');
}

const maximalDepth = 3;

/** A function that queries the pool takes it for its own; one that only ends it may mean to end the service. */
function isAsked(pool: Pool, fn: FunctionNode, { file, resolver }: Here, depth = 0): boolean {
  return callsIn(file).calls.some((call) => {
    if (!contains(fn, call)) return false;
    const { callee } = call;
    if (callee.type === 'MemberExpression' && memberName(callee) !== methods.end) {
      const asked = resolver.abstractValueOf(callee.object, file);
      if (asked !== undefined && isSamePool(asked, pool)) return true;
    }
    const called = depth < maximalDepth ? resolver.abstractValueOf(callee, file) : undefined;
    return (
      called?.kind === 'function' &&
      called.node !== fn &&
      isAsked(pool, called.node, { file: called.file, resolver }, depth + 1)
    );
  });
}

/** Nobody queries anything afterwards. */
function endsProcess(fn: FunctionNode, file: SourceFile): boolean {
  return callsIn(file).calls.some(
    (call) => contains(fn, call) && endingCalls.has(file.text.slice(...call.callee.range)),
  );
}
