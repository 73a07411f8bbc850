import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import {
  definitionOf,
  keyName,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
} from '../files/source-file.ts';
import type { Resolver } from '../identity/resolver.ts';

/** A text around its holes: `['SELECT * FROM ', ' WHERE id = $1']`. One piece is a constant. */
export type Pieces = readonly string[];

export interface PiecesScene {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  /** Gets each literal and template whose text an answer holds. */
  readonly onUsed?: (node: Node) => void;
}

/** A text of which nothing is known. */
const anyText: Pieces = ['', ''];
const maximalDepth = 8;
const maximalAlternatives = 6;

/** The texts that an expression may have, letter for letter but for the holes; empty where nothing of it is known. */
export function piecesOf(node: Node, scene: PiecesScene, depth = 0): readonly Pieces[] {
  const plain = unwrap(node);
  if (depth > maximalDepth) return [];
  if (plain.type === 'ConditionalExpression')
    return several([plain.consequent, plain.alternate], scene, depth);
  if (plain.type === 'LogicalExpression')
    return several(
      plain.operator === '&&' ? [plain.right] : [plain.left, plain.right],
      scene,
      depth,
    );
  if (plain.type === 'Identifier') return piecesOfName(plain, scene, depth);
  const pieces = piecesWritten(plain, scene, depth);
  return pieces === undefined ? [] : [pieces];
}

function several(nodes: readonly Node[], scene: PiecesScene, depth: number): readonly Pieces[] {
  const found = nodes.flatMap((node) => piecesOf(node, scene, depth + 1));
  return found.length > maximalAlternatives ? [] : found;
}

function piecesWritten(node: Node, scene: PiecesScene, depth: number): Pieces | undefined {
  switch (node.type) {
    case 'Literal':
      if (typeof node.value !== 'string') return undefined;
      scene.onUsed?.(node);
      return [node.value];
    case 'TemplateLiteral':
      return piecesOfTemplate(node, scene, depth);
    case 'TaggedTemplateExpression':
      return piecesOfTagged(node, scene);
    case 'BinaryExpression':
      return node.operator === '+'
        ? concatenated([filling(node.left, scene, depth), filling(node.right, scene, depth)])
        : undefined;
    case 'AwaitExpression':
      return only(node.argument, scene, depth);
    case 'ObjectExpression':
      return piecesOfConfig(node, scene, depth);
    // `new Query('…')`, `new Cursor('…')`
    case 'NewExpression':
      return node.arguments[0] === undefined ? undefined : only(node.arguments[0], scene, depth);
    case 'CallExpression':
      return piecesOfCall(node, scene, depth);
    case 'MemberExpression':
      return piecesOfEntity(node, scene, depth);
    default:
      return undefined;
  }
}

/** What fills a hole: its text where it has one only, else a hole. */
function filling(node: Node | undefined, scene: PiecesScene, depth: number): Pieces {
  return (node && only(node, scene, depth)) ?? anyText;
}

function only(node: Node, scene: PiecesScene, depth: number): Pieces | undefined {
  const found = piecesOf(node, scene, depth + 1);
  return found.length === 1 ? found[0] : undefined;
}

/** The last piece of one text and the first of the next are one piece. */
function concatenated(texts: readonly Pieces[]): Pieces {
  const joined: string[] = [''];
  for (const [first = '', ...rest] of texts) {
    joined.push((joined.pop() ?? '') + first, ...rest);
  }
  return withoutEmptyHoles(joined);
}

/** Two holes side by side are one. */
function withoutEmptyHoles(pieces: Pieces): Pieces {
  return pieces.filter(
    (piece, index) => piece !== '' || index === 0 || index === pieces.length - 1,
  );
}

function piecesOfTemplate(
  node: TSESTree.TemplateLiteral,
  scene: PiecesScene,
  depth: number,
): Pieces {
  scene.onUsed?.(node);
  return concatenated(
    node.quasis.flatMap(({ value }, index) =>
      index < node.expressions.length
        ? [cooked(value), filling(node.expressions[index], scene, depth)]
        : [cooked(value)],
    ),
  );
}

/** A tag may send a value as a parameter, so that each is a hole whatever it is. */
function piecesOfTagged({ quasi }: TSESTree.TaggedTemplateExpression, scene: PiecesScene): Pieces {
  scene.onUsed?.(quasi);
  return withoutEmptyHoles(quasi.quasis.flatMap(({ value }) => cooked(value)));
}

/** A tagged text may hold escapes that mean nothing; then it is what is written. */
function cooked({ cooked: text, raw }: TSESTree.TemplateElement['value']): Pieces {
  const known: string | null = text;
  return [known ?? raw];
}

