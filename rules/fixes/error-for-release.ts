import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import type { Suggestion } from './suggestion.ts';
import { parentOf, type SourceFile } from '../syntax/source-file.ts';
import { calledMember, nextInChain } from '../syntax/call-chain.ts';

/** `await client.query('ROLLBACK').catch(() => {}); client.release();`, one behind the other: the error is kept and given to the release. */
export function errorForRelease(
  release: Node,
  rollback: Node,
  file: SourceFile,
): readonly Suggestion[] {
  const chain = chainOn(rollback);
  const first = chain === undefined ? undefined : statementAwaiting(chain);
  // A name that the file has already may mean something else there.
  if (
    chain === undefined ||
    first === undefined ||
    !isPlainRelease(release) ||
    !isNext(first, parentOf(release)) ||
    /\brollbackError\b/u.test(file.text) ||
    !doesNothing(chain.arguments[0])
  )
    return [];
  return [
    {
      messageId: 'destroy',
      data: {},
      edits: [
        { range: [first.range[0], first.range[0]], text: 'const rollbackError = ' },
        {
          range: [rollback.range[1], chain.range[1]],
          text: '.then(() => undefined, (error) => error)',
        },
        { range: [release.range[1] - 1, release.range[1] - 1], text: 'rollbackError' },
      ],
    },
  ];
}

function statementAwaiting(promise: Node): TSESTree.ExpressionStatement | undefined {
  const awaited = parentOf(promise);
  return awaited?.type === 'AwaitExpression' && awaited.parent.type === 'ExpressionStatement'
    ? awaited.parent
    : undefined;
}

function isPlainRelease(release: Node): boolean {
  return (
    release.type === 'CallExpression' &&
    release.arguments.length === 0 &&
    parentOf(release)?.type === 'ExpressionStatement'
  );
}

/** The call of `.catch(…)` on a promise. */
function chainOn(promise: Node): CallNode | undefined {
  const call = nextInChain(promise);
  return calledMember(call) === 'catch' && call?.arguments.length === 1 ? call : undefined;
}

function isNext(first: TSESTree.ExpressionStatement, second: Node | undefined): boolean {
  const { parent } = first;
  return parent.type === 'BlockStatement' && parent.body[parent.body.indexOf(first) + 1] === second;
}

/** `() => {}`, `() => undefined`, `() => null` */
function doesNothing(handler: Node | undefined): boolean {
  if (handler === undefined || !isFunction(handler)) return false;
  const { body } = handler;
  if (body.type === 'BlockStatement') return body.body.length === 0;
  return body.type === 'Literal' || (body.type === 'Identifier' && body.name === 'undefined');
}
