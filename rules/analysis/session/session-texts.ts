import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { createResolver, type Resolver } from '../identity/resolver.ts';
import { unwrap, variableOf, type SourceFile } from '../files/source-file.ts';
import { handsOn } from './worth-reading.ts';

/** A word with which a statement begins that lasts, at the beginning of a text, a line or a statement; or one that only such a statement has in it. */
const lasting = /\b(?:SET|LISTEN|PREPARE|LOAD)\b(?!\s*[(.=:])(?<=(?:["'`;}\n]|\*\/|\\[nrt])\s*\w+)|\bTEMP(?:ORARY)?\b|\bHOLD\b|advisory|set_config/iu;

const known = new WeakMap<SourceFile, boolean>();

/** A cheap look at the text of a file: whether a statement that leaves session state behind may be written there. */
export function mayWriteLastingStatement(file: SourceFile): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  const isWritten = lasting.test(file.text);
  known.set(file, isWritten);
  return isWritten;
}

const readers = new WeakMap<Resolver, Resolver>();

/** Opens only files in which such a statement may be written, and files that hand on others' exports. */
export function lastingTextsOnly(resolver: Resolver): Resolver {
  const before = readers.get(resolver);
  if (before !== undefined) return before;
  const isWorthOpening = (file: SourceFile): boolean => mayWriteLastingStatement(file) || handsOn(file);
  const gated = createResolver({
    read(specifier, importer) {
      const file = resolver.reader.read(specifier, importer);
      return file !== undefined && isWorthOpening(file) ? file : undefined;
    },
  });
  readers.set(resolver, gated);
  return gated;
}

const lastingWord = /\b(?:SET|LISTEN|PREPARE|LOAD|TEMP|TEMPORARY|HOLD)\b|advisory|set_config/iu;

/** Whether an argument may be such a text: written in place, or under a name of a file that speaks of such statements; elsewhere only a constant that is imported is looked for. */
export function mayBeLastingText(argument: Node, file: SourceFile): boolean {
  const plain = unwrap(argument);
  switch (plain.type) {
    case 'Literal':
      return typeof plain.value === 'string' && lastingWord.test(plain.value);
    case 'TemplateLiteral':
      return plain.expressions.length > 0 ? mayWriteLastingStatement(file) : lastingWord.test(file.text.slice(...plain.range));
    case 'Identifier':
    case 'MemberExpression':
      return isImported(plain, file) || (mayWriteLastingStatement(file) && !startsAtThis(plain));
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ArrayExpression':
      return false;
    default:
      return mayWriteLastingStatement(file);
  }
}

/** The expression at the very left: `a` of `a.b.c`. */
function leftmost(node: Node): Node {
  return node.type === 'MemberExpression' ? leftmost(unwrap(node.object)) : node;
}

function startsAtThis(node: Node): boolean {
  return leftmost(node).type === 'ThisExpression';
}

function isImported(node: Node, file: SourceFile): boolean {
  const start = leftmost(node);
  const definition = start.type === 'Identifier' ? variableOf(file, start)?.defs[0] : undefined;
  if (definition?.type !== 'Variable') return definition?.type === 'ImportBinding';
  const { init } = definition.node as unknown as TSESTree.VariableDeclarator;
  return init !== null && file.text.startsWith('require', init.range[0]);
}
