import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { choosy } from '../choosy-resolver.ts';
import { oncePerFile } from '../../syntax/once-per-file.ts';
import type { Texts } from './known-texts.ts';
import { sqlOf } from './text.ts';
import { textsOf, type Reading } from './texts.ts';
import { unwrap, variableOf, type SourceFile } from '../../syntax/source-file.ts';

/** A word with which a statement begins that lasts, at the beginning of a text, a line or a statement. Without the flag for Unicode, because folding the case of all its letters takes ten times as long. */
const lastingStart =
  /(?:(?:["'`;}]|\*\/|\\[nrt])\s*|\n[^\S\n]*)(?:SET|LISTEN|PREPARE|LOAD)\b(?!\s*[(.=:])/i;
/** A word that only such a statement has in it. */
const lastingPart = /\b(?:TEMP(?:ORARY)?|HOLD)\b|advisory|set_config/i;

/** A cheap look at the text of a file: whether a statement that leaves session state behind may be written there. */
export const mayWriteLastingStatement = oncePerFile(
  ({ text }) => lastingStart.test(text) || lastingPart.test(text),
);

/** Opens only files in which such a statement may be written. */
export const lastingTextsOnly = choosy(mayWriteLastingStatement);

/** The same place of a text, with a word that begins or ends a transaction, or takes such state back. */
const transactional =
  /(?:(?:["'`;}]|\*\/|\\[nrt])\s*|\n[^\S\n]*)(?:BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|RESET|DISCARD|UNLISTEN|DEALLOCATE|CLOSE|DROP)\b(?!\s*[(.=:])/i;

/** A cheap look at the text of a file: whether a statement may be written there that matters to the client it runs on. */
export const mayWriteTellingStatement = oncePerFile(
  (file) => mayWriteLastingStatement(file) || transactional.test(file.text),
);

/** Opens only files in which such a statement may be written; the text of any other says nothing. */
const tellingTextsOnly = choosy(mayWriteTellingStatement);

/** The texts that an expression may have, for who reads statements that matter to the client they run on. */
export function tellingTexts(node: Node, reading: Reading): Texts {
  return textsOf(node, { ...reading, resolver: tellingTextsOnly(reading.resolver) });
}

/** The same, as a reader of statements takes them. */
export function sqlTexts(node: Node, reading: Reading): readonly string[] {
  return tellingTexts(node, reading).map(sqlOf);
}

const lastingWord = /\b(?:SET|LISTEN|PREPARE|LOAD|TEMP|TEMPORARY|HOLD)\b|advisory|set_config/iu;

/** Whether an argument may be such a text: written in place, or under a name of a file that speaks of such statements; elsewhere only a constant that is imported is looked for. */
export function mayBeLastingText(argument: Node, file: SourceFile): boolean {
  const plain = unwrap(argument);
  switch (plain.type) {
    case 'Literal':
      return typeof plain.value === 'string' && lastingWord.test(plain.value);
    case 'TemplateLiteral':
      return plain.expressions.length > 0
        ? mayWriteLastingStatement(file)
        : lastingWord.test(file.text.slice(...plain.range));
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

/** `text` or `texts.begin` of another file. */
export function isImported(node: Node, file: SourceFile): boolean {
  const start = leftmost(node);
  const definition = start.type === 'Identifier' ? variableOf(file, start)?.defs[0] : undefined;
  if (definition?.type !== 'Variable') return definition?.type === 'ImportBinding';
  const { init } = definition.node as unknown as TSESTree.VariableDeclarator;
  return init !== null && file.text.startsWith('require', init.range[0]);
}