/** `{ text, values }` */
function piecesOfConfig(
  node: TSESTree.ObjectExpression,
  scene: PiecesScene,
  depth: number,
): Pieces | undefined {
  const text = node.properties.find(
    (property) =>
      property.type === 'Property' && keyName(property.key, property.computed) === 'text',
  );
  return text?.type === 'Property' ? only(text.value, scene, depth) : undefined;
}

/** Functions of libraries that mark a text as SQL and leave it as it is. */
const marking: ReadonlySet<string> = new Set(['raw', 'unsafe', 'sql', 'SQL']);

function piecesOfCall(
  call: TSESTree.CallExpression,
  scene: PiecesScene,
  depth: number,
): Pieces | undefined {
  const {
    callee,
    arguments: [first],
  } = call;
  if (callee.type === 'MemberExpression') {
    const made = piecesOfMethod(
      callee.object,
      memberName(callee) ?? '',
      call.arguments,
      scene,
      depth,
    );
    if (made !== undefined) return made;
  }
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression'
        ? memberName(callee)
        : undefined;
  if (first === undefined || name === undefined) return undefined;
  if (name === 'format') return formatted(only(first, scene, depth));
  return marking.has(name) ? only(first, scene, depth) : undefined;
}

function piecesOfMethod(
  object: Node,
  name: string,
  given: readonly Node[],
  scene: PiecesScene,
  depth: number,
): Pieces | undefined {
  if (/^trim(?:Start|End)?$/u.test(name)) return trimmed(only(object, scene, depth), name);
  if (name === 'join') return joined(object, given[0], scene, depth);
  return name === 'concat'
    ? concatenated([object, ...given].map((part) => filling(part, scene, depth)))
    : undefined;
}

function trimmed(pieces: Pieces | undefined, how: string): Pieces | undefined {
  return pieces?.map((piece, index) => {
    const fromStart = how !== 'trimEnd' && index === 0 ? piece.trimStart() : piece;
    return how !== 'trimStart' && index === pieces.length - 1 ? fromStart.trimEnd() : fromStart;
  });
}

/** `['SELECT 1', 'FROM users'].join(' ')` */
function joined(
  list: Node,
  separator: Node | undefined,
  scene: PiecesScene,
  depth: number,
): Pieces | undefined {
  const plain = unwrap(list);
  if (
    plain.type !== 'ArrayExpression' ||
    plain.elements.some((element) => element?.type === 'SpreadElement')
  )
    return undefined;
  const between = separator === undefined ? [','] : filling(separator, scene, depth);
  return concatenated(
    plain.elements.flatMap((element, index) => [
      ...(index === 0 ? [] : [between]),
      filling(element ?? undefined, scene, depth),
    ]),
  );
}

/** `format('SELECT * FROM %I', table)` of `pg-format` and `util` fills its values in. */
function formatted(pieces: Pieces | undefined): Pieces | undefined {
  return (
    pieces &&
    withoutEmptyHoles(pieces.flatMap((piece) => piece.split(/%(?:\d+\$)?[-\d]*[ILsdjo]/u)))
  );
}

function piecesOfName(
  identifier: TSESTree.Identifier,
  scene: PiecesScene,
  depth: number,
): readonly Pieces[] {
  const variable = variableOf(scene.file, identifier);
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined) return [];
  if (definition.type !== 'Variable')
    return definition.type === 'ImportBinding'
      ? listOf(piecesOfEntity(identifier, scene, depth))
      : [];
  const { id, init } = definition.node as unknown as TSESTree.VariableDeclarator;
  if (id.type !== 'Identifier') return listOf(piecesOfEntity(identifier, scene, depth));
  const written = writesTo(variable);
  const whole = [
    ...(init === null ? [] : [init]),
    ...written.filter((value) => !isAppended(value)),
  ];
  const texts = whole.map((value) => piecesOf(value, scene, depth + 1));
  // One value that is not known may be any statement.
  if (texts.some(({ length }) => length === 0)) return [];
  const found = texts.flat().slice(0, maximalAlternatives);
  return written.some(isAppended) ? found.map((pieces) => concatenated([pieces, anyText])) : found;
}

function isAppended(written: Node): boolean {
  return written.parent?.type === 'AssignmentExpression' && written.parent.operator === '+=';
}

function listOf(pieces: Pieces | undefined): readonly Pieces[] {
  return pieces === undefined ? [] : [pieces];
}

/** A constant of another file, of an object or of a class. */
function piecesOfEntity(
  node: Node,
  { resolver, file, onUsed }: PiecesScene,
  depth: number,
): Pieces | undefined {
  const entity = resolver.entityOf(node, file);
  if (entity?.kind !== 'text' && entity?.kind !== 'object') return undefined;
  return only(
    entity.node,
    {
      resolver,
      file: entity.file,
      ...(onUsed === undefined || entity.file !== file ? {} : { onUsed }),
    },
    depth + 1,
  );
}
