import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { areApart } from './edits.ts';
import type { Suggestion } from './suggestion.ts';
import { leakingStates } from '../typestate/leaking.ts';
import type { Resolver } from '../values/resolver.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  findAncestor,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { isHeldAsLong } from './held-as-long.ts';
import { releaseInFinally } from './release-in-finally.ts';
import { releasingNodes } from './releasing-nodes.ts';
import { removalsOf } from './removal.ts';

/** One of two releases goes: the early ones where a `finally` releases anyway, the second where the first always comes before it. */
export function dropRelease(
  checkout: Checkout,
  second: Node,
  excerpt: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly Suggestion[] {
  const statement = statementOf(second);
  if (
    statement === undefined ||
    !checkout.exploration.isComplete ||
    leakingStates(checkout).length > 0
  )
    return releaseInFinally(checkout, file, resolver);
  const superfluous =
    earlyReleases(checkout, statement, file, resolver) ??
    (isAlwaysReleased(checkout, excerpt) ? [statement] : undefined);
  if (superfluous === undefined) return releaseInFinally(checkout, file, resolver);
  const edits = removalsOf(superfluous, file.text);
  const lines = superfluous.map(({ loc }) => loc.start.line).sort((a, b) => a - b);
  return edits === undefined || !areApart(edits)
    ? []
    : [
        {
          messageId: lines.length > 1 ? 'dropReleases' : 'dropRelease',
          data: { lines: lines.join(', ') },
          edits,
        },
      ];
}

/** A whole statement without an argument: `client.release();`, `done();` */
export function statementOf(release: Node): TSESTree.ExpressionStatement | undefined {
  const { parent } = release;
  return release.type === 'CallExpression' &&
    release.arguments.length === 0 &&
    parent?.type === 'ExpressionStatement'
    ? parent
    : undefined;
}

function isAlwaysReleased({ exploration: { states } }: Checkout, excerpt: Node): boolean {
  return states.every(({ point, fact }) => point.node !== excerpt || fact.status === 'released');
}

/** All releases in a `try` and its `catch`, for a `finally` that releases in any case. */
function earlyReleases(
  checkout: Checkout,
  last: TSESTree.ExpressionStatement,
  file: SourceFile,
  resolver: Resolver,
): readonly TSESTree.ExpressionStatement[] | undefined {
  const { parent: finalizer } = last;
  const outer = finalizer.parent;
  if (outer?.type !== 'TryStatement' || outer.finalizer !== finalizer) return undefined;
  const range: Node['range'] = [outer.range[0], outer.finalizer.range[0]];
  const sites = [...checkout.releaseSites].filter(
    (site) => range[0] <= site.range[0] && site.range[1] <= range[1],
  );
  const statements = sites.flatMap((site) => statementOf(site) ?? []);
  const released = releasedBy(last.expression, file);
  const isAlone = [...releasingNodes(checkout)].every(
    (node) =>
      node.range[0] < range[0] ||
      node.range[1] > range[1] ||
      statements.some((each) => contains(each, node)),
  );
  const isPlain =
    isAlone &&
    statements.length === sites.length &&
    sites.length > 0 &&
    released !== undefined &&
    statements.every(
      (each) =>
        findAncestor(each, isFunction) === findAncestor(last, isFunction) &&
        releasedBy(each.expression, file) === released,
    );
  if (!isPlain) return undefined;
  const uses = usesIn(outer, released, file).filter(
    (each) => !statements.some((statement) => contains(statement, each)),
  );
  return isHeldAsLong(checkout, { releases: statements, range, uses }, file, resolver)
    ? statements
    : undefined;
}

/** The variable that holds the client, or the function that releases it. */
function releasedBy(call: Node, file: SourceFile): Variable | undefined {
  const callee = call.type === 'CallExpression' ? unwrap(call.callee) : undefined;
  const name = callee?.type === 'MemberExpression' ? unwrap(callee.object) : callee;
  return variableOf(file, name);
}

function usesIn(statement: Node, variable: Variable, file: SourceFile): readonly Node[] {
  const uses: Node[] = [];
  walk(file, statement, (node) => {
    if (node.type === 'Identifier' && variableOf(file, node) === variable) uses.push(node);
    return true;
  });
  return uses;
}
