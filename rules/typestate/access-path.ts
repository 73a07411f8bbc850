import type { Node } from '../syntax/node.ts';
import type { Variable } from '../syntax/source-file.ts';
import { createInterner } from './interning.ts';

/** What may hold a value that matters, by structure. */
type AccessPathKind =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'global'; readonly name: string }
  | { readonly kind: 'this' }
  /** `options.tx` */
  | { readonly kind: 'member'; readonly object: AccessPath; readonly name: string }
  /** The result of a call that stands in the graph. */
  | { readonly kind: 'result'; readonly call: Node }
  /** Whether a call has been made whose callback runs later. */
  | { readonly kind: 'called'; readonly call: Node }
  /** How a promise that is made in place was settled. */
  | { readonly kind: 'outcome'; readonly promise: Node }
  /** A property that the program itself keeps on its client: `client.inTransaction = true`. */
  | { readonly kind: 'mark'; readonly property: string }
  /** What an access path is compared with. */
  | { readonly kind: 'literal'; readonly raw: string }
  | { readonly kind: 'typeof'; readonly operand: AccessPath }
  /** `count > limit` */
  | {
      readonly kind: 'test';
      readonly operator: string;
      readonly left: AccessPath;
      readonly right: AccessPath;
    };

/** Equal access paths of one checkout are one object. */
export type AccessPath = AccessPathKind & {
  readonly id: number;
  /** The access paths that it is made of, however deep. */
  readonly parts: ReadonlySet<AccessPath>;
};

export type InternAccessPath = (kind: AccessPathKind) => AccessPath;

export function createAccessPathTable(): InternAccessPath {
  const accessPaths = new Map<number, AccessPath>();
  const intern = createInterner();
  return (kind) => {
    const id = intern(structureOf(kind));
    const known = accessPaths.get(id);
    if (known !== undefined) return known;
    const operands = operandsOf(kind);
    const parts = new Set(operands.flatMap((operand) => [operand, ...operand.parts]));
    const accessPath: AccessPath = { ...kind, id, parts };
    accessPaths.set(id, accessPath);
    return accessPath;
  };
}

function structureOf(kind: AccessPathKind): readonly unknown[] {
  switch (kind.kind) {
    case 'variable':
      return [kind.kind, kind.variable];
    case 'global':
      return [kind.kind, kind.name];
    case 'this':
      return [kind.kind];
    case 'member':
      return [kind.kind, kind.object, kind.name];
    case 'result':
    case 'called':
      return [kind.kind, kind.call];
    case 'outcome':
      return [kind.kind, kind.promise];
    case 'mark':
      return [kind.kind, kind.property];
    case 'literal':
      return [kind.kind, kind.raw];
    case 'typeof':
      return [kind.kind, kind.operand];
    case 'test':
      return [kind.kind, kind.operator, kind.left, kind.right];
  }
}

function operandsOf(kind: AccessPathKind): readonly AccessPath[] {
  switch (kind.kind) {
    case 'member':
      return [kind.object];
    case 'typeof':
      return [kind.operand];
    case 'test':
      return [kind.left, kind.right];
    default:
      return [];
  }
}

/** Whether what an access path holds depends on another one, itself aside: its members and the tests with it. */
export function dependsOn(accessPath: AccessPath, other: AccessPath): boolean {
  return accessPath.parts.has(other);
}

/** The same member, or the same test, of another access path. */
export function renamed(
  accessPath: AccessPath,
  own: AccessPath,
  given: AccessPath,
  intern: InternAccessPath,
): AccessPath {
  if (accessPath === own) return given;
  if (!dependsOn(accessPath, own)) return accessPath;
  const rename = (part: AccessPath): AccessPath => renamed(part, own, given, intern);
  switch (accessPath.kind) {
    case 'member':
      return intern({ kind: 'member', object: rename(accessPath.object), name: accessPath.name });
    case 'typeof':
      return intern({ kind: 'typeof', operand: rename(accessPath.operand) });
    case 'test':
      return intern({
        kind: 'test',
        operator: accessPath.operator,
        left: rename(accessPath.left),
        right: rename(accessPath.right),
      });
    default:
      return accessPath;
  }
}
