import type { Scope } from 'eslint';
import type { Node } from '../syntax/node.ts';
import { parentOf, type SourceFile, type Variable } from '../syntax/source-file.ts';

/** Whether the name of a variable stands for that variable at a place, and for no other. */
export function isVisible(variable: Variable, place: Node, file: SourceFile): boolean {
  for (let scope = scopeAt(place, file); scope !== null; scope = scope.upper) {
    const known = scope.set.get(variable.name);
    if (known !== undefined) return known === variable;
  }
  return false;
}

function scopeAt(place: Node, { scopes }: SourceFile): Scope.Scope | null {
  for (let node: Node | undefined = place; node !== undefined; node = parentOf(node)) {
    const scope = scopes.acquire(node as Parameters<typeof scopes.acquire>[0], true);
    if (scope !== null) return scope;
  }
  return null;
}
