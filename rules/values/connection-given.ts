import type { TSESTree } from '@typescript-eslint/types';
import type { Given } from '../model/library.ts';
import { constantText, isNothing } from '../syntax/constants.ts';
import { isFunction, type Node } from '../syntax/node.ts';
import {
  definitionOf,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

/** What a call learns of the connection to go over. */
export type Told =
  /** Nothing, or `undefined`: it takes one of its own choice. */
  | { readonly kind: 'nothing' }
  /** `null`: it takes one of the pool's. */
  | { readonly kind: 'none' }
  /** What the node holds, or its member with the key. */
  | { readonly kind: 'some'; readonly node: Node; readonly key: string | undefined };

const nothing: Told = { kind: 'nothing' };

/** As far as the call and the objects that its file spells show. */
export function toldTo(
  call: TSESTree.CallExpression,
  { at, option }: Given,
  file: SourceFile,
): Told {
  const position = at === -1 ? Math.max(call.arguments.length - 1, 0) : at;
  const before = call.arguments.slice(0, position + 1);
  const spread = before.find(({ type }) => type === 'SpreadElement');
  if (spread !== undefined) return { kind: 'some', node: spread, key: undefined };
  const argument = call.arguments[position];
  if (argument === undefined) return nothing;
  if (option !== null) return optionIn(argument, option, file);
  return isFunction(unwrap(argument)) ? nothing : valueOf(argument);
}

function valueOf(node: Node): Told {
  const plain = unwrap(node);
  if (constantText(plain) !== undefined) return nothing;
  if (!isNothing(plain)) return { kind: 'some', node: plain, key: undefined };
  return plain.type === 'Literal' ? { kind: 'none' } : nothing;
}

/** The option of an object; the last one wins. */
function optionIn(options: Node, name: string, file: SourceFile): Told {
  const plain = unwrap(options);
  if (plain.type === 'Identifier') {
    const written = spelled(plain, name, file);
    if (written !== undefined) return optionIn(written, name, file);
  }
  if (isFunction(plain) || isNothing(plain) || plain.type === 'Literal') return nothing;
  if (plain.type !== 'ObjectExpression') return { kind: 'some', node: plain, key: name };
  return lastGiven(plain.properties.toReversed(), name, file);
}

/** The option that the last of an object's parts gives; an object that is copied may lack it, and then an earlier part counts. */
function lastGiven(
  [last, ...before]: readonly TSESTree.ObjectLiteralElement[],
  name: string,
  file: SourceFile,
): Told {
  if (last === undefined) return nothing;
  const told =
    last.type === 'SpreadElement' ? optionIn(last.argument, name, file) : toldBy(last, name);
  if (told.kind === 'nothing' && !isNamed(last, name)) return lastGiven(before, name, file);
  const mayLack = last.type === 'SpreadElement' && told.kind === 'some' && told.key !== undefined;
  return mayLack && lastGiven(before, name, file).kind !== 'nothing'
    ? { kind: 'some', node: last, key: undefined }
    : told;
}

function isNamed(property: TSESTree.ObjectLiteralElement, name: string): boolean {
  return property.type === 'Property' && keyName(property.key, property.computed) === name;
}

function toldBy(property: TSESTree.Property, name: string): Told {
  const key = keyName(property.key, property.computed);
  if (key === name) return valueOf(property.value);
  return key === undefined ? { kind: 'some', node: property.key, key: undefined } : nothing;
}

/** The object that a variable is set to, once and for all, and that nothing adds the option to. */
function spelled(
  name: TSESTree.Identifier,
  option: string,
  file: SourceFile,
): TSESTree.ObjectExpression | undefined {
  const variable = variableOf(file, name);
  const definition = definitionOf(variable)?.node as Node | undefined;
  if (definition?.type !== 'VariableDeclarator' || definition.id.type !== 'Identifier')
    return undefined;
  const initial = definition.init === null ? undefined : unwrap(definition.init);
  if (initial?.type !== 'ObjectExpression') return undefined;
  const isLeftAlone = variable?.references.every(
    (reference) =>
      reference.init === true || keeps(reference.identifier as unknown as Node, option),
  );
  return isLeftAlone === true ? initial : undefined;
}

/** A use of an object that does not give it another option of this name. */
function keeps(use: Node, option: string): boolean {
  const up = parentOf(use);
  if (up?.type === 'SpreadElement') return true;
  // A method of a library gets its options so, and copies them.
  if (up?.type === 'CallExpression')
    return up.callee !== use && up.callee.type === 'MemberExpression' && !isAssign(up, use);
  if (up?.type !== 'MemberExpression' || up.object !== use) return false;
  const name = memberName(up);
  return name !== undefined && name !== option;
}

/** `Object.assign(options, …)` */
function isAssign({ callee, arguments: [first] }: TSESTree.CallExpression, use: Node): boolean {
  return first === use && callee.type === 'MemberExpression' && memberName(callee) === 'assign';
}

/** Whether a call may have an option. */
export function hasOption(call: TSESTree.CallExpression, option: string | null): boolean {
  if (option === null) return false;
  return call.arguments.some((argument) => {
    const plain = unwrap(argument);
    return (
      plain.type !== 'ObjectExpression' ||
      plain.properties.some(
        (each) => each.type !== 'Property' || keyName(each.key, each.computed) === option,
      )
    );
  });
}
