import type { Oid } from '../../database/read-call-facts.ts';

/** What a query tree names, by OID. */
export interface References {
  readonly functions: readonly Oid[];
  readonly operators: readonly Oid[];
  readonly types: readonly Oid[];
  readonly relations: readonly Oid[];
  /** Those of the relations that it inserts into, updates or deletes from. */
  readonly written: readonly Oid[];
}

/**
 * Fields of nodes that hold an OID (outfuncs.c, PostgreSQL 12 to 18). Trees that are stored leave `opfuncid` 0 at
 * times, so operators count too.
 */
const fields = {
  functions:
    /:(?:funcid|opfuncid|hashfuncid|negfuncid|aggfnoid|winfnoid|tsmhandler|startInRangeFunc|endInRangeFunc)\s+(\d+)/g,
  operators: /:(?:opno|eqop|sortop|cycle_mark_neop)\s+(\d+)/g,
  types: /:\w*(?:type|typeid|typeId)\s+(\d+)/g,
  relations: /:relid\s+(\d+)/g,
} as const;

/** Fields that hold a list of OIDs: `(o 97 664)`. */
const lists = {
  operators: /:opnos\s+\(o\s([\d\s]+)\)/g,
  types: /:\w*types\s+\(o\s([\d\s]+)\)/g,
} as const;

/**
 * Reads trees in the text form of `pg_node_tree`, in which blanks within names are escaped: no name can look like a
 * field.
 */
export function readTree(tree: string): References {
  return {
    functions: allOf(tree, fields.functions),
    operators: [...allOf(tree, fields.operators), ...allOf(tree, lists.operators)],
    types: [...allOf(tree, fields.types), ...allOf(tree, lists.types)],
    relations: allOf(tree, fields.relations),
    written: writtenIn(tree),
  };
}

function allOf(tree: string, pattern: RegExp): readonly Oid[] {
  const numbers = [...tree.matchAll(pattern)]
    .flatMap(([, text = '']) => text.trim().split(/\s+/))
    .map(Number);
  return [...new Set(numbers)].filter((oid) => oid !== 0);
}

/** INSERT, UPDATE and DELETE among the rights that a query needs (parsenodes.h, ACL_*). */
const writingRights = 1 | 4 | 8;

/** The rights stand behind the relation: in its range table entry, since PostgreSQL 16 in an entry of their own. */
function writtenIn(tree: string): readonly Oid[] {
  return tree
    .split(/:relid\s+/)
    .slice(1)
    .flatMap((piece) => {
      const rights = Number(/:requiredPerms\s+(\d+)/.exec(piece)?.[1] ?? 0);
      return (rights & writingRights) === 0 ? [] : [Number.parseInt(piece, 10)];
    });
}
