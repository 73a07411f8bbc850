import type { TSESTree } from '@typescript-eslint/types';
import { listenMethods } from '../model/emitters.ts';
import type { ModuleReader } from '../project/module-reader.ts';
import { someIn } from '../syntax/preorder.ts';
import type { Node } from '../syntax/node.ts';
import { keyName, memberName, unwrap, type SourceFile, isMember } from '../syntax/source-file.ts';

/** Whether a name stands in the code of a file, as a variable or a member, or it cannot be read. */
export function speaksOf(name: string, file: SourceFile | undefined): boolean {
  return (
    file === undefined ||
    (file.text.includes(name) &&
      someIn(
        file,
        file.ast,
        (node) =>
          (node.type === 'Identifier' && node.name === name) ||
          (node.type === 'Literal' && node.value === name),
      ))
  );
}

/** Whether an object of a file has something under a key: an option is given. */
export function givesOption(key: string, file: SourceFile): boolean {
  return (
    file.text.includes(key) &&
    someIn(
      file,
      file.ast,
      (node) => node.type === 'Property' && keyName(node.key, node.computed) === key,
    )
  );
}

/** The files that ask something so of what has one of these names, whatever object that is; undefined where there are too many to tell. */
export function filesAsking(
  names: readonly string[],
  asks: (member: TSESTree.MemberExpression) => boolean,
  paths: readonly string[] | undefined,
  reader: ModuleReader,
): readonly SourceFile[] | undefined {
  return paths
    ?.flatMap((path) => reader.open?.(path) ?? [])
    .filter(
      (file) =>
        names.some((name) => file.text.includes(name)) &&
        someIn(
          file,
          file.ast,
          (node) =>
            node.type === 'MemberExpression' &&
            names.includes(nameOf(node.object) ?? '') &&
            asks(node),
        ),
    );
}

/** `db` of `app.db`, `db()`, and of `db.on('connect', greet)`, which gives it back. */
function nameOf(node: Node): string | undefined {
  const plain = unwrap(node);
  if (plain.type === 'Identifier') return plain.name;
  if (plain.type === 'MemberExpression') return memberName(plain);
  if (plain.type !== 'CallExpression') return undefined;
  const { callee } = plain;
  return isMember(callee, ...listenMethods) ? nameOf(callee.object) : nameOf(callee);
}
