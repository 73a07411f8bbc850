import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import type { Edit } from './suggestion.ts';
import {
  contains,
  definitionOf,
  findAncestor,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Resolver } from '../values/resolver.ts';
import { indentAt, beginsLine, restOfLine, withLineBreaksOf } from './lines.ts';
import type { DeclaredPool, PoolOptionName, PoolValues } from '../values/pools/declared-pool.ts';
import { poolsMadeIn, writtenOption } from '../values/pools/declared-pools.ts';
import { numberOf } from '../values/pools/option-number.ts';
import { optionsOf, type PoolOptions, type Written } from '../values/pools/pool-options.ts';

const names: readonly PoolOptionName[] = ['max', 'connectionTimeoutMillis', 'idleTimeoutMillis'];

/** The edits that write these numbers into the options of a pool of the file, apart from each other; undefined where that cannot be done safely. */
export function editsForPool(
  pool: DeclaredPool,
  values: PoolValues,
  file: SourceFile,
  resolver: Resolver,
): readonly Edit[] | undefined {
  const made = poolsMadeIn(file, resolver).find(
    ({ node: { loc } }) =>
      loc.start.line === pool.place.start.line && loc.start.column === pool.place.start.column,
  );
  return made === undefined ? undefined : editsFor(made.node, values, file, resolver);
}

/** The same for a `new` expression that makes a pool. */
export function editsFor(
  made: TSESTree.NewExpression,
  values: PoolValues,
  file: SourceFile,
  resolver: Resolver,
): readonly Edit[] | undefined {
  const options = optionsOf(made, file, resolver);
  const replaced: Edit[] = [];
  const added: string[] = [];
  for (const name of names) {
    const value = values[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 0) return undefined;
    const edit = editOf(name, value, options, made, file, resolver);
    if (edit === undefined) return undefined;
    if (typeof edit === 'string') added.push(edit);
    else replaced.push(edit);
  }
  const additions = added.length === 0 ? [] : additionsTo(options, added, made, file);
  return additions === undefined
    ? undefined
    : withLineBreaksOf(file.text, [
        ...replaced.filter(({ range, text }) => file.text.slice(...range) !== text),
        ...additions,
      ]);
}

/** The edit of an option that is written down, or the property to add; undefined where nobody can tell. */
function editOf(
  name: PoolOptionName,
  value: number,
  options: PoolOptions | null | undefined,
  made: TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): Edit | string | undefined {
  const written = writtenOf(name, options, made, file, resolver);
  if (written === undefined) return undefined;
  return written === null ? `${name}: ${value}` : replace(written, value, made, file);
}

/** `poolSize` where that is what counts: it is pg-pool's older name of `max`. */
function writtenOf(
  name: PoolOptionName,
  options: PoolOptions | null | undefined,
  made: TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): Written | null | undefined {
  const written = writtenOption(options, name, made, file, resolver);
  return name === 'max' && written === null
    ? writtenOption(options, 'poolSize', made, file, resolver)
    : written;
}

/** A number is changed where it is written, if nothing else depends on that. */
function replace(
  written: Written,
  value: number,
  made: TSESTree.NewExpression,
  file: SourceFile,
): Edit | undefined {
  const number = numberOf(written);
  if (number === undefined || written.file !== file) return undefined;
  const source =
    number.kind === 'literal' || number.kind === 'fallback'
      ? number.source
      : { node: unwrap(written.node), file };
  if (source.file !== file || !isOnlyFor(source.node, made, file)) return undefined;
  return {
    range: source.node.range,
    text: isQuoted(source.node)
      ? file.text.slice(...source.node.range).replace(/\d+/u, String(value))
      : String(value),
  };
}

function isQuoted(node: Node): boolean {
  return node.type === 'Literal' && typeof node.value === 'string';
}

const maximalDepth = 3;

