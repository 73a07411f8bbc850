import ts from 'typescript';

/** How a file is written, so that what is added looks like the rest. */
export interface CodeStyle {
  readonly quote: '"' | "'";
  readonly semicolon: '' | ';';
  readonly indent: string;
  readonly lineBreak: '\n' | '\r\n';
}

const ownStyle: CodeStyle = { quote: "'", semicolon: ';', indent: '  ', lineBreak: '\n' };

export function styleOf(file: ts.SourceFile): CodeStyle {
  const { text } = file;
  const simple = file.statements.filter(
    (statement) =>
      ts.isImportDeclaration(statement) ||
      ts.isExportAssignment(statement) ||
      ts.isVariableStatement(statement) ||
      ts.isExpressionStatement(statement),
  );
  return {
    quote: firstString(file)?.startsWith('"') === true ? '"' : "'",
    semicolon:
      simple.length > 0 && !simple.some((statement) => statement.getText(file).endsWith(';'))
        ? ''
        : ';',
    indent:
      /\n(?<indent>[\t ]+)\S/u.exec(withoutBlockComments(text))?.groups?.['indent'] ??
      ownStyle.indent,
    lineBreak: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function firstString(file: ts.SourceFile): string | undefined {
  const find = (node: ts.Node): string | undefined =>
    ts.isStringLiteral(node) ? node.getText(file) : ts.forEachChild(node, find);
  return ts.forEachChild(file, find);
}

/** The lines of a block comment start with a blank and a star, which says nothing about the code. */
function withoutBlockComments(text: string): string {
  return text.replace(/\/\*[^]*?(?:\*\/|$)/gu, '');
}
