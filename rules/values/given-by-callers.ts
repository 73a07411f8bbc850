import type { TSESTree } from '@typescript-eslint/types';
import { handleNames, libraries } from '../model/libraries.ts';
import type { NodePlace } from '../project/module-reader.ts';
import { calledName, callOf, callsIn } from '../syntax/calls.ts';
import { requiredModule } from '../syntax/constants.ts';
import { originalName } from '../syntax/exports.ts';
import type { CallNode, Node } from '../syntax/node.ts';
import { parameterNamed } from '../syntax/parameters.ts';
import {
  declarationOf,
  keyName,
  memberName,
  parentOf,
  referencesTo,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import { nodeAt, placeOf } from './apart.ts';
import { constructorOf } from './constructors.ts';
import { handleAt, type Handle } from './handles.ts';
import type { Resolver } from './resolver.ts';

/** A parameter, or what it takes of an option. */
interface Parameter {
  readonly fn: NodePlace;
  readonly index: number;
  /** The option; null where it is the argument itself. */
  readonly key: string | null;
}

/** A parameter is given a library's handle, or what another parameter has. */
interface Gift extends Pick<Parameter, 'index' | 'key'> {
  readonly from: Parameter | { readonly module: string };
}

/** Longer ways from parameter to parameter are not looked at. */
const mostSteps = 100;

/**
 * What a parameter without a type stands for where the calls of its function give a library's handle: a pool's, or that of a
 * transaction. Parameters that it is passed on by have none either.
 */
export function givenByCallers(
  name: Node,
  file: SourceFile,
  resolver: Resolver,
): Handle | undefined {
  const start = resolver.forward === resolver ? undefined : untypedParameter(name, file);
  if (start === undefined || !isUsedAsHandle(name, file)) return undefined;
  const modules = new Set<string>();
  const waiting: Parameter[] = [start];
  const seen = new Set<string>();
  for (const each of waiting) {
    if (seen.size > mostSteps) return undefined;
    if (seen.size === seen.add(keyOf(each)).size) continue;
    for (const from of givenTo(each, file, resolver)) {
      if ('module' in from) modules.add(from.module);
      else waiting.push(from);
    }
  }
  const library = libraries.find(({ module }) => modules.has(module));
  return library === undefined || modules.size > 1
    ? undefined
    : { kind: 'handle', library, site: { node: name, file, holder: undefined }, mayBeLent: true };
}

function keyOf({ fn: { path, range }, index, key }: Parameter): string {
  return [path, ...range, index, key].join('\0');
}

function untypedParameter(name: Node, file: SourceFile): Parameter | undefined {
  const named = parameterNamed(name, file);
  if (named === undefined || hasType(named.parameter) || isCallback(named.fn)) return undefined;
  return { fn: placeOf({ node: named.fn, file }), index: named.index, key: named.key };
}

/** Who is given a function calls it with what only that knows. */
function isCallback(fn: Node): boolean {
  const up = parentOf(fn);
  return (up?.type === 'CallExpression' || up?.type === 'NewExpression') && up.callee !== fn;
}

function hasType(parameter: Node): boolean {
  const declared = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return (
    declared.type === 'TSParameterProperty' ||
    ('typeAnnotation' in declared && Boolean(declared.typeAnnotation))
  );
}

/** It is asked for what handles have, called itself, or kept in an object. */
function isUsedAsHandle(name: Node, file: SourceFile): boolean {
  return referencesTo(name, file).some((each) => {
    const up = parentOf(each);
    return (
      isAskedFor(each) ||
      up?.type === 'AssignmentExpression' ||
      up?.type === 'TaggedTemplateExpression' ||
      callOf(each) !== undefined
    );
  });
}

/** `db.transaction`, `db.users.create` */
function isAskedFor(node: Node): boolean {
  const up = parentOf(node);
  return (
    up?.type === 'MemberExpression' &&
    up.object === node &&
    (handleNames.has(memberName(up) ?? '') || isAskedFor(up))
  );
}

function givenTo(
  { fn, index, key }: Parameter,
  home: SourceFile,
  { reader, forward }: Resolver,
): readonly Gift['from'][] {
  const open = (path: string): readonly SourceFile[] =>
    path === home.path ? [home] : [reader.open?.(path) ?? []].flat();
  const [own] = open(fn.path);
  const names = own === undefined ? [] : namesOf(fn, own, forward);
  const paths = new Set([fn.path, ...(reader.importersOf?.(fn.path) ?? [])]);
  return [...paths]
    .flatMap(open)
    .filter(({ text }) => names.some((name) => name === 'default' || text.includes(name)))
    .flatMap((file) => giftsIn(file, fn, names, forward))
    .flatMap((gift) => (gift.index === index && gift.key === key ? [gift.from] : []));
}

/** What a function may be called by; `default` where it is what its module exports. */
function namesOf(fn: NodePlace, file: SourceFile, forward: Resolver): readonly string[] {
  return forward.knownIn<readonly string[]>(file, {
    text: `${fn.range.join('-')} is called by`,
    unknown: [],
    find(_, home) {
      const node = nodeAt(fn, home);
      const up = parentOf(node);
      // The constructor of a class is called by the name of that.
      const named =
        up?.type === 'MethodDefinition' && up.kind === 'constructor' ? up.parent.parent : node;
      const own = nameOf(named);
      const uses = own === undefined ? [] : referencesTo(own, home);
      return [...new Set([named, ...uses].flatMap(namesGiven)), ...(own ? [own.name] : [])];
    },
  });
}

function nameOf(node: Node): TSESTree.Identifier | undefined {
  const declared = 'id' in node ? node.id : undefined;
  const up = parentOf(node);
  const name = up?.type === 'VariableDeclarator' ? up.id : declared;
  return name?.type === 'Identifier' ? name : undefined;
}

/** The name under which a value is put where it stands: a key, a member, an export. */
function namesGiven(value: Node): readonly string[] {
  const up = parentOf(value);
  switch (up?.type) {
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return up.value === value ? [keyName(up.key, up.computed) ?? ''] : [];
    case 'AssignmentExpression': {
      const name = up.right === value ? memberName(up.left) : undefined;
      return name === undefined ? [] : [name === 'exports' ? 'default' : name];
    }
    case 'ExportSpecifier':
      return [keyName(up.exported, false) ?? ''];
    case 'ExportDefaultDeclaration':
      return ['default'];
    default:
      return [];
  }
}

/** What the calls of a file give to a function. */
function giftsIn(
  file: SourceFile,
  fn: NodePlace,
  names: readonly string[],
  forward: Resolver,
): readonly Gift[] {
  return forward.knownIn<readonly Gift[]>(file, {
    text: `${fn.path} ${fn.range.join('-')} is given`,
    unknown: [],
    find(there, home) {
      const { calls, constructions } = callsIn(home);
      return [...calls, ...constructions]
        .filter(({ callee }) => mayName(callee, names, home))
        .flatMap((call) => giftsOf(call, fn, home, there));
    },
  });
}

function mayName(callee: Node, names: readonly string[], file: SourceFile): boolean {
  const plain = unwrap(callee);
  if (plain.type === 'CallExpression')
    return names.includes('default') && requiredModule(plain) !== undefined;
  const name = calledName(plain);
  if (name !== undefined && names.includes(name)) return true;
  if (plain.type !== 'Identifier') return false;
  const imported = originalName(plain, file);
  return (
    (imported !== undefined && names.includes(imported)) ||
    (names.includes('default') && (imported === '*' || isModule(plain, file)))
  );
}

/** `const createUsers = require('./users')` */
function isModule(name: Node, file: SourceFile): boolean {
  const node = declarationOf(variableOf(file, name));
  const value = node?.type === 'VariableDeclarator' ? node.init : null;
  return value?.type === 'CallExpression' && requiredModule(value) !== undefined;
}

function giftsOf(
  call: CallNode | TSESTree.NewExpression,
  fn: NodePlace,
  file: SourceFile,
  resolver: Resolver,
): readonly Gift[] {
  const given = call.arguments.flatMap((argument, index) =>
    partsOf(argument).flatMap(([key, part]) => {
      const from = sourceOf(part, file, resolver);
      return from === undefined ? [] : [{ index, key, from }];
    }),
  );
  const called = given.length === 0 ? undefined : functionAt(call.callee, file, resolver);
  return called !== undefined && isSame(called, fn) ? given : [];
}

function sourceOf(part: Node, file: SourceFile, resolver: Resolver): Gift['from'] | undefined {
  const handle = handleAt(part, file, resolver);
  return handle === undefined ? untypedParameter(part, file) : { module: handle.library.module };
}

function isSame(one: NodePlace, other: NodePlace): boolean {
  return (
    one.path === other.path && one.range[0] === other.range[0] && one.range[1] === other.range[1]
  );
}

/** The function that a call runs: of a class its constructor. */
function functionAt(callee: Node, file: SourceFile, resolver: Resolver): NodePlace | undefined {
  const value: AbstractValue | undefined = resolver.abstractValueOf(callee, file);
  if (value?.kind === 'function') return placeOf(value);
  const maker = value?.kind === 'class' ? constructorOf(value.node) : undefined;
  return value?.kind === 'class' && maker ? placeOf({ node: maker, file: value.file }) : undefined;
}

/** An argument by its name, or the options of one that is written in place. */
function partsOf(argument: Node): readonly (readonly [key: string | null, part: Node])[] {
  const plain = unwrap(argument);
  if (plain.type !== 'ObjectExpression') return isName(plain) ? [[null, plain]] : [];
  return plain.properties.flatMap((property) => {
    const key = property.type === 'Property' ? keyName(property.key, property.computed) : undefined;
    const part = property.type === 'Property' ? unwrap(property.value) : undefined;
    return part !== undefined && key !== undefined && isName(part) ? [[key, part] as const] : [];
  });
}

function isName({ type }: Node): boolean {
  return type === 'Identifier' || type === 'MemberExpression';
}
