import type { Node } from '../syntax/node.ts';
import type { Variable } from '../syntax/source-file.ts';
import { createInterner } from './interning.ts';

/** What may hold a value that matters, by structure. */
type CellKind =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'global'; readonly name: string }
  | { readonly kind: 'this' }
  /** `options.tx` */
  | { readonly kind: 'member'; readonly object: Cell; readonly name: string }
  /** The result of a call that stands in the graph. */
  | { readonly kind: 'result'; readonly call: Node }
  /** Whether a call has been made whose callback runs later. */
  | { readonly kind: 'called'; readonly call: Node }
  /** How a promise that is made in place was settled. */
  | { readonly kind: 'outcome'; readonly promise: Node }
  /** A property that the program itself keeps on its client: `client.inTransaction = true`. */
  | { readonly kind: 'mark'; readonly property: string }
  /** What a cell is compared with. */
  | { readonly kind: 'literal'; readonly raw: string }
  | { readonly kind: 'typeof'; readonly operand: Cell }
  /** `count > limit` */
  | {
      readonly kind: 'test';
      readonly operator: string;
      readonly left: Cell;
      readonly right: Cell;
    };

/** Equal cells of one checkout are one object. */
export type Cell = CellKind & {
  readonly id: number;
  /** The cells that it is made of, however deep. */
  readonly parts: ReadonlySet<Cell>;
};

export type InternCell = (kind: CellKind) => Cell;

export function createCellTable(): InternCell {
  const cells = new Map<number, Cell>();
  const intern = createInterner();
  return (kind) => {
    const id = intern(structureOf(kind));
    const known = cells.get(id);
    if (known !== undefined) return known;
    const operands = operandsOf(kind);
    const parts = new Set(operands.flatMap((operand) => [operand, ...operand.parts]));
    const cell: Cell = { ...kind, id, parts };
    cells.set(id, cell);
    return cell;
  };
}

function structureOf(kind: CellKind): readonly unknown[] {
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

function operandsOf(kind: CellKind): readonly Cell[] {
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

/** Whether what a cell holds depends on another one, itself aside: its members and the tests with it. */
export function dependsOn(cell: Cell, other: Cell): boolean {
  return cell.parts.has(other);
}

/** The same member, or the same test, of another cell. */
export function renamed(cell: Cell, own: Cell, given: Cell, intern: InternCell): Cell {
  if (cell === own) return given;
  if (!dependsOn(cell, own)) return cell;
  const rename = (part: Cell): Cell => renamed(part, own, given, intern);
  switch (cell.kind) {
    case 'member':
      return intern({ kind: 'member', object: rename(cell.object), name: cell.name });
    case 'typeof':
      return intern({ kind: 'typeof', operand: rename(cell.operand) });
    case 'test':
      return intern({
        kind: 'test',
        operator: cell.operator,
        left: rename(cell.left),
        right: rename(cell.right),
      });
    default:
      return cell;
  }
}
