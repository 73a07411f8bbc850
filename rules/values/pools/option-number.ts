import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../../syntax/node.ts';
import {
  definitionOf,
  keyName,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type Variable,
} from '../../syntax/source-file.ts';
import type { Written } from './pool-options.ts';

/** What the value of a numeric option says. */
export type OptionNumber =
  /** `20`, `30 * 1000`; `source` is what would be replaced to change it. */
  | { readonly kind: 'literal'; readonly value: number; readonly source: Written }
  /** `Number(process.env.POOL_MAX ?? 20)`; `source` is the `20`. */
  | {
      readonly kind: 'fallback';
      readonly value: number;
      readonly variable: string;
      readonly source: Written;
    }
  /** `undefined`, `null`: as if the option were not there, or were 0. */
  | { readonly kind: 'undefined' | 'null' };

const maximalDepth = 4;

/** Reads a constant number, or one that something else may take the place of; undefined for anything else. */
export function numberOf(written: Written, depth = 0): OptionNumber | undefined {
  const plain = unwrap(written.node);
  const inside = (node: Node): Written => ({ node, file: written.file });
  if (depth > maximalDepth) return undefined;
  switch (plain.type) {
    case 'Literal':
      return plain.value === null && plain.raw === 'null'
        ? { kind: 'null' }
        : literalOf(inside(plain), constantOf(plain));
    case 'BinaryExpression':
      return literalOf(inside(plain), constantOf(plain));
    case 'Identifier':
      return plain.name === 'undefined'
        ? { kind: 'undefined' }
        : throughName(plain, written, depth);
    case 'CallExpression':
      return isConversion(plain) && plain.arguments[0] !== undefined
        ? converted(numberOf(inside(plain.arguments[0]), depth + 1))
        : undefined;
    case 'UnaryExpression':
      return plain.operator === '+'
        ? converted(numberOf(inside(plain.argument), depth + 1))
        : undefined;
    case 'LogicalExpression':
      return plain.operator === '&&'
        ? undefined
        : fallbackOf(plain.left, plain.right, written, depth);
    case 'ConditionalExpression':
      return nameOfGiven(plain.test, written) === nameOfGiven(plain.consequent, written)
        ? fallbackOf(plain.consequent, plain.alternate, written, depth)
        : undefined;
    default:
      return undefined;
  }
}

function literalOf(source: Written, value: number | undefined): OptionNumber | undefined {
  return value === undefined ? undefined : { kind: 'literal', value, source };
}

/** `Number('20')` may be 20; `Number(undefined)` is not a number, which is another matter. */
function converted(inner: OptionNumber | undefined): OptionNumber | undefined {
  return inner?.kind === 'literal' || inner?.kind === 'fallback' ? inner : undefined;
}

/** Numbers, texts that are numbers, and what is computed from such. */
function constantOf(node: Node): number | undefined {
  const plain = unwrap(node);
  if (plain.type === 'Literal') {
    const isNumeric =
      typeof plain.value === 'number' ||
      (typeof plain.value === 'string' && /^\s*\d+\s*$/u.test(plain.value));
    return isNumeric ? Number(plain.value) : undefined;
  }
  if (plain.type !== 'BinaryExpression') return undefined;
  const [left, right] = [plain.left, plain.right].map((each) =>
    each.type === 'Literal' && typeof each.value === 'string' ? undefined : constantOf(each),
  );
  const compute = operators[plain.operator];
  return left === undefined || right === undefined || compute === undefined
    ? undefined
    : compute(left, right);
}

const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
  '*': (a, b) => a * b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '**': (a, b) => a ** b,
};

/** `Number(…)`, `parseInt(…, 10)`, `Number.parseInt(…)` */
function isConversion({ callee, arguments: [, radix] }: CallNode): boolean {
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression' &&
          callee.object.type === 'Identifier' &&
          callee.object.name === 'Number'
        ? memberName(callee)
        : undefined;
  if (name === 'parseInt')
    return radix === undefined || (radix.type === 'Literal' && radix.value === 10);
  return (name === 'Number' && callee.type === 'Identifier') || name === 'parseFloat';
}

function fallbackOf(
  given: Node,
  otherwise: Node,
  { file }: Written,
  depth: number,
): OptionNumber | undefined {
  const variable = nameOfGiven(given, { node: given, file });
  const last = numberOf({ node: otherwise, file }, depth + 1);
  return variable === undefined || last?.kind !== 'literal'
    ? undefined
    : { ...last, kind: 'fallback', variable };
}

/** `POOL_MAX` for `process.env.POOL_MAX` and `Number(process.env.POOL_MAX)`; other names as they are written. */
function nameOfGiven(node: Node, { file }: Written): string | undefined {
  const plain = withoutConversion(node);
  if (plain.type !== 'MemberExpression' && plain.type !== 'Identifier') return undefined;
  const text = file.text.slice(...plain.range);
  const name =
    plain.type === 'MemberExpression' && environment.test(text)
      ? memberName(plain)
      : text.replace(/\s+/gu, ' ');
  return name === undefined || name.length > longestName || name === 'undefined' ? undefined : name;
}

const longestName = 60;
const environment = /^(?:process|import\.meta)\s*\??\.\s*env\b/u;

function withoutConversion(node: Node): Node {
  const plain = unwrap(node);
  if (plain.type === 'CallExpression')
    return isConversion(plain) && plain.arguments[0] !== undefined
      ? withoutConversion(plain.arguments[0])
      : plain;
  return plain.type === 'UnaryExpression' && plain.operator === '+'
    ? withoutConversion(plain.argument)
    : plain;
}

/** `const max = 20`, `const { POOL_MAX = '20' } = process.env` */
function throughName(
  identifier: TSESTree.Identifier,
  { file }: Written,
  depth: number,
): OptionNumber | undefined {
  const variable = variableOf(file, identifier);
  const definition = definitionOf(variable);
  if (variable === undefined || definition?.type !== 'Variable' || writesTo(variable).length > 0)
    return undefined;
  const { id, init } = definition.node as unknown as TSESTree.VariableDeclarator;
  if (init === null) return undefined;
  if (id.type === 'Identifier') return numberOf({ node: init, file }, depth + 1);
  return id.type === 'ObjectPattern' && file.text.slice(...init.range) === 'process.env'
    ? takenFromEnvironment(id, variable, { node: init, file }, depth)
    : undefined;
}

function takenFromEnvironment(
  { properties }: TSESTree.ObjectPattern,
  variable: Variable,
  { file }: Written,
  depth: number,
): OptionNumber | undefined {
  for (const property of properties) {
    if (
      property.type !== 'Property' ||
      property.value.type !== 'AssignmentPattern' ||
      property.value.left !== variable.identifiers[0]
    )
      continue;
    const name = keyName(property.key, property.computed);
    const last = numberOf({ node: property.value.right, file }, depth + 1);
    return name === undefined || last?.kind !== 'literal'
      ? undefined
      : { ...last, kind: 'fallback', variable: name };
  }
  return undefined;
}
