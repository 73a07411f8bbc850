import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import type { AbstractValue } from './abstract-values.ts';
import { givenBy } from './resolve-member.ts';
import type { Resolver } from './resolver.ts';
import { findAncestor, type SourceFile } from '../syntax/source-file.ts';

/** `db instanceof Pool ? await db.connect() : db` */
export function isTestedPool(
  resolver: Resolver,
  { callee, range }: CallNode,
  file: SourceFile,
): boolean {
  if (callee.type !== 'MemberExpression') return false;
  const asked = file.text.slice(...callee.object.range);
  const isAnswer = (node: Node): node is Node =>
    (node.type === 'ConditionalExpression' || node.type === 'IfStatement') &&
    isWithin(range, node.consequent) &&
    isPoolTest(resolver, node.test, asked, file);
  return findAncestor(callee, isAnswer) !== undefined;
}

function isWithin([start, end]: TSESTree.Range, outer: Node): boolean {
  return outer.range[0] <= start && end <= outer.range[1];
}

function isPoolTest(resolver: Resolver, test: Node, asked: string, file: SourceFile): boolean {
  if (
    test.type !== 'BinaryExpression' ||
    test.operator !== 'instanceof' ||
    file.text.slice(...test.left.range) !== asked
  )
    return false;
  const type = resolver.abstractValueOf(test.right, file);
  return type?.kind === 'driver' && type.driver.poolClasses.includes(type.name);
}

/** `interface AnyPool { connect(): Promise<AnyClient> }`, where `AnyClient` has a `release()`: how a library speaks of a pool whose package it does not import. */
export function isDeclaredAsPool(resolver: Resolver, asked: AbstractValue | undefined): boolean {
  const connect = asked?.kind === 'shape' ? resolver.memberOf(asked, methods.acquire) : undefined;
  const given = connect?.kind === 'signature' ? givenBy(resolver, connect) : undefined;
  return given?.kind === 'shape' && resolver.memberOf(given, methods.release) !== undefined;
}
