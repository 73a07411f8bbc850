import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import {
  definitionOf,
  keyName,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../../syntax/source-file.ts';
import type { Resolver } from '../resolver.ts';
import {
  answerOnce,
  answersFor,
  createQuestion,
  nothingGiven,
  type GivenTexts,
  type Question,
  type Texts,
} from './known-texts.ts';
import { concatenated, holeFor, sizeOf, written, type Text } from './text.ts';
import { filling, onlyText, textOfValue, type Place } from './place.ts';
import { elementsBehind } from './text-lists.ts';
import { textGivenTo, textOfCall } from './texts-of-calls.ts';

/** Where a text is read. */
export interface Reading {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  /** Texts of the parameters of the function that is being read. */
  readonly given?: GivenTexts;
}

/** A text that may be more than this many is not known. */
const maximalAlternatives = 12;
/** Nor is one that is longer: texts that are made of each other double with each step. */
const maximalSize = 200_000;

/** The texts that an expression may have, as far as they are constant. */
export function textsOf(node: Node, { file, resolver, given = nothingGiven }: Reading): Texts {
  return placeIn(file, resolver, given, createQuestion()).textsOf(node);
}

function placeIn(
  file: SourceFile,
  resolver: Resolver,
  given: GivenTexts,
  question: Question,
): Place {
  const answers = answersFor(resolver, given);
  const place: Place = {
    file,
    resolver,
    given,
    textsOf(node) {
      const plain = unwrap(node);
      return place.once(plain, () => withinBounds(findTexts(plain, place)));
    },
    once: (subject, find) => answerOnce(subject, answers, question, find),
    in: (other) => placeIn(other, resolver, nothingGiven, question),
  };
  return place;
}

function findTexts(node: Node, place: Place): Texts {
  switch (node.type) {
    case 'ConditionalExpression':
      return anyOf([node.consequent, node.alternate], place);
    case 'LogicalExpression':
      return anyOf(node.operator === '&&' ? [node.right] : [node.left, node.right], place);
    case 'Identifier':
      return textsOfName(node, place);
    default:
      return listOf(findText(node, place));
  }
}

function anyOf(nodes: readonly Node[], place: Place): Texts {
  return nodes.flatMap((node) => place.textsOf(node));
}

function withinBounds(texts: Texts): Texts {
  return texts.length > maximalAlternatives || texts.some((text) => sizeOf(text) > maximalSize)
    ? []
    : texts;
}

function listOf(text: Text | undefined): Texts {
  return text === undefined ? [] : [text];
}

function findText(node: Node, place: Place): Text | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? written(node.value, node) : undefined;
    case 'TemplateLiteral':
      return textOfTemplate(node, place);
    case 'TaggedTemplateExpression':
      return textOfTagged(node, place);
    case 'BinaryExpression':
      return node.operator === '+'
        ? concatenated(operandsOf(node).map((operand) => filling(operand, place)))
        : undefined;
    case 'AwaitExpression':
      return onlyText(node.argument, place);
    case 'ObjectExpression':
      return textOfConfig(node, place);
    // `new Query('…')`, `new Cursor('…')`
    case 'NewExpression':
      return node.arguments[0] === undefined ? undefined : onlyText(node.arguments[0], place);
    case 'CallExpression':
      return textOfCall(node, place);
    case 'MemberExpression':
      return textOfEnum(node, place) ?? textOfValue(node, place);
    default:
      return undefined;
  }
}

/** `a + b + c`, which may be thousands. */
function operandsOf(sum: TSESTree.BinaryExpression): readonly Node[] {
  const operands: Node[] = [];
  let left: Node = sum;
  while (left.type === 'BinaryExpression' && left.operator === '+') {
    operands.push(left.right);
    left = unwrap(left.left);
  }
  return [...operands, left].reverse();
}

/** `{ text, values }` */
function textOfConfig(node: TSESTree.ObjectExpression, place: Place): Text | undefined {
  const text = node.properties.findLast(
    (property) =>
      property.type === 'Property' && keyName(property.key, property.computed) === 'text',
  );
  return text?.type === 'Property' ? onlyText(text.value, place) : undefined;
}

function textsOfName(identifier: TSESTree.Identifier, place: Place): Texts {
  const variable = variableOf(place.file, identifier);
  const given = variable === undefined ? undefined : place.given.get(variable);
  if (given !== undefined) return 'list' in given ? [] : [given];
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined) return [];
  const elements = elementsBehind(identifier, place.file);
  if (elements !== undefined) return place.once(variable, () => anyOf(elements, place));
  if (definition.type === 'Parameter' || hasDefault(variable)) return [];
  if (definition.type !== 'Variable') return listOf(textOfValue(identifier, place));
  const declarator = definition.node as unknown as TSESTree.VariableDeclarator;
  return declarator.id.type === 'Identifier'
    ? place.once(variable, () => textsWritten(variable, declarator.init, place))
    : listOf(textTakenFrom(declarator.init, place) ?? textOfValue(identifier, place));
}

