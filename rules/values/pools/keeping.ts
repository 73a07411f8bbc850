import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass, type ClassNode, type CallNode } from '../../syntax/node.ts';
import { bystanders, listenMethods, plainMembers } from '../../model/pool-life.ts';
import { useOf, type Use } from '../../syntax/uses.ts';
import { constantText } from '../../syntax/constants.ts';
import type { Resolver } from '../resolver.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  findAncestor,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
  readsOf,
} from '../../syntax/source-file.ts';

/** Where a new object is kept. */
export type Home =
  | { readonly kind: 'variable'; readonly name: TSESTree.Identifier; readonly variable: Variable }
  | {
      readonly kind: 'field';
      readonly name: string;
      readonly owner: ClassNode;
      readonly isPrivate: boolean;
    }
  /** Called upon at once, and nobody else has it: `new Pool().query(…)`. */
  | { readonly kind: 'nowhere' }
  /** Given to somebody, returned, or put into something. */
  | { readonly kind: 'elsewhere' };

const elsewhere: Home = { kind: 'elsewhere' };

/** What gives the value of an operand on as it is. */
export const handsOn: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'LogicalExpression',
  'ConditionalExpression',
  'ChainExpression',
  'AwaitExpression',
]);

export function homeOf(made: Node, file: SourceFile): Home {
  let node = made;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (up.type === 'VariableDeclarator') return variableHome(up.id, file);
    if (up.type === 'PropertyDefinition')
      return fieldHome(up.key, up.computed, up, up.accessibility === 'private');
    if (up.type === 'AssignmentExpression' && up.right === node)
      return parentOf(up)?.type === 'ExpressionStatement' ? targetHome(up.left, file) : elsewhere;
    if (up.type === 'MemberExpression' && up.object === node) return { kind: 'nowhere' };
    if (!handsOn.has(up.type)) return elsewhere;
    node = up;
  }
  return elsewhere;
}

function variableHome(id: Node, file: SourceFile): Home {
  const variable = variableOf(file, id);
  return id.type === 'Identifier' && variable !== undefined
    ? { kind: 'variable', name: id, variable }
    : elsewhere;
}

function targetHome(target: Node, file: SourceFile): Home {
  if (target.type !== 'MemberExpression') return variableHome(target, file);
  return target.object.type === 'ThisExpression'
    ? fieldHome(target.property, target.computed, target, false)
    : elsewhere;
}

function fieldHome(key: Node, computed: boolean, node: Node, isDeclaredPrivate: boolean): Home {
  const name = keyName(key, computed);
  const owner = findAncestor(node, isClass);
  return name === undefined || owner === undefined
    ? elsewhere
    : {
        kind: 'field',
        name,
        owner,
        isPrivate: isDeclaredPrivate || name.startsWith('#') || isPrivateField(owner, name),
      };
}

function isPrivateField({ body }: ClassNode, name: string): boolean {
  return body.body.some(
    (member) =>
      member.type === 'PropertyDefinition' &&
      keyName(member.key, member.computed) === name &&
      member.accessibility === 'private',
  );
}

/** What the file does with an object that has such a home. */
export interface Uses {
  /** Somebody unknown has it, or does something unknown with it. */
  readonly isGivenAway: boolean;
  /** Other files can get at it. */
  readonly isShared: boolean;
  /** Listeners, by the event; an event that is not constant reads `*`. */
  readonly events: ReadonlySet<string>;
  /** Methods that are called on it, with the calls. */
  readonly calls: ReadonlyMap<string, readonly CallNode[]>;
}

interface Found {
  isGivenAway: boolean;
  isShared: boolean;
  readonly events: Set<string>;
  readonly calls: Map<string, CallNode[]>;
}

export function usesOf(home: Home, file: SourceFile, resolver: Resolver): Uses {
  const found: Found = {
    isGivenAway: home.kind === 'elsewhere',
    isShared: false,
    events: new Set(),
    calls: new Map(),
  };
  for (const excerpt of referencesTo(home, file)) note(excerpt, found, file, resolver);
  if (home.kind === 'field' && !home.isPrivate) found.isShared = true;
  if (home.kind === 'variable' && isExported(home.variable)) found.isShared = true;
  return found;
}

