/** A node with its kind, for example `FuncCall`. */
export interface FoundNode {
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Every node below a tree, itself included, in no order. In the JSON of libpg_query a node is an object below its kind, which begins
 * with a capital letter; where the place allows one kind only (`intoClause`, `larg`), the object stands there by itself, and is found as that field.
 * Takes no stack, so that depth does not matter.
 */
export function* walkSql(tree: unknown): Generator<FoundNode> {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [kind, child] of Object.entries(value)) {
      if (typeof child !== 'object' || child === null) continue;
      if (!Array.isArray(child)) yield { kind, fields: child as FoundNode['fields'] };
      open.push(child);
    }
  }
}

/** The names of a qualified name: `[{ String: { sval } }, …]`. */
export function namesOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: { readonly String?: { readonly sval?: unknown } } | null) =>
    typeof item?.String?.sval === 'string' ? [item.String.sval] : [],
  );
}
