import { walk } from '../../../rules/syntax/preorder.ts';
import { edited, type Change, type Edit } from '../changed-text.ts';
import type { Subject } from '../subject.ts';

/** Every `await` that is a statement stands in a block of its own. */
export function wrapAwaits(subject: Subject): Change | undefined {
  const edits: Edit[] = [];
  walk(subject, subject.ast, (node) => {
    if (node.type === 'ExpressionStatement' && node.expression.type === 'AwaitExpression') {
      const [start, end] = node.range;
      edits.push({ range: [start, start], text: '{ ' }, { range: [end, end], text: ' }' });
    }
    return true;
  });
  return changed(subject, edits);
}

/** `const a = 1, b = 2;` becomes two declarations. */
export function splitDeclarations(subject: Subject): Change | undefined {
  const edits: Edit[] = [];
  walk(subject, subject.ast, (node) => {
    const isStatement =
      node.type === 'VariableDeclaration' &&
      /^(?:Program|BlockStatement|StaticBlock|SwitchCase)$/u.test(node.parent.type);
    if (isStatement)
      for (const [index, { range }] of node.declarations.entries()) {
        const next = node.declarations[index + 1];
        if (next !== undefined)
          edits.push({ range: [range[1], next.range[0]], text: `; ${node.kind} ` });
      }
    return true;
  });
  return changed(subject, edits);
}

function changed(subject: Subject, edits: readonly Edit[]): Change | undefined {
  return edits.length === 0
    ? undefined
    : { [subject.path]: edited([0, subject.text.length], edits) };
}
