import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { hole } from '../../model/sql.ts';
import type { Resolver } from '../identity/resolver.ts';
import { tellingTextsOnly } from './session-texts.ts';
import {
  definitionOf,
  keyName,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../files/source-file.ts';

/** Where a text is read: its file, and what the parameters around it are known to be. */
export interface Reading {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  /** Parameters of the function that is being read whose texts its caller gave. */
  readonly given: ReadonlyMap<Variable, string>;
}

/** No parameter has a known text. */
export const nothingGiven: ReadonlyMap<Variable, string> = new Map();

const maximalDepth = 8;
/** A text with more alternatives than this is not known. */
const maximalAlternatives = 6;

/** The texts that an expression may have, as far as they are constant; each part that is not known reads like a parameter. */
export function sqlTexts(node: Node, reading: Reading, depth = 0): readonly string[] {
  const plain = unwrap(node);
  if (depth > maximalDepth) return [];
  if (plain.type === 'ConditionalExpression')
    return several([plain.consequent, plain.alternate], reading, depth);
  if (plain.type === 'LogicalExpression')
    return several(
      plain.operator === '&&' ? [plain.right] : [plain.left, plain.right],
      reading,
      depth,
    );
  if (plain.type === 'Identifier') return textsOfName(plain, reading, depth);
  const text = textOf(plain, reading, depth);
  return text === undefined ? [] : [text];
}

function several(nodes: readonly Node[], reading: Reading, depth: number): readonly string[] {
  const texts = nodes.flatMap((node) => sqlTexts(node, reading, depth + 1));
  return texts.length > maximalAlternatives ? [] : texts;
}

/** The text of an expression that has only one. */
function onlyText(node: Node, reading: Reading, depth: number): string | undefined {
  const texts = sqlTexts(node, reading, depth + 1);
  return texts.length === 1 ? texts[0] : undefined;
}

function textOf(node: Node, reading: Reading, depth: number): string | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'TemplateLiteral':
      return node.quasis
        .map(({ value }, index) => value.cooked + filledIn(node.expressions[index], reading, depth))
        .join('');
    case 'TaggedTemplateExpression':
      return textOf(node.quasi, reading, depth);
    case 'BinaryExpression':
      return node.operator === '+'
        ? filledIn(node.left, reading, depth) + filledIn(node.right, reading, depth)
        : undefined;
    case 'AwaitExpression':
      return onlyText(node.argument, reading, depth);
    case 'ObjectExpression':
      return textOfConfig(node, reading, depth);
    // `new Query('…')`, `new Cursor('…')`
    case 'NewExpression':
      return node.arguments[0] === undefined
        ? undefined
        : onlyText(node.arguments[0], reading, depth);
    case 'CallExpression':
      return textOfCall(node, reading, depth);
    case 'MemberExpression':
      return textOfEntity(node, reading, depth);
    default:
      return undefined;
  }
}

function filledIn(node: Node | undefined, reading: Reading, depth: number): string {
  return node === undefined ? '' : (onlyText(node, reading, depth) ?? hole);
}

/** `{ text, values }` */
function textOfConfig(
  node: TSESTree.ObjectExpression,
  reading: Reading,
  depth: number,
): string | undefined {
  const text = node.properties.find(
    (property) =>
      property.type === 'Property' && keyName(property.key, property.computed) === 'text',
  );
  return text?.type === 'Property' ? onlyText(text.value, reading, depth) : undefined;
}

/** Methods of strings that leave a statement what it is. */
const sameText: ReadonlySet<string> = new Set([
  'trim',
  'trimStart',
  'trimEnd',
  'toString',
  'replace',
  'replaceAll',
  'toLowerCase',
  'toUpperCase',
  'valueOf',
]);
/** Functions that fill the values of their other arguments into the text of the first, and functions of libraries that mark a text as SQL. */
const formatters: ReadonlySet<string> = new Set([
  'format',
  'pgFormat',
  'withArray',
  'sprintf',
  'raw',
  'unsafe',
  'sql',
  'SQL',
  'dedent',
  'stripIndent',
  'oneLine',
]);

function textOfCall(
  { callee, arguments: given }: TSESTree.CallExpression,
  reading: Reading,
  depth: number,
): string | undefined {
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression'
        ? memberName(callee)
        : undefined;
  if (name === undefined) return undefined;
  const made =
    callee.type === 'MemberExpression'
      ? textOfMethod(callee.object, name, given, reading, depth)
      : undefined;
  if (made !== undefined) return made;
  const [first] = given;
  if (first !== undefined && (formatters.has(name) || isFormatter(callee, reading)))
    return onlyText(first, reading, depth)?.replace(/%(?:\d+\$)?[-\d]*[ILsdjo]/gu, hole);
  return textOfEntity(callee, reading, depth) ?? textGivenTo(given, reading, depth);
}

function textOfMethod(
  object: Node,
  name: string,
  given: readonly Node[],
  reading: Reading,
  depth: number,
): string | undefined {
  if (name === 'join') return joined(object, given[0], reading, depth);
  if (name === 'concat')
    return [object, ...given].map((part) => filledIn(part, reading, depth)).join('');
  return sameText.has(name) ? onlyText(object, reading, depth) : undefined;
}

function isFormatter(callee: Node, { resolver, file }: Reading): boolean {
  const entity = tellingTextsOnly(resolver).entityOf(callee, file);
  return (
    entity?.kind === 'package' &&
    (entity.module === 'pg-format' || (entity.module === 'util' && entity.name === 'format'))
  );
}

