import type { FunctionNode, Node } from '../syntax/node.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  definitionOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
  declarationOf,
} from '../syntax/source-file.ts';

/** What is known of code that runs once for each element of an array, all at the same time. */
export interface Rounds {
  /** Whether several of the rounds may find a test true, or false. */
  passes(test: Node, isMet: boolean): boolean;
  /** Whether an expression differs from round to round. */
  varies(node: Node): boolean;
}

/** Code that runs once. */
export const noRounds: Rounds = { passes: () => false, varies: () => false };

/** The function that is called for each element. */
export function inRound(fn: FunctionNode, file: SourceFile): Rounds {
  const [element] = paramsOf(fn);
  const varies = variesFrom(fn, element === undefined ? [] : [element], file);
  return {
    varies,
    passes: (test, isMet) => mayPass(test, isMet, { file, fn, varies, isAbout: () => true }),
  };
}

/** A function that each round calls; of what is not from the round it is not known what it is. */
export function inHelper(fn: FunctionNode, varying: readonly number[], file: SourceFile): Rounds {
  const params = varying.flatMap((index) => paramsOf(fn)[index] ?? []);
  const varies = variesFrom(fn, params, file);
  return {
    varies,
    passes: (test, isMet) =>
      params.length > 0 && mayPass(test, isMet, { file, fn, varies, isAbout: varies }),
  };
}

interface Tested {
  readonly file: SourceFile;
  readonly fn: FunctionNode;
  readonly varies: (node: Node) => boolean;
  readonly isAbout: (node: Node) => boolean;
}

function mayPass(test: Node, isMet: boolean, tested: Tested): boolean {
  const plain = unwrap(test);
  switch (plain.type) {
    case 'UnaryExpression':
      if (plain.operator === '!') return mayPass(plain.argument, !isMet, tested);
      break;
    case 'LogicalExpression':
      return [plain.left, plain.right].every((each) => mayPass(each, isMet, tested));
    case 'BinaryExpression':
      if (/^[=!]==?$/u.test(plain.operator)) {
        const isEqual = plain.operator.startsWith('=') === isMet;
        // Only one of them is equal to something that is not the same for many, such as a key.
        if (isEqual && ![plain.left, plain.right].some((each) => isConstant(each, tested.file)))
          return false;
      }
      break;
    default:
  }
  return tested.isAbout(plain) && namesIn(plain, tested.file).every((name) => isFree(name, tested));
}

/** Neither the number of a round, nor something that a round changes for the next. */
function isFree(variable: Variable, { fn }: Tested): boolean {
  const [, ...others] = paramsOf(fn);
  const own = variable.identifiers[0] as unknown as Node | undefined;
  if (own === undefined) return true;
  if (contains(fn, own)) return !(isArrayRound(fn) && others.some((each) => contains(each, own)));
  return writesTo(variable).every((written) => !contains(fn, written));
}

/** A function in the place of an argument gets the number of the round after the element. */
function isArrayRound({ parent }: FunctionNode): boolean {
  return parent?.type === 'CallExpression';
}

function isConstant(node: Node, file: SourceFile): boolean {
  const plain = unwrap(node);
  if (plain.type === 'Literal' || plain.type === 'TemplateLiteral') return true;
  if (plain.type === 'MemberExpression') return isConstant(plain.object, file);
  if (plain.type !== 'Identifier') return false;
  const definition = definitionOf(variableOf(file, plain));
  if (definition === undefined || definition.type === 'ImportBinding') return true;
  const declared = definition.node as Node;
  return (
    definition.type !== 'Parameter' &&
    (declared.type === 'TSEnumDeclaration' ||
      (declared.type === 'VariableDeclarator' &&
        declared.parent.kind === 'const' &&
        (declared.parent.parent.type === 'Program' ||
          declared.parent.parent.type === 'ExportNamedDeclaration')))
  );
}

function namesIn(node: Node, file: SourceFile): readonly Variable[] {
  const names: Variable[] = [];
  walk(file, node, (each) => {
    const variable = variableOf(file, each);
    if (variable !== undefined) names.push(variable);
    return true;
  });
  return names;
}

/** Tells what is made of an element, or of what somebody was waited for. */
function variesFrom(
  fn: FunctionNode,
  elements: readonly Node[],
  file: SourceFile,
): (node: Node) => boolean {
  const known = new Map<Variable, boolean>();
  const varies = (variable: Variable): boolean => {
    const before = known.get(variable);
    if (before !== undefined) return before;
    known.set(variable, false);
    const answer = isVarying(variable);
    known.set(variable, answer);
    return answer;
  };
  const isVarying = (variable: Variable): boolean => {
    const name = variable.identifiers[0] as unknown as Node | undefined;
    if (name === undefined || !contains(fn, name)) return false;
    if (elements.some((element) => contains(declaredBy(element) ?? element, name))) return true;
    const declared = declarationOf(variable);
    if (declared?.type !== 'VariableDeclarator') return false;
    const loop: Node = declared.parent.parent;
    const listed = loop.type === 'ForOfStatement' || loop.type === 'ForInStatement';
    const initial = listed ? loop.right : declared.init;
    return [...(initial === null ? [] : [initial]), ...writesTo(variable)].some(
      (value) => value.type === 'AwaitExpression' || namesIn(value, file).some(varies),
    );
  };
  return (node) => namesIn(node, file).some(varies);
}
