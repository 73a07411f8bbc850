import ts from 'typescript';
import { proseOfHtml } from './html-prose.ts';

/** A text for people, and where it stands. */
export interface Text {
  readonly path: string;
  readonly line: number;
  /** What receives it: a property, a function, a tag of a template. */
  readonly kind: string;
  /** With `…` for each value that is filled in. */
  readonly text: string;
}

/** What takes strings that are code: tags, functions, lists of names. */
const codeReceivers = new Set(['css', 'sql', 'svg', 'raw', 'RegExp', 'named', 'split']);

/** The texts in a file of TypeScript: strings and templates with a space and a word in lower case. */
export function textsInCode(path: string, code: string): readonly Text[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftOut(node)) return;
    const written = writtenIn(node);
    if (written !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      const kind = receiverOf(node);
      const prose = kind === 'html' ? proseOfHtml(written) : [written];
      texts.push(...prose.filter(isProse).map((text) => ({ path, line, kind, text })));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

function isLeftOut(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    codeReceivers.has(receiverName(node))
  );
}

function writtenIn(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** The name of what the text is given to; branches, arrays and wrappers in between are passed over. */
function receiverOf(node: ts.Node): string {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isThrowStatement(at)) return 'throw';
    const name = receiverName(at);
    if (name !== '') return name;
  }
  return 'file';
}

function receiverName(node: ts.Node): string {
  if (ts.isTaggedTemplateExpression(node)) return lastName(node.tag);
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return lastName(node.expression);
  if (
    ts.isPropertyAssignment(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node)
  )
    return node.name?.getText().replace(/'/gu, '') ?? '';
  return '';
}

function lastName(node: ts.Node): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : '';
}

function isProse(text: string): boolean {
  return /\s/u.test(text.trim()) && /(?<![\w.$-])[a-z]{2,}(?![\w(])/u.test(text) && !isSql(text);
}

/** SQL that a person does not read: it begins with a keyword and ends no sentence. */
function isSql(text: string): boolean {
  return (
    /^[\s(…]*(?:ALTER|AND|BEGIN|COALESCE|CREATE|CROSS|DEALLOCATE|DECLARE|DELETE FROM|DISCARD|EXPLAIN|FROM|GROUP BY|INSERT INTO|JOIN|LEFT|ORDER BY|PREPARE|RESET|SELECT|SET|SHOW|TABLE|UPDATE|VALUES|WHERE|WITH)\b/u.test(
      text,
    ) && !/[.:?]\s*$/u.test(text)
  );
}