/** True for what stands in the `new` expression itself, and for what stands in a variable that is named only there, or in another such variable. */
function isOnlyFor(node: Node, made: Node, file: SourceFile, depth = 0): boolean {
  if (contains(made, node)) return true;
  const declarator = findAncestor(
    node,
    (each): each is TSESTree.VariableDeclarator => each.type === 'VariableDeclarator',
  );
  const use =
    declarator === undefined || isExported(declarator)
      ? undefined
      : onlyUse(enclosingName(declarator, node), file);
  return use !== undefined && depth < maximalDepth && isOnlyFor(use, made, file, depth + 1);
}

/** The only place that asks for a variable, or writes to it, besides its declaration. */
function onlyUse(name: Node | undefined, file: SourceFile): Node | undefined {
  const variable = name === undefined ? undefined : variableOf(file, name);
  const [only, ...more] = variable?.references.filter((each) => each.init !== true) ?? [];
  return only === undefined || more.length > 0 || definitionOf(variable) === undefined
    ? undefined
    : (only.identifier as unknown as Node);
}

/** The variable that a part of its declaration is for. */
function enclosingName({ id }: TSESTree.VariableDeclarator, node: Node): Node | undefined {
  if (id.type === 'Identifier') return id;
  const pattern = findAncestor(
    node,
    (each): each is TSESTree.AssignmentPattern => each.type === 'AssignmentPattern',
  );
  return pattern?.left.type === 'Identifier' ? pattern.left : undefined;
}

function isExported(declarator: Node): boolean {
  const declaration = parentOf(declarator);
  return declaration !== undefined && parentOf(declaration)?.type === 'ExportNamedDeclaration';
}

function additionsTo(
  options: PoolOptions | null | undefined,
  properties: readonly string[],
  made: TSESTree.NewExpression,
  file: SourceFile,
): readonly Edit[] | undefined {
  if (options === undefined) return undefined;
  if (options === null) return withoutOptions(made, properties, file);
  return options.file === file && isOnlyFor(options.node, made, file)
    ? addedTo(options.node, properties, file)
    : undefined;
}

/** `new Pool()`, `new Pool` */
function withoutOptions(
  { callee, range }: TSESTree.NewExpression,
  properties: readonly string[],
  file: SourceFile,
): readonly Edit[] | undefined {
  const rest = file.text.slice(callee.range[1], range[1]);
  return /^\s*(?:\(\s*\))?$/u.test(rest)
    ? [{ range: [callee.range[1], range[1]], text: `({ ${properties.join(', ')} })` }]
    : undefined;
}

/** After the last property, on lines of their own where that one has one. */
function addedTo(
  { properties, range, loc }: TSESTree.ObjectExpression,
  added: readonly string[],
  file: SourceFile,
): readonly Edit[] | undefined {
  const last = properties.at(-1);
  if (last === undefined)
    return /^\{\s*\}$/u.test(file.text.slice(...range))
      ? [{ range, text: `{ ${added.join(', ')} }` }]
      : undefined;
  const end = last.range[1];
  const start = last.range[0];
  const isOnLine = beginsLine(file.text, start) && loc.start.line < last.loc.start.line;
  return isOnLine
    ? addedLines(end, indentAt(file.text, start), added, file)
    : [{ range: [end, end], text: `, ${added.join(', ')}` }];
}

/** What is said after the last property in a comment stays with it. */
function addedLines(
  end: number,
  indent: string,
  added: readonly string[],
  file: SourceFile,
): readonly Edit[] {
  const lines = added.map((property) => `\n${indent}${property}`);
  const rest = restOfLine(file.text, end);
  const comment = /^(\s*,)?\s*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/\s*)$/u.exec(rest);
  if (comment === null)
    return [{ range: [end, end], text: lines.map((line) => `,${line}`).join('') }];
  const behind = end + rest.trimEnd().length;
  const hasComma = comment[1] !== undefined;
  return [
    ...(hasComma ? [] : [{ range: [end, end] as const, text: ',' }]),
    { range: [behind, behind], text: lines.join(',') + (hasComma ? ',' : '') },
  ];
}
