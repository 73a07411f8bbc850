import type { TSESTree } from '@typescript-eslint/types';
import { walk } from '../../../rules/syntax/preorder.ts';
import { memberName, variableOf } from '../../../rules/syntax/source-file.ts';
import { edited, type Change } from '../changed-text.ts';
import type { Subject } from '../subject.ts';

/** What is done with a client in one statement is done in a function of its own. Undefined where nothing is. */
export function extractHelper(subject: Subject, choice: number): Change | undefined {
  const found: { readonly statement: TSESTree.ExpressionStatement; readonly name: string }[] = [];
  walk(subject, subject.ast, (node) => {
    const name = node.type === 'ExpressionStatement' ? workedOn(node, subject) : undefined;
    if (name !== undefined) found.push({ statement: node as TSESTree.ExpressionStatement, name });
    return true;
  });
  const chosen = found[choice % Math.max(1, found.length)];
  if (chosen === undefined) return undefined;
  const { statement, name } = chosen;
  const isAwaited = statement.expression.type === 'AwaitExpression';
  const call = `${isAwaited ? 'await ' : ''}extracted(${name});`;
  const text = subject.text.slice(...statement.range);
  return {
    [subject.path]: [
      ...edited([0, subject.text.length], [{ range: statement.range, text: call }]),
      `\n${isAwaited ? 'async ' : ''}function extracted(${name}) {\n  ${text}\n}\n`,
    ],
  };
}

/** `client.release();` and `await client.query('x');`, where `client` is a variable of a function. */
function workedOn(
  { expression }: TSESTree.ExpressionStatement,
  subject: Subject,
): string | undefined {
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { object, optional } = call.callee;
  const isWanted =
    memberName(call.callee) === (expression === call ? 'release' : 'query') &&
    !optional &&
    call.arguments.every(({ type }) => type === 'Literal');
  if (!isWanted || object.type !== 'Identifier') return undefined;
  const isLocal = variableOf(subject, object)?.scope.type === 'function';
  return isLocal ? object.name : undefined;
}

/** A statement that calls a function of the file with one argument does what that function does. Undefined where none can. */
export function inlineHelper(subject: Subject, choice: number): Change | undefined {
  const found: { readonly statement: TSESTree.ExpressionStatement; readonly text: string }[] = [];
  walk(subject, subject.ast, (node) => {
    const text = node.type === 'ExpressionStatement' ? inlined(node, subject) : undefined;
    if (text !== undefined) found.push({ statement: node as TSESTree.ExpressionStatement, text });
    return true;
  });
  const chosen = found[choice % Math.max(1, found.length)];
  return chosen === undefined
    ? undefined
    : {
        [subject.path]: edited(
          [0, subject.text.length],
          [{ range: chosen.statement.range, text: chosen.text }],
        ),
      };
}

function inlined(
  { expression }: TSESTree.ExpressionStatement,
  subject: Subject,
): string | undefined {
  const isAwaited = expression.type === 'AwaitExpression';
  const call = isAwaited ? expression.argument : expression;
  const name = call.type === 'CallExpression' ? onlyName(call.arguments) : undefined;
  const helper = call.type === 'CallExpression' ? helperCalled(call, subject) : undefined;
  const parameter = onlyName(helper?.params ?? []);
  if (helper?.async !== isAwaited || parameter === undefined || name === undefined)
    return undefined;
  const start = parameter === name ? '' : `let ${parameter} = ${name}; `;
  return `{ ${start}${subject.text.slice(helper.body.range[0] + 1, helper.body.range[1] - 1)} }`;
}

function onlyName([only, ...others]: readonly TSESTree.Node[]): string | undefined {
  return only?.type === 'Identifier' && others.length === 0 ? only.name : undefined;
}

/** A function of the file that may as well stand where it is called. */
function helperCalled(
  { callee }: TSESTree.CallExpression,
  subject: Subject,
): TSESTree.FunctionDeclaration | undefined {
  const helper =
    callee.type === 'Identifier'
      ? (variableOf(subject, callee)?.defs[0]?.node as TSESTree.Node | undefined)
      : undefined;
  return helper?.type === 'FunctionDeclaration' &&
    isStraight(helper, subject) &&
    isOfItsFile(helper, subject)
    ? helper
    : undefined;
}

/** Ends where its text ends, and calls itself nowhere. */
function isStraight(helper: TSESTree.FunctionDeclaration, subject: Subject): boolean {
  let isStraightOn = true;
  walk(subject, helper.body, (node) => {
    isStraightOn &&=
      !/^(?:Return|This|Super|Function|ArrowFunction|Class)/u.test(node.type) &&
      !(node.type === 'Identifier' && (node.name === 'arguments' || node.name === helper.id?.name));
    return isStraightOn;
  });
  return isStraightOn && !helper.generator;
}

/** Whatever it speaks of is its own or of the whole file, and no function has another thing of that name. */
function isOfItsFile(helper: TSESTree.FunctionDeclaration, { scopes }: Subject): boolean {
  const own = scopes.scopes.find(({ block }) => (block as object) === helper);
  const inner = scopes.scopes.filter(
    ({ type, block }) => type !== 'global' && type !== 'module' && (block as object) !== helper,
  );
  const taken = new Set(inner.flatMap(({ variables }) => variables.map(({ name }) => name)));
  return (own?.through ?? []).every(({ identifier }) => !taken.has(String(identifier.name)));
}