/** `const { order = 'id' } = options`: a default counts only where nothing is given. */
function hasDefault({ identifiers }: Variable): boolean {
  const declared = identifiers[0] as unknown as Node | undefined;
  return declared?.parent?.type === 'AssignmentPattern';
}

/** The initial text and whatever is assigned later; none where one of them is not known, for it may be any statement. What is added to it leaves a statement what it is. */
function textsWritten(variable: Variable, init: Node | null, place: Place): Texts {
  const later = writesTo(variable);
  const isAdded = (value: Node): boolean => isAppended(value) || startsWith(value, variable, place);
  const whole = [...(init === null ? [] : [init]), ...later.filter((value) => !isAdded(value))];
  const texts = whole.map((value) => place.textsOf(value));
  if (texts.some(({ length }) => length === 0)) return [];
  const added = later.filter(isAdded);
  const rest = added.slice(0, 1).map((value) => ({ ...holeFor(value), literals: added }));
  return withinBounds(texts.flat()).map((text) =>
    rest.length === 0 ? text : concatenated([text, ...rest]),
  );
}

function isAppended(value: Node): boolean {
  return value.parent?.type === 'AssignmentExpression' && value.parent.operator === '+=';
}

/** ``sql = sql + ' LIMIT 1'``, ``sql = `${sql} LIMIT 1` `` */
function startsWith(value: Node, variable: Variable, { file }: Place): boolean {
  const plain = unwrap(value);
  const first =
    plain.type === 'BinaryExpression'
      ? operandsOf(plain)[0]
      : plain.type === 'TemplateLiteral' && plain.quasis[0]?.value.raw === ''
        ? plain.expressions[0]
        : undefined;
  return first !== undefined && variableOf(file, unwrap(first)) === variable;
}

/** `const { text } = toParameters(sql)` */
function textTakenFrom(init: Node | null, place: Place): Text | undefined {
  const plain = init === null ? undefined : unwrap(init);
  return plain?.type === 'CallExpression' ? textGivenTo(plain.arguments, place) : undefined;
}

/** `Query.Find` of `enum Query { Find = 'SELECT …' }` */
function textOfEnum(member: TSESTree.MemberExpression, place: Place): Text | undefined {
  const { object } = member;
  const definition = definitionOf(variableOf(place.file, object));
  const declaration = definition?.node as Node | undefined;
  if (declaration?.type !== 'TSEnumDeclaration') return undefined;
  const name = memberName(member);
  const found = declaration.body.members.find(({ id }) => keyName(id, false) === name);
  return found?.initializer === undefined ? undefined : onlyText(found.initializer, place);
}

/** The template's own words around what fills it. */
function textOfTemplate(node: TSESTree.TemplateLiteral, place: Place): Text {
  return concatenated(
    node.quasis.flatMap(({ value }, index) => {
      const filled = node.expressions[index];
      return [
        written(value.cooked ?? value.raw, node),
        ...(filled === undefined ? [] : [filling(filled, place)]),
      ];
    }),
  );
}

/** Tags that only change blanks. */
const blankTags: ReadonlySet<string> = new Set(['dedent', 'stripIndent', 'oneLine']);

/** A tag may send a value as a parameter, so each is a hole, unless it is marked as SQL itself. */
function textOfTagged({ tag, quasi }: TSESTree.TaggedTemplateExpression, place: Place): Text {
  if (tag.type === 'Identifier' && blankTags.has(tag.name))
    return { ...textOfTemplate(quasi, place), isAltered: true };
  const isVerbatim =
    tag.type === 'MemberExpression' &&
    tag.object.type === 'Identifier' &&
    tag.object.name === 'String' &&
    memberName(tag) === 'raw';
  const parts = quasi.quasis.flatMap(({ value: { cooked, raw } }, index) => {
    // A tagged text may hold escapes that mean nothing; then it is what is written.
    const words = isVerbatim ? raw : (cooked ?? raw);
    const value = quasi.expressions[index];
    const known = value === undefined ? undefined : onlyText(value, place);
    const isFilled = known !== undefined && (isVerbatim || known.isFragment);
    return [
      written(words, quasi),
      ...(value === undefined ? [] : [isFilled ? known : holeFor(value)]),
    ];
  });
  return { ...concatenated(parts), isFragment: !isVerbatim };
}
