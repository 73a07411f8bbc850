import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../flow/graph.ts';
import { statementKinds, type StatementKind } from '../model/sql.ts';
import { definitionOf, keyName, unwrap, variableOf, type SourceFile } from './source-file.ts';

/** The kinds of the statements that a `query` call sends; empty when the text is not known. */
export function statementsIn(call: TSESTree.CallExpression, file: SourceFile): readonly StatementKind[] {
  const [argument] = call.arguments;
  const text = argument === undefined ? undefined : sqlText(argument, file);
  return text === undefined ? [] : statementKinds(text);
}

const maximalDepth = 5;

/** The text of a statement as far as it is constant; a hole stands as a parameter, which changes no statement's kind. */
function sqlText(node: Node, file: SourceFile, depth = 0): string | undefined {
  const plain = unwrap(node);
  if (depth > maximalDepth) return undefined;
  switch (plain.type) {
    case 'Literal':
      return typeof plain.value === 'string' ? plain.value : undefined;
    case 'TemplateLiteral':
      return plain.quasis.map(({ value }) => value.cooked).join(' $0 ');
    case 'TaggedTemplateExpression':
      return sqlText(plain.quasi, file, depth + 1);
    case 'BinaryExpression':
      return plain.operator === '+' ? concatenated(sqlText(plain.left, file, depth + 1), sqlText(plain.right, file, depth + 1)) : undefined;
    case 'ObjectExpression': {
      const text = plain.properties.find((property) => property.type === 'Property' && keyName(property.key, property.computed) === 'text');
      return text?.type === 'Property' ? sqlText(text.value, file, depth + 1) : undefined;
    }
    case 'Identifier':
      return constantText(plain, file, depth);
    default:
      return undefined;
  }
}

/** A text that begins with something unknown has an unknown kind. */
function concatenated(left: string | undefined, right: string | undefined): string | undefined {
  return left === undefined ? undefined : left + (right ?? ' $0 ');
}

function constantText(identifier: TSESTree.Identifier, file: SourceFile, depth: number): string | undefined {
  const definition = definitionOf(variableOf(file, identifier));
  if (definition?.type !== 'Variable' || definition.parent.kind !== 'const') return undefined;
  const { id, init } = definition.node as unknown as TSESTree.VariableDeclarator;
  return id.type === 'Identifier' && init !== null ? sqlText(init, file, depth + 1) : undefined;
}
