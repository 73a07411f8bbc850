import type { CallReferences, Oid } from '../../database/read-called-functions.ts';

/**
 * Fields of nodes that hold an OID (outfuncs.c, PostgreSQL 12 to 18). Trees that are stored leave `opfuncid` 0 at
 * times, so operators count too.
 */
const fields = {
  functions: /:(?:funcid|opfuncid|aggfnoid|winfnoid)\s+(\d+)/g,
  operators: /:opno\s+(\d+)/g,
} as const;

/**
 * Reads trees in the text form of `pg_node_tree`, in which blanks within names are escaped: no name can look like a
 * field.
 */
export function readTree(tree: string): CallReferences {
  return {
    functions: allOf(tree, fields.functions),
    operators: allOf(tree, fields.operators),
    written: writtenIn(tree),
  };
}

function allOf(tree: string, pattern: RegExp): readonly Oid[] {
  const numbers = [...tree.matchAll(pattern)].map(([, text]) => Number(text));
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
