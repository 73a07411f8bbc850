import type { Scope } from 'eslint';
import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from './node.ts';

export type Variable = Scope.Variable;
type Definition = Scope.Definition;

/** A parsed file with its scopes: the one being linted, or one that it imports. */
export interface SourceFile {
  /** Absolute path; may name a file that does not exist yet. */
  readonly path: string;
  readonly ast: TSESTree.Program;
  readonly scopes: Scope.ScopeManager;
  readonly visitorKeys: Readonly<Record<string, readonly string[] | undefined>>;
  /** The text between two offsets of the file. */
  readonly text: string;
}

// A cache, keyed by the tree: it holds nothing of its own.
const variablesByTree = new WeakMap<object, ReadonlyMap<unknown, Variable>>();

/** The variable that an identifier names or declares; undefined for globals, names of properties, and what is no name. */
export function variableOf(
  file: SourceFile,
  identifier: Node | null | undefined,
): Variable | undefined {
  const variables = variablesByTree.get(file.ast) ?? indexVariables(file);
  variablesByTree.set(file.ast, variables);
  return variables.get(identifier);
}

function indexVariables(file: SourceFile): ReadonlyMap<unknown, Variable> {
  const found = new Map<unknown, Variable>();
  for (const scope of file.scopes.scopes) {
    for (const variable of scope.variables) {
      for (const identifier of variable.identifiers) found.set(identifier, variable);
      for (const reference of variable.references) found.set(reference.identifier, variable);
    }
  }
  return found;
}

/** True for a name that the file does not declare. */
export function isGlobal(name: Node, file: SourceFile): boolean {
  return (variableOf(file, name)?.defs.length ?? 0) === 0;
}

/** A name of the file's top level. */
export function topLevelVariable(file: SourceFile, name: string): Variable | undefined {
  const [global] = file.scopes.scopes;
  const candidates = [
    global,
    ...(global?.childScopes ?? []).filter(({ type }) => type === 'module'),
  ];
  return candidates
    .map((scope) => scope?.set.get(name))
    .findLast((variable) => (variable?.defs.length ?? 0) > 0);
}

/** The only definition of a variable; undefined when it has none or several. */
export function definitionOf(variable: Variable | undefined): Definition | undefined {
  return variable?.defs.length === 1 ? variable.defs[0] : undefined;
}

/** The node of that definition: a declarator, a function, an import. */
export function declarationOf(variable: Variable | undefined): Node | undefined {
  return definitionOf(variable)?.node as Node | undefined;
}

/** Where a file references what a name declares or stands for. */
export function referencesTo(name: Node | null | undefined, file: SourceFile): readonly Node[] {
  return referencesOf(variableOf(file, name));
}

/** Where a variable is referenced. */
export function referencesOf(variable: Variable | undefined): readonly Node[] {
  return (variable?.references ?? []).map(({ identifier }) => identifier as unknown as Node);
}

/** Where a variable is read. */
export function readsOf({ references }: Variable): readonly Node[] {
  return references
    .filter((each) => each.isRead())
    .map(({ identifier }) => identifier as unknown as Node);
}

/** What is written to a variable after its declaration. */
export function writesTo(variable: Variable): readonly Node[] {
  return variable.references
    .filter((each) => each.isWrite() && each.init !== true)
    .flatMap((each) => (each.writeExpr ? [each.writeExpr as Node] : []));
}

export function parentOf(node: Node): Node | undefined {
  // ESLint says null above the top where the types say undefined.
  const parent: Node | null | undefined = node.parent;
  return parent ?? undefined;
}

/** Looks outwards for the nearest node that satisfies a test. */
export function findAncestor<Found extends Node>(
  node: Node,
  test: (node: Node) => node is Found,
): Found | undefined {
  for (let each = parentOf(node); each !== undefined; each = parentOf(each)) {
    if (test(each)) return each;
  }
  return undefined;
}

/** The name of a property key or a non-computed member, also when it is written as a string; `[Symbol.dispose]` has one, too. */
export function keyName(key: Node, computed: boolean): string | undefined {
  if (key.type === 'Literal') return String(key.value);
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (!computed) return key.type === 'Identifier' ? key.name : undefined;
  return isSymbol(key) ? `[Symbol.${key.property.name}]` : undefined;
}

/** `Symbol.asyncDispose`: the one symbol of that name. */
export function isSymbol(
  key: Node,
): key is TSESTree.MemberExpression & { property: TSESTree.Identifier } {
  return (
    key.type === 'MemberExpression' &&
    !key.computed &&
    key.object.type === 'Identifier' &&
    key.object.name === 'Symbol' &&
    key.property.type === 'Identifier'
  );
}

/** The name of the member that an expression reads: `b` for `a.b` and `a['b']`; undefined for what reads none. */
export function memberName(node: Node | undefined): string | undefined {
  return node?.type === 'MemberExpression' ? keyName(node.property, node.computed) : undefined;
}

/** `a.b` with one of these names for `b`. */
export function isMember(
  node: Node | null | undefined,
  ...names: readonly string[]
): node is TSESTree.MemberExpression {
  return node?.type === 'MemberExpression' && names.includes(memberName(node) ?? '');
}

/** An expression without the wrappers that do not change its value: `(a as T)!` is `a`. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return unwrap(node.expression);
    default:
      return node;
  }
}

/** True when a node is another one or stands in it, both of one file. */
export function contains(outer: Node, inner: Node): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}
