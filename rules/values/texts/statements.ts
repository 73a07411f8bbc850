import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../../syntax/node.ts';
import { lastingKind, statementKinds, type StatementKind } from '../../model/sql.ts';
import type { Resolver } from '../resolver.ts';
import {
  definitionOf,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../../syntax/source-file.ts';
import { nothingGiven, type GivenTexts, type Texts } from './known-texts.ts';
import { sqlTexts } from './session-texts.ts';
import { sqlOf } from './text.ts';
import { elementsBehind, listBehind } from './text-lists.ts';

/** The kinds of the statements that a `query` call sends, round by round where it goes through a list; empty when the text is not known. `given` are texts of parameters. */
export function statementsIn(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
  given = nothingGiven,
): readonly StatementKind[] {
  const [argument] = call.arguments;
  if (argument === undefined) return [];
  const texts = givenOneByOne(unwrap(argument), file, given);
  if (texts !== undefined) return texts.flatMap((text) => statementKinds(sqlOf(text)));
  const sent = elementsBehind(argument, file) ?? [argument];
  return sent.flatMap((each) => {
    const alternatives = sqlTexts(each, { file, resolver, given }).map(statementKinds);
    // Of several texts the one that leaves something behind matters.
    return alternatives.find((kinds) => lastingKind(kinds) !== undefined) ?? alternatives[0] ?? [];
  });
}

/** Of a list that a caller gave, the texts that are sent: one after the other, or one of them alone. */
function givenOneByOne(argument: Node, file: SourceFile, given: GivenTexts): Texts | undefined {
  const list = listBehind(argument, file) ?? listTakenFrom(argument);
  const variable = list && variableOf(file, list);
  const texts = variable && given.get(variable);
  if (variable === undefined || texts === undefined || !('list' in texts)) return undefined;
  if (
    argument.type !== 'MemberExpression' ||
    argument.property.type !== 'Literal' ||
    isTakenFrom(variable)
  )
    return texts.list;
  const { value } = argument.property;
  return texts.list.filter((_, index) => index === value);
}

/** `texts` of `texts[0]` and `texts.shift()` */
function listTakenFrom(plain: Node): Node | undefined {
  if (plain.type === 'MemberExpression') return plain.computed ? plain.object : undefined;
  return plain.type === 'CallExpression' &&
    plain.callee.type === 'MemberExpression' &&
    takers.has(memberName(plain.callee))
    ? plain.callee.object
    : undefined;
}

const takers: ReadonlySet<string | undefined> = new Set(['shift', 'pop']);

/** What takes the first one away sends the next one in its place. */
function isTakenFrom({ references }: Variable): boolean {
  return references.some(({ identifier }) => {
    const member = parentOf(identifier as unknown as Node);
    return member?.type === 'MemberExpression' && takers.has(memberName(member));
  });
}

/** `{ name, text, values }`: the driver prepares such a statement on the connection under this name (pg 8.23 `lib/query.js`). */
export function isNamedStatement(call: CallNode, file: SourceFile, resolver: Resolver): boolean {
  const config = configOf(call, file, resolver);
  if (config === undefined) return false;
  const properties = config.properties.filter((property) => property.type === 'Property');
  const name = properties.find(({ key, computed }) => keyName(key, computed) === 'name');
  const hasText =
    properties.length < config.properties.length ||
    properties.some(({ key, computed }) => keyName(key, computed) === 'text');
  return hasText && name !== undefined && isText(name.value, file);
}

function configOf(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): TSESTree.ObjectExpression | undefined {
  const [argument] = call.arguments;
  if (argument === undefined) return undefined;
  const plain = unwrap(argument);
  if (plain.type === 'ObjectExpression') return plain;
  const abstractValue =
    plain.type === 'Identifier' || plain.type === 'MemberExpression'
      ? resolver.abstractValueOf(plain, file)
      : undefined;
  return abstractValue?.kind === 'object' ? abstractValue.node : undefined;
}

/** True when a value surely is a text, and not an empty one: what may be left out names no statement. */
function isText(value: Node, file: SourceFile): boolean {
  // `names?.for(sql)` may give nothing.
  if (value.type === 'ChainExpression') return false;
  const plain = unwrap(value);
  switch (plain.type) {
    case 'Literal':
      return typeof plain.value === 'string' && plain.value !== '';
    case 'TemplateLiteral':
    case 'BinaryExpression':
    case 'CallExpression':
      return true;
    case 'ConditionalExpression':
      return isText(plain.consequent, file) && isText(plain.alternate, file);
    case 'Identifier':
      return isNameOfText(plain, file);
    default:
      return false;
  }
}

function isNameOfText(identifier: TSESTree.Identifier, file: SourceFile): boolean {
  const definition = definitionOf(variableOf(file, identifier));
  if (definition?.type === 'Parameter') {
    const declared = definition.name as unknown as TSESTree.Identifier;
    return (
      declared.typeAnnotation?.typeAnnotation.type === 'TSStringKeyword' &&
      declared.optional !== true
    );
  }
  const init =
    definition?.type === 'Variable'
      ? (definition.node as unknown as TSESTree.VariableDeclarator).init
      : null;
  return init !== null && init.type !== 'Identifier' && isText(init, file);
}
