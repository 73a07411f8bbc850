import type { AST_NODE_TYPES, TSESTree } from '@typescript-eslint/types';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import { linkParents } from '../../rules/syntax/preorder.ts';
import type { Parsed } from '../../rules/project/trees.ts';
import { createSpans } from './positions.ts';

/** What typescript-estree leaves undefined where it is not written, as its types say; oxc says null. */
const undefinedByType: Readonly<Partial<Record<`${AST_NODE_TYPES}`, readonly string[]>>> = {
  AccessorProperty: ['accessibility', 'typeAnnotation'],
  ArrayPattern: ['typeAnnotation'],
  ArrowFunctionExpression: ['returnType', 'typeParameters'],
  AssignmentPattern: ['typeAnnotation'],
  CallExpression: ['typeArguments'],
  ClassDeclaration: ['superTypeArguments', 'typeParameters'],
  ClassExpression: ['superTypeArguments', 'typeParameters'],
  ExpressionStatement: ['directive'],
  FunctionDeclaration: ['returnType', 'typeParameters'],
  FunctionExpression: ['returnType', 'typeParameters'],
  Identifier: ['typeAnnotation'],
  JSXOpeningElement: ['typeArguments'],
  MethodDefinition: ['accessibility'],
  NewExpression: ['typeArguments'],
  ObjectPattern: ['typeAnnotation'],
  PropertyDefinition: ['accessibility', 'typeAnnotation'],
  RestElement: ['typeAnnotation', 'value'],
  TSAbstractAccessorProperty: ['accessibility', 'typeAnnotation'],
  TSAbstractMethodDefinition: ['accessibility'],
  TSAbstractPropertyDefinition: ['accessibility', 'typeAnnotation'],
  TSCallSignatureDeclaration: ['returnType', 'typeParameters'],
  TSClassImplements: ['typeArguments'],
  TSConstructSignatureDeclaration: ['returnType', 'typeParameters'],
  TSConstructorType: ['returnType', 'typeParameters'],
  TSDeclareFunction: ['body', 'returnType', 'typeParameters'],
  TSEmptyBodyFunctionExpression: ['returnType', 'typeParameters'],
  TSEnumMember: ['initializer'],
  TSFunctionType: ['returnType', 'typeParameters'],
  TSIndexSignature: ['accessibility', 'typeAnnotation'],
  TSInterfaceDeclaration: ['typeParameters'],
  TSInterfaceHeritage: ['typeArguments'],
  TSMappedType: ['optional', 'readonly', 'typeAnnotation'],
  TSMethodSignature: ['accessibility', 'returnType', 'typeParameters'],
  TSParameterProperty: ['accessibility'],
  TSPropertySignature: ['accessibility', 'typeAnnotation'],
  TSTypeAliasDeclaration: ['typeParameters'],
  TSTypeOperator: ['typeAnnotation'],
  TSTypeParameter: ['constraint', 'default'],
  TSTypeQuery: ['typeArguments'],
  TSTypeReference: ['typeArguments'],
  TaggedTemplateExpression: ['typeArguments'],
};
const undefinedKeys: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(undefinedByType),
);

/** What else oxc says in its own way, by the type of the node. */
const corrections = new Map<string, (node: never, text: string) => void>([
  ['Program', leaveHashbang],
  [
    'Identifier',
    (node: TSESTree.Identifier, text) => node.optional && beginAfterDecorators(node, text),
  ],
  ['AssignmentPattern', beginAfterDecorators],
  ['Literal', keepLiteral],
  ['TemplateElement', keepLineEnds],
  ['JSXAttribute', refuseEntities],
  ['ClassDeclaration', refuseNameless],
]);

/** What a parser cannot make of a text, so that the next one is asked. */
export class Refused extends Error {}

/**
 * Makes of oxc's tree the one that typescript-estree makes of that text, in the walk that links it. The texts of JSX keep their entities: no rule
 * reads them. Throws `Refused` for the rest of what takes a table of entities.
 */
export function finishTree(ast: Parsed['ast'], text: string): void {
  const spanOf = createSpans(text);
  linkParents({ ast, visitorKeys }, (node) => {
    const fields = node as unknown as Record<string, unknown>;
    // Loops over indexes and fields set one by one, since they run for each node of each file.
    const keys = undefinedKeys.get(node.type) ?? [];
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      if (fields[key] === null) fields[key] = undefined;
    }
    corrections.get(node.type)?.(node as never, text);
    node.loc = spanOf(node.range);
  });
  for (const comment of ast.comments ?? []) {
    const { start, end } = comment as typeof comment & { start: number; end: number };
    const span = spanOf([start, end]);
    Object.assign(comment, { range: [start, end], loc: { start: span.start, end: span.end } });
  }
}

const blank = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/uy;

/** A parameter that is optional, or has a default, begins at its name. */
function beginAfterDecorators(
  node: TSESTree.Identifier | TSESTree.AssignmentPattern,
  text: string,
): void {
  const last = node.decorators.at(-1);
  if (last === undefined) return;
  blank.lastIndex = last.range[1];
  blank.test(text);
  node.range = [blank.lastIndex, node.range[1]];
}

/** A hashbang is nothing to typescript-estree. */
function leaveHashbang(node: TSESTree.Program): void {
  Object.assign(node, { hashbang: undefined });
}

/** Flags stand in the order in which they are written. */
function keepLiteral(node: TSESTree.Literal): void {
  const { raw } = node;
  if ('regex' in node) node.regex.flags = raw.slice(raw.lastIndexOf('/') + 1);
  else if (mayBeOctal.test(raw)) throw new Refused();
}

/** Numbers with a leading zero and characters by their octal number are errors to typescript-estree; after two backslashes there may be none. */
const mayBeOctal = /^0\d|\\(?:[1-9]|0\d)/u;

function keepLineEnds(node: TSESTree.TemplateElement, text: string): void {
  if (node.value.raw.includes('\n'))
    node.value.raw = text.slice(node.range[0] + 1, node.range[1] - (node.tail ? 1 : 2));
}

/** As TypeScript takes them: `[&>svg]:p-0` holds none. */
const entity = /&(?:#\d+|#x[\da-fA-F]+|\w+);/u;

function refuseEntities({ value }: TSESTree.JSXAttribute): void {
  if (value !== null && 'raw' in value && entity.test(value.raw)) throw new Refused();
}

/** An error to typescript-estree. */
function refuseNameless({ id, parent }: TSESTree.ClassDeclaration): void {
  if (id === null && (parent.type as string) !== 'ExportDefaultDeclaration') throw new Refused();
}
