import type { State } from '../flow/explore.ts';
import type { Driver } from '../model/drivers.ts';
import type { FunctionNode } from '../syntax/node.ts';
import { someIn } from '../syntax/preorder.ts';
import { memberName, type SourceFile } from '../syntax/source-file.ts';
import type { GivesBack } from '../typestate/acquisition.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';

/** The callback is left to give the client back, or a library ends what it has begun. */
export const leavesIt: GivesBack = { onReturn: false, onThrow: false };

/** Whether a function that lends its client releases it on every way to an end; one that borrows it in turn leaves that to its own lender. */
export function givesBackIn(checkout: Checkout, fn: FunctionNode, file: SourceFile): GivesBack {
  const { acquisition, exploration } = checkout;
  if (replacesRelease(fn, acquisition.driver, file)) return leavesIt;
  const ends = (kind: 'exit' | 'throw-exit'): boolean =>
    allGiveBack(
      exploration.states.filter(({ point }) => point.kind === kind),
      acquisition.style === 'lent' ? 'held' : 'released',
    );
  const enclosing = acquisition.style === 'lent' ? (acquisition.lender ?? leavesIt) : undefined;
  return {
    onReturn: ends('exit') && enclosing?.onReturn !== false,
    onThrow: ends('throw-exit') && enclosing?.onThrow !== false,
  };
}

function allGiveBack(ends: readonly State<Fact>[], status: Fact['status']): boolean {
  const taken = ends.filter(({ fact }) => fact.status !== 'none' && !fact.followsImplicitThrow);
  return taken.length > 0 && taken.every(({ fact }) => fact.status === status);
}

/** `client.release = () => …`: what its callbacks call is not what the pool gave it. */
function replacesRelease(fn: FunctionNode, { releases }: Driver, file: SourceFile): boolean {
  return someIn(
    file,
    fn,
    (node) =>
      node.type === 'AssignmentExpression' && releases.includes(memberName(node.left) ?? ''),
  );
}
