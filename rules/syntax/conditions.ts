import type { TSESTree } from '@typescript-eslint/types';
import { isNothing } from './constants.ts';
import type { FunctionNode, Node, CallNode } from './node.ts';
import { contains, parentOf, referencesTo, unwrap, type SourceFile } from './source-file.ts';

/** What is missing where control comes to a node of a function. */
export function absentAt(node: Node, fn: FunctionNode, file: SourceFile): readonly Node[] {
  return collectUpTo(fn, node, (up, branch) => absentIn(up, branch, file));
}

/** What is there where control comes to a node of a function. */
export function presentAt(node: Node, fn: FunctionNode): readonly Node[] {
  return collectUpTo(fn, node, presentIn);
}

function collectUpTo(
  fn: FunctionNode,
  node: Node,
  find: (up: Node, branch: Node) => readonly Node[],
): readonly Node[] {
  const found: Node[] = [];
  for (
    let inner = node, up = parentOf(inner);
    up !== undefined && up !== fn;
    inner = up, up = parentOf(up)
  )
    found.push(...find(up, inner));
  return found;
}

/** What is not there where this branch of an expression or statement is taken, or this statement is come to. */
function absentIn(up: Node, branch: Node, file: SourceFile): readonly Node[] {
  switch (up.type) {
    case 'LogicalExpression':
      if (up.right !== branch) return [];
      return up.operator === '??'
        ? [unwrap(up.left)]
        : toldBy(up.left, up.operator === '&&', 'missing');
    case 'BlockStatement':
      return up.body
        .slice(0, up.body.indexOf(branch as TSESTree.Statement))
        .flatMap((before) => askedByExit(before, file));
    case 'ConditionalExpression':
    case 'IfStatement':
      return up.test === branch ? [] : toldBy(up.test, up.consequent === branch, 'missing');
    default:
      return [];
  }
}

/** `if (given) return …;` */
function askedByExit(statement: Node, file: SourceFile): readonly Node[] {
  if (statement.type !== 'IfStatement' || !leaves(statement.consequent)) return [];
  return toldBy(statement.test, false, 'missing').map((asked) =>
    asked.type === 'CallExpression'
      ? (guardedIn(asked, statement.consequent, file) ?? asked)
      : asked,
  );
}

/** `given` of `if (isTransaction(given)) return work(given);`: what a guard looks at, and what is used where it holds. */
function guardedIn(
  { arguments: [given, ...more] }: CallNode,
  branch: Node,
  file: SourceFile,
): Node | undefined {
  return given !== undefined &&
    more.length === 0 &&
    referencesTo(given, file).some((each) => contains(branch, each))
    ? given
    : undefined;
}

/** Nothing after the statement is come to. */
function leaves(statement: Node | undefined): boolean {
  switch (statement?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return true;
    case 'BlockStatement':
      return leaves(statement.body.at(-1));
    case 'TryStatement':
      return (
        leaves(statement.block) && (statement.handler === null || leaves(statement.handler.body))
      );
    default:
      return false;
  }
}

/** What a test asks for, and whether it holds when that is there. */
export function questionIn(test: Node): readonly [asked: Node | undefined, isThere: boolean] {
  if (test.type === 'UnaryExpression' && test.operator === '!') {
    const [asked, isThere] = questionIn(unwrap(test.argument));
    return [asked, !isThere];
  }
  if (test.type !== 'BinaryExpression') return [test, true];
  return [
    isNothing(test.right) && /^[!=]==?$/u.test(test.operator) ? unwrap(test.left) : undefined,
    test.operator.startsWith('!'),
  ];
}

/** What is there where this branch of an expression or statement is taken, or this statement is come to. */
function presentIn(up: Node, branch: Node): readonly Node[] {
  switch (up.type) {
    case 'LogicalExpression':
      return up.operator === '&&' && up.right === branch ? toldBy(up.left, true, 'there') : [];
    case 'BlockStatement':
      return up.body
        .slice(0, up.body.indexOf(branch as TSESTree.Statement))
        .flatMap((each) =>
          each.type === 'IfStatement' && leaves(each.consequent)
            ? toldBy(each.test, false, 'there')
            : [],
        );
    case 'ConditionalExpression':
    case 'IfStatement':
      return up.test === branch ? [] : toldBy(up.test, up.consequent === branch, 'there');
    default:
      return [];
  }
}

/** What is there, or missing, when a test comes out so: by each side of `a && b` that holds, and of `a || b` that does not. */
function toldBy(test: Node, outcome: boolean, wanted: 'there' | 'missing'): readonly Node[] {
  const plain = unwrap(test);
  if (plain.type === 'LogicalExpression')
    return (plain.operator === '&&') === outcome
      ? [plain.left, plain.right].flatMap((side) => toldBy(side, outcome, wanted))
      : [];
  const [asked, isThere] = questionIn(plain);
  const told = isThere === outcome ? 'there' : 'missing';
  return asked !== undefined && told === wanted ? [asked] : [];
}
