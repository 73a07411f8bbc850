import type { Checkout } from '../client/checkout.ts';
import { runsOnce } from './runs-once.ts';
import { findAncestor, type SourceFile } from '../files/source-file.ts';
import type { Node } from '../../flow/graph.ts';

/** True where nobody borrows the connection afterwards: the function ends the pool, or runs once, as the `main` of a script does, and has its client once. */
export function isLastUseOfPool({ acquisition, graph }: Checkout, file: SourceFile): boolean {
  if (file.text.slice(...graph.root.range).includes(`${acquisition.poolText}.end(`)) return true;
  const isRepeated =
    findAncestor(acquisition.call, (each): each is Node =>
      /^(?:For|While|DoWhile)/u.test(each.type),
    ) !== undefined;
  return !isRepeated && runsOnce(graph.root, file);
}
