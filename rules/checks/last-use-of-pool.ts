import { methods } from '../model/drivers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { runsOnce } from '../syntax/runs-once.ts';
import { findAncestor, type SourceFile } from '../syntax/source-file.ts';
import type { Node } from '../syntax/node.ts';

/** True where nobody borrows the connection afterwards: the function ends the pool, or runs once, as the `main` of a script does, and has its client once. */
export function isLastUseOfPool({ acquisition, graph }: Checkout, file: SourceFile): boolean {
  const text = file.text.slice(...graph.root.range);
  const ends = [methods.end, ...acquisition.driver.endsAll];
  if (ends.some((name) => text.includes(`${acquisition.poolText}.${name}(`))) return true;
  const isRepeated =
    findAncestor(acquisition.call, (each): each is Node =>
      /^(?:For|While|DoWhile)/u.test(each.type),
    ) !== undefined;
  return !isRepeated && runsOnce(graph.root, file);
}
