import { stageVariables } from '../../model/pool-life.ts';
import { isFunction, type Node } from '../../syntax/node.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  definitionOf,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../../syntax/source-file.ts';

/** True for what happens only where the environment says so: `if (process.env.DEBUG) pool.on('error', …)`. */
export function isBySetting(node: Node, file: SourceFile): boolean {
  for (
    let [inner, up] = [node, parentOf(node)];
    up !== undefined && !isFunction(up);
    [inner, up] = [up, parentOf(up)]
  ) {
    const test = enclosingTest(up, inner);
    if (test !== undefined && asksSetting(test, file)) return true;
  }
  return false;
}

/** What has to hold where nothing is done otherwise. */
function enclosingTest(up: Node, inner: Node): Node | undefined {
  if (up.type === 'IfStatement' && up.consequent === inner && up.alternate === null) return up.test;
  return up.type === 'LogicalExpression' && up.operator === '&&' && up.right === inner
    ? up.left
    : undefined;
}

/** Variables of the environment, and nothing else. */
function asksSetting(test: Node, file: SourceFile): boolean {
  const asked: (string | undefined)[] = [];
  walk(file, test, (node) => {
    // `process.env.POINT === name`: the environment says when.
    if (node.type === 'BinaryExpression' && node.left.type === 'MemberExpression') {
      const [setting] = isEnvironment(node.left.object, file) ? [memberName(node.left)] : [];
      if (setting !== undefined) {
        asked.push(setting);
        return false;
      }
    }
    if (node.type === 'MemberExpression') {
      asked.push(isEnvironment(node.object, file) ? memberName(node) : undefined);
      return false;
    }
    if (node.type === 'CallExpression') asked.push(undefined);
    if (node.type === 'Identifier' && node.name !== 'undefined') asked.push(settingOf(node, file));
    return true;
  });
  return asked.length > 0 && asked.every((name) => name !== undefined && !stageVariables.has(name));
}

function isEnvironment(node: Node, file: SourceFile): boolean {
  return /^(?:process|import\.meta)\s*\??\.\s*env$/u.test(file.text.slice(...unwrap(node).range));
}

/** `const { DEBUG } = process.env`, `const debug = process.env.DEBUG` */
function settingOf(name: Node, file: SourceFile): string | undefined {
  const definition = definitionOf(variableOf(file, name));
  const declarator = definition?.node as Node | undefined;
  if (declarator?.type !== 'VariableDeclarator' || declarator.init === null) return undefined;
  const init = unwrap(declarator.init);
  if (declarator.id.type === 'Identifier')
    return init.type === 'MemberExpression' && isEnvironment(init.object, file)
      ? memberName(init)
      : undefined;
  const property = parentOf(definition?.name as unknown as Node);
  return property?.type === 'Property' && isEnvironment(init, file)
    ? keyName(property.key, property.computed)
    : undefined;
}
