import { placeOf } from '../syntax/excerpt.ts';
import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { PathStep } from './finding.ts';

/** A step that may lie in another file than the finding, which is of the file `from`. */
export function stepInFile(file: SourceFile, node: Node, text: string, from: SourceFile): PathStep {
  return { place: placeOf(node), text, ...(file === from ? {} : { file: file.path }) };
}
