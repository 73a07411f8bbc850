import { methods } from '../model/drivers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { runsOnce } from '../syntax/runs-once.ts';
import { someIn } from '../syntax/preorder.ts';
import { findAncestor, type SourceFile, isMember } from '../syntax/source-file.ts';
import type { Node } from '../syntax/node.ts';

/** True where nobody borrows the connection afterwards: the function ends the pool, or runs once, as the `main` of a script does, and has its client once. */
export function isLastUseOfPool({ acquisition, graph }: Checkout, file: SourceFile): boolean {
  const ends = [methods.end, ...acquisition.driver.endsAll];
  const endsPool = someIn(
    file,
    graph.root,
    (node) =>
      node.type === 'CallExpression' &&
      isMember(node.callee, ...ends) &&
      file.text.slice(...node.callee.object.range) === acquisition.poolText,
  );
  if (endsPool) return true;
  const isRepeated =
    findAncestor(acquisition.call, (each): each is Node =>
      /^(?:For|While|DoWhile)/u.test(each.type),
    ) !== undefined;
  return !isRepeated && runsOnce(graph.root, file);
}
