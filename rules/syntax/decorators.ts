import type { TSESTree } from '@typescript-eslint/types';

/** A parser of plain JavaScript leaves them out. */
export function decoratorsOf({
  decorators,
}: {
  readonly decorators?: readonly TSESTree.Decorator[] | undefined;
}): readonly TSESTree.Decorator[] {
  return decorators ?? [];
}
