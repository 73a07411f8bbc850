import type { Node } from '../../syntax/node.ts';
import { keyName, parentOf, type SourceFile } from '../../syntax/source-file.ts';

const handsOn: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'LogicalExpression',
  'ConditionalExpression',
  'ChainExpression',
  'AwaitExpression',
]);

/** Keys that say how somebody else gets an object, and not what it is called. */
const namelessKeys: ReadonlySet<string> = new Set(['useValue', 'default', 'value']);

/** How a new object is called where it is kept: `pool`, `this.db`, `exports.pool`; `default` for a default export, undefined when it has no name. */
export function keptAs(made: Node, file: SourceFile): string | undefined {
  let node = made;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (up.type === 'AssignmentExpression' && up.right === node)
      return file.text.slice(...up.left.range).replace(/\s+/gu, '');
    if (up.type === 'VariableDeclarator')
      return up.id.type === 'Identifier' ? up.id.name : undefined;
    if (up.type === 'PropertyDefinition') return prefixed('this.', keyName(up.key, up.computed));
    if (up.type === 'Property') return keyIn(up.key, up.computed);
    if (up.type === 'AssignmentPattern')
      return up.left.type === 'Identifier' ? up.left.name : undefined;
    if (up.type === 'ExportDefaultDeclaration') return 'default';
    if (!handsOn.has(up.type)) return undefined;
    node = up;
  }
  return undefined;
}

function prefixed(prefix: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : prefix + name;
}

function keyIn(key: Node, computed: boolean): string | undefined {
  const name = keyName(key, computed);
  return name === undefined || namelessKeys.has(name) ? undefined : name;
}
