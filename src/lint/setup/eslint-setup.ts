import ts from 'typescript';
import { styleOf, type CodeStyle } from './code-style.ts';
import { findConfigList, requiredModule, type ConfigList } from './config-list.ts';
import { entriesOf, newConfiguration, pluginName } from './our-entries.ts';
import type { SetupAnswer, SetupFacts } from './setup-answer.ts';
import type { TextEdit } from './text-edit.ts';

/**
 * What to write into an ESLint configuration so that it runs our plugin: our preset as the last entry of its list.
 * Which files it lints is not touched; only a new configuration names TypeScript files.
 */
export function setUpEslint(facts: SetupFacts): SetupAnswer {
  const { text, fileName } = facts;
  if (text === null || text.trim() === '') return { kind: 'create', text: newConfiguration(facts) };
  const file = ts.createSourceFile(
    fileName,
    text,
    ts.ScriptTarget.Latest,
    true,
    /\.[mc]?ts$/u.test(fileName) ? ts.ScriptKind.TS : ts.ScriptKind.JS,
  );
  if (!parses(file))
    return byHand(facts, `${fileName} has a syntax error, so nothing was written to it.`);
  if (namesPlugin(file)) return { kind: 'already' };
  const list = findConfigList(file);
  if (list === undefined)
    return byHand(
      facts,
      `${fileName} builds its list of configurations in a way that cannot be edited safely. Add the import and the last entry of this example by hand.`,
    );
  const style = styleOf(file);
  const local = freeName(file);
  return {
    kind: 'edit',
    edits: [
      importEdit(file, list.takes, local, style),
      ...entryEdits(file, list, entriesOf(facts, local, style), style),
    ],
  };
}

function byHand(facts: SetupFacts, sentence: string): SetupAnswer {
  return { kind: 'by hand', sentence, snippet: newConfiguration(facts) };
}

/** The compiler keeps what it could not read beside the tree, without a public name for it. */
function parses(file: ts.SourceFile): boolean {
  return (
    ((file as { readonly parseDiagnostics?: readonly unknown[] }).parseDiagnostics ?? []).length ===
    0
  );
}

function namesPlugin(file: ts.SourceFile): boolean {
  const names = (node: ts.Node): boolean =>
    (ts.isStringLiteralLike(node) && node.text === pluginName) ||
    ts.forEachChild(node, (child) => names(child) || undefined) === true;
  return names(file);
}

function freeName(file: ts.SourceFile): string {
  const taken = new Set<string>();
  const collect = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) taken.add(node.text);
    ts.forEachChild(node, collect);
  };
  collect(file);
  const wished = ['poolguard', 'poolguardPlugin', 'eslintPluginPoolguard'];
  return wished.find((name) => !taken.has(name)) ?? `poolguard${taken.size}`;
}

function importEdit(
  file: ts.SourceFile,
  takes: ConfigList['takes'],
  local: string,
  style: CodeStyle,
): TextEdit {
  const { quote, semicolon, lineBreak } = style;
  const module = `${quote}${pluginName}${quote}`;
  const statement = {
    import: `import ${local} from ${module}${semicolon}`,
    require: `const ${local} = require(${module}).default${semicolon}`,
    'import require': `const ${local} = require(${module}).default${semicolon}`,
  }[takes];
  const last = file.statements.findLast(isImport);
  if (last !== undefined) {
    const at = lineEnd(file.text, last.end);
    return insert(at, `${lineBreak}${statement}`);
  }
  return insert(startOfCode(file), `${statement}${lineBreak}${lineBreak}`);
}

function isImport(statement: ts.Statement): boolean {
  if (ts.isImportDeclaration(statement) || ts.isImportEqualsDeclaration(statement)) return true;
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(
      ({ initializer }) => initializer !== undefined && requiredModule(initializer) !== undefined,
    )
  );
}

/** After a statement, and after the comment that follows it on its line; right after it when more code does. */
function lineEnd(text: string, at: number): number {
  return (ts.getTrailingCommentRanges(text, at) ?? []).reduce(
    (end, comment) => Math.max(end, comment.end),
    at,
  );
}

/** Before the first statement that is no directive, and before the comment with its type. */
function startOfCode(file: ts.SourceFile): number {
  const first = file.statements.find(
    (statement) =>
      !(ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)),
  );
  if (first === undefined) return file.text.length;
  const typed = ts
    .getLeadingCommentRanges(file.text, first.getFullStart())
    ?.find(({ pos, end }) => /@type\b/u.test(file.text.slice(pos, end)));
  return typed?.pos ?? first.getStart(file);
}

function entryEdits(
  file: ts.SourceFile,
  { entries }: ConfigList,
  ours: readonly string[],
  style: CodeStyle,
): TextEdit[] {
  const last = entries.at(-1);
  if (last === undefined) return [insert(entries.pos, ours.join(', '))];
  const isOnOwnLine = /^[\t ]*$/u.test(lineStart(file.text, last.getStart(file)));
  if (!isOnOwnLine)
    return [
      insert(
        entries.hasTrailingComma ? entries.end : last.end,
        entries.hasTrailingComma ? ` ${ours.join(', ')},` : `, ${ours.join(', ')}`,
      ),
    ];
  const indent = lineStart(file.text, last.getStart(file));
  const end = entries.hasTrailingComma ? entries.end : last.end;
  const comma = insert(last.end, entries.hasTrailingComma ? '' : ',');
  const added = ours.map((entry) => `${style.lineBreak}${indent}${entry}`).join(',');
  return [
    ...(comma.text === '' ? [] : [comma]),
    insert(lineEnd(file.text, end), `${added}${entries.hasTrailingComma ? ',' : ''}`),
  ];
}

/** What stands before a place on its line. */
function lineStart(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
}

function insert(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}