/** The expressions that read it. Fields are found by their name alone, whatever object they are asked of. */
export function referencesTo(home: Home, file: SourceFile): readonly Node[] {
  if (home.kind === 'variable') return readsOf(home.variable);
  return home.kind === 'field' ? referencesToMember(home.name, file) : [];
}

/** Where a file reads a member of this name, of whatever object. */
export function referencesToMember(name: string | undefined, file: SourceFile): readonly Node[] {
  const found: Node[] = [];
  walk(file, file.ast, (node) => {
    if (memberName(node) === name && !isWritten(node)) found.push(node);
    if (
      node.type === 'Property' &&
      node.parent.type === 'ObjectPattern' &&
      keyName(node.key, node.computed) === name
    )
      found.push(node);
    return true;
  });
  return found;
}

function isWritten(member: Node): boolean {
  const up = parentOf(member);
  return up?.type === 'AssignmentExpression' && up.left === member;
}

function note(excerpt: Node, found: Found, file: SourceFile, resolver: Resolver): void {
  if (excerpt.type === 'Property') found.isGivenAway = true;
  else if (parentOf(excerpt)?.type === 'ExportSpecifier') found.isShared = true;
  else noteUse(useOf(excerpt), excerpt, found, file, resolver);
}

function noteUse(
  use: Use,
  excerpt: Node,
  found: Found,
  file: SourceFile,
  resolver: Resolver,
): void {
  switch (use.kind) {
    case 'receiver':
      return isDirect(excerpt) ? noteMember(use, found) : void (found.isGivenAway = true);
    case 'argument':
      found.isGivenAway ||= !isBystander(use.call, file, resolver);
      return;
    case 'stored':
    case 'returned':
      found.isShared = true;
      return;
    case 'bound':
      if (use.inCollection) found.isShared = true;
      else found.isGivenAway ||= !isBoundToItself(excerpt);
      return;
    case 'callee':
      found.isGivenAway = true;
      return;
    case 'neutral':
      found.isGivenAway ||= parentOf(excerpt)?.type === 'ArrayExpression';
  }
}

/** The member is one of the object itself, not of an array around it. */
function isDirect(excerpt: Node): boolean {
  let node = excerpt;
  for (
    let up = parentOf(node);
    up !== undefined && up.type !== 'MemberExpression';
    up = parentOf(node)
  ) {
    if (up.type === 'ArrayExpression' || up.type === 'ObjectExpression') return false;
    node = up;
  }
  return true;
}

/** `pool = pool ?? new Pool()` */
function isBoundToItself(excerpt: Node): boolean {
  const assignment = findAncestor(
    excerpt,
    (each): each is TSESTree.AssignmentExpression => each.type === 'AssignmentExpression',
  );
  return (
    excerpt.type === 'Identifier' &&
    assignment?.left.type === 'Identifier' &&
    assignment.left.name === excerpt.name
  );
}

function noteMember({ member, call }: Use & { kind: 'receiver' }, found: Found): void {
  if (member !== undefined && listenMethods.has(member) && call !== null) {
    const [event] = call.arguments;
    found.events.add(event === undefined ? '*' : (constantText(event) ?? '*'));
  } else if (member === undefined || !plainMembers.has(member)) {
    found.isGivenAway = true;
  }
  if (member !== undefined && call !== null)
    found.calls.set(member, [...(found.calls.get(member) ?? []), call]);
}

/** `drizzle(pool)`, `console.log(pool)`, `pool.query.bind(pool)` */
function isBystander(
  call: CallNode | TSESTree.NewExpression,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  const callee = unwrap(call.callee);
  if (callee.type === 'MemberExpression')
    return (
      (callee.object.type === 'Identifier' && callee.object.name === 'console') ||
      memberName(callee) === 'bind'
    );
  const value =
    callee.type === 'Identifier' ? resolver.local.abstractValueOf(callee, file) : undefined;
  return value?.kind === 'package' && bystanders[value.module]?.[value.name] !== undefined;
}

export function isExported({ defs }: Variable): boolean {
  return defs.some(({ node }) => {
    const declaration = parentOf(node as Node);
    return declaration !== undefined && parentOf(declaration)?.type === 'ExportNamedDeclaration';
  });
}