/** `toParameters(sql, values)`: inside of a helper, what is made of the text that it was given is still that statement. */
function textGivenTo(given: readonly Node[], reading: Reading, depth: number): string | undefined {
  if (reading.given.size === 0) return undefined;
  const texts = given.flatMap((argument) =>
    argument.type === 'Identifier' ? sqlTexts(argument, reading, depth + 1) : [],
  );
  return texts.length === 1 ? texts[0] : undefined;
}

/** `['SET', name].join(' ')` */
function joined(
  list: Node,
  separator: Node | undefined,
  reading: Reading,
  depth: number,
): string | undefined {
  const elements = elementsOf(list, reading);
  return elements
    ?.map((element) => filledIn(element, reading, depth))
    .join(separator === undefined ? ',' : filledIn(separator, reading, depth));
}

function elementsOf(list: Node, { file }: Reading): readonly Node[] | undefined {
  const plain = unwrap(list);
  const array = plain.type === 'Identifier' ? constantOf(variableOf(file, plain)) : plain;
  return array?.type === 'ArrayExpression'
    ? array.elements.filter((element) => element !== null)
    : undefined;
}

function constantOf(variable: Variable | undefined): Node | undefined {
  const definition = definitionOf(variable);
  if (variable === undefined || definition?.type !== 'Variable' || writesTo(variable).length > 0)
    return undefined;
  const init = (definition.node as unknown as TSESTree.VariableDeclarator).init;
  return init === null ? undefined : unwrap(init);
}

function textsOfName(
  identifier: TSESTree.Identifier,
  reading: Reading,
  depth: number,
): readonly string[] {
  const variable = variableOf(reading.file, identifier);
  const given = variable === undefined ? undefined : reading.given.get(variable);
  if (given !== undefined) return [given];
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined) return [];
  if (definition.type !== 'Variable') return entityTexts(identifier, reading, depth);
  const declarator = definition.node as unknown as TSESTree.VariableDeclarator;
  const loop = declarator.parent.parent;
  if (loop.type === 'ForOfStatement' && loop.left === declarator.parent)
    return several(elementsOf(loop.right, reading) ?? [], reading, depth);
  return (
    textsOfVariable(variable, declarator, reading, depth) ?? entityTexts(identifier, reading, depth)
  );
}

type Texts = readonly string[] | undefined;

// A cache, keyed by the resolver and by what is known of parameters: it holds nothing of its own.
const textsByReading = new WeakMap<
  Resolver,
  WeakMap<ReadonlyMap<Variable, string>, Map<Variable, Texts[]>>
>();

/** The texts of a variable that is put together in many steps, each from the one before, are asked for at each step: at each depth they are found once. */
function onceAtDepth(
  variable: Variable,
  { resolver, given }: Reading,
  depth: number,
  find: () => Texts,
): Texts {
  const byGiven = getOrMake(
    textsByReading,
    resolver,
    () => new WeakMap<ReadonlyMap<Variable, string>, Map<Variable, Texts[]>>(),
  );
  const byVariable = getOrMake(byGiven, given, () => new Map<Variable, Texts[]>());
  const known = getOrMake(byVariable, variable, () => []);
  if (!(depth in known)) known[depth] = find();
  return known[depth];
}

function getOrMake<Key, Made>(
  map: { get(key: Key): Made | undefined; set(key: Key, made: Made): unknown },
  key: Key,
  make: () => Made,
): Made {
  const before = map.get(key);
  if (before !== undefined) return before;
  const made = make();
  map.set(key, made);
  return made;
}

/** The initial text and whatever is assigned later; what `+=` adds changes no statement's kind. Undefined when other code decides. */
function textsOfVariable(
  variable: Variable,
  { id, init }: TSESTree.VariableDeclarator,
  reading: Reading,
  depth: number,
): Texts {
  if (id.type !== 'Identifier')
    return init === null ? undefined : textsTakenFrom(init, reading, depth);
  return depth >= maximalDepth
    ? undefined
    : onceAtDepth(variable, reading, depth, () => textsWritten(variable, init, reading, depth));
}

function textsWritten(
  variable: Variable,
  init: Node | null,
  reading: Reading,
  depth: number,
): Texts {
  const written = writesTo(variable);
  const values = [
    ...(init === null ? [] : [init]),
    ...written.filter((value) => !isAppended(value)),
  ];
  const texts = values.map((value) => sqlTexts(value, reading, depth + 1));
  if (texts.length === 0 || texts.some(({ length }) => length === 0)) return undefined;
  const appended = written.some(isAppended) ? hole : '';
  return texts
    .flat()
    .slice(0, maximalAlternatives)
    .map((text) => text + appended);
}

/** `const { text } = toParameters(sql)` */
function textsTakenFrom(
  init: Node,
  reading: Reading,
  depth: number,
): readonly string[] | undefined {
  const plain = unwrap(init);
  const text =
    plain.type === 'CallExpression' ? textGivenTo(plain.arguments, reading, depth) : undefined;
  return text === undefined ? undefined : [text];
}

function isAppended(written: Node): boolean {
  return written.parent?.type === 'AssignmentExpression' && written.parent.operator === '+=';
}

/** A constant of another file, of an object or of a class. */
function entityTexts(node: Node, reading: Reading, depth: number): readonly string[] {
  const text = textOfEntity(node, reading, depth);
  return text === undefined ? [] : [text];
}

function textOfEntity(
  node: Node,
  { resolver: asked, file }: Reading,
  depth: number,
): string | undefined {
  const resolver = tellingTextsOnly(asked);
  const entity = resolver.entityOf(node, file);
  const inside = entity?.kind === 'function' ? resolver.returnedBy(entity) : entity;
  if (inside?.kind !== 'text' && inside?.kind !== 'object') return undefined;
  return onlyText(inside.node, { resolver, file: inside.file, given: nothingGiven }, depth + 1);
}
