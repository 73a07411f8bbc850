import type { TSESTree } from '@typescript-eslint/types';
import { walk } from '../../../rules/syntax/preorder.ts';
import { edited, type Change, type Edit } from '../changed-text.ts';
import type { Subject } from '../subject.ts';

/** Every arrow function that could be a function expression becomes one. */
export function toFunctionExpressions(subject: Subject): Change | undefined {
  const arrows: TSESTree.ArrowFunctionExpression[] = [];
  walk(subject, subject.ast, (node) => {
    if (node.type === 'ArrowFunctionExpression' && !readsItsOwner(node, subject)) arrows.push(node);
    return true;
  });
  return changed(
    subject,
    arrows.flatMap((arrow) => editsOfArrow(arrow, subject.text)),
  );
}

/** Every function expression that could be an arrow function becomes one. */
export function toArrowFunctions(subject: Subject): Change | undefined {
  const edits: Edit[] = [];
  walk(subject, subject.ast, (node) => {
    if (node.type === 'FunctionExpression' && !isMore(node) && !readsItsOwner(node, subject))
      edits.push(...editsOfFunction(node, subject.text));
    return true;
  });
  return changed(subject, edits);
}

/** A method, a generator, one with a name, and one that would need brackets. */
function isMore(fn: TSESTree.FunctionExpression): boolean {
  const { parent } = fn;
  return (
    fn.generator ||
    fn.id !== null ||
    /^(?:MethodDefinition|MemberExpression|NewExpression|LogicalExpression)$/u.test(parent.type) ||
    (parent.type === 'Property' && (parent.method || parent.kind !== 'init')) ||
    (parent.type === 'CallExpression' && parent.callee === fn)
  );
}

function changed(subject: Subject, edits: readonly Edit[]): Change | undefined {
  return edits.length === 0
    ? undefined
    : { [subject.path]: edited([0, subject.text.length], edits) };
}

/** `this`, `super`, `new.target` and `arguments` are another's in an arrow function. */
function readsItsOwner(fn: TSESTree.Node, subject: Subject): boolean {
  let reads = false;
  walk(subject, fn, (node) => {
    reads ||=
      node.type === 'ThisExpression' ||
      node.type === 'Super' ||
      node.type === 'MetaProperty' ||
      (node.type === 'Identifier' && node.name === 'arguments');
    return !reads;
  });
  return reads;
}

function editsOfArrow(
  { range, async: isAsync, params, returnType, body }: TSESTree.ArrowFunctionExpression,
  text: string,
): readonly Edit[] {
  const [start, end] = range;
  const head = isAsync ? (/^async\b\s*/u.exec(text.slice(start))?.[0] ?? '') : '';
  const open = start + head.length;
  const arrow = text.indexOf('=>', returnType?.range[1] ?? params.at(-1)?.range[1] ?? open);
  const isExpression = body.type !== 'BlockStatement';
  return [
    { range: [start, open], text: isAsync ? 'async function ' : 'function ' },
    ...bracketsAround(params[0], open, text),
    { range: [arrow, arrow + 2], text: isExpression ? '{ return (' : '' },
    ...(isExpression ? [insertion(end, '); }')] : []),
  ];
}

/** `client => …` */
function bracketsAround(
  only: TSESTree.Parameter | undefined,
  open: number,
  text: string,
): readonly Edit[] {
  return only === undefined || /[(<]/u.test(text.charAt(open))
    ? []
    : [insertion(open, '('), insertion(only.range[1], ')')];
}

function insertion(at: number, text: string): Edit {
  return { range: [at, at], text };
}

function editsOfFunction(
  { range: [start], async: isAsync, body }: TSESTree.FunctionExpression,
  text: string,
): readonly Edit[] {
  const head = /^(?:async\s+)?function\s*/u.exec(text.slice(start))?.[0] ?? '';
  return [
    { range: [start, start + head.length], text: isAsync ? 'async ' : '' },
    insertion(body.range[0], '=> '),
  ];
}
