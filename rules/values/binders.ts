import type { Library } from '../model/library.ts';
import type { ClassNode, Node, CallNode } from '../syntax/node.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import { walk } from '../syntax/preorder.ts';
import { memberName, type SourceFile } from '../syntax/source-file.ts';
import { isSameReference, namesOf } from './assigned.ts';
import { toldTo } from './connection-given.ts';
import type { Resolver } from './resolver.ts';

/** What a class of models learns of the handle that it speaks to: `sequelize` in `User.init(attributes, { sequelize })`. */
export function binderOf(
  node: ClassNode,
  { models: { bound } }: Library,
  file: SourceFile,
): Node | undefined {
  if (bound === null) return undefined;
  const names = namesOf(node);
  const call = callsByMethod(file)
    .get(bound.method)
    ?.find(({ callee }) => names.some((name) => isSameReference(name, objectOf(callee), file)));
  const told = call && toldTo(call, bound.by, file);
  return told?.kind === 'some' && told.key === undefined ? told.node : undefined;
}

/** All classes of models in the package speak to one pool, as far as its texts tell: nothing binds some of them to another one. */
export function isBoundOnce(
  { models: { binders } }: Library,
  file: SourceFile,
  { reader }: Resolver,
): boolean {
  const texts = (reader.texts?.binding.inPackage(file.path) ?? []).map((text) =>
    text.replace(/\s/gu, ''),
  );
  if (binders.one.some((name) => texts.some((text) => text.includes(`.${name}(`)))) return false;
  const given = binders.all.flatMap((name) => texts.flatMap((text) => argumentsOf(name, text)));
  return new Set(given).size < 2;
}

/** `db` of `Model.knex(db)`; what is asked without an argument binds nothing. */
function argumentsOf(name: string, text: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\\.${name}\\(([^()]+)`, 'gu'))].map(
    ([, argument = '']) => argument,
  );
}

function objectOf(callee: Node): Node {
  return callee.type === 'MemberExpression' ? callee.object : callee;
}

const callsByMethod = oncePerTree((file) => {
  const calls = new Map<string, readonly CallNode[]>();
  walk(file, file.ast, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return true;
    const name = memberName(node.callee) ?? '';
    calls.set(name, [...(calls.get(name) ?? []), node]);
    return true;
  });
  return calls;
});
