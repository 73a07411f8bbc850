import type { SourceFile } from './source-file.ts';

/** A question about a file that is answered once and remembered for as long as the file is. */
export function oncePerFile<Answer extends object | boolean>(
  find: (file: SourceFile) => Answer,
): (file: SourceFile) => Answer {
  return oncePer((file) => file, find);
}

/** The same for a question about a file's tree alone, which several readers of the file may share. */
export function oncePerTree<Answer extends object | boolean>(
  find: (file: SourceFile) => Answer,
): (file: SourceFile) => Answer {
  return oncePer(({ ast }) => ast, find);
}

function oncePer<Answer extends object | boolean>(
  keyOf: (file: SourceFile) => object,
  find: (file: SourceFile) => Answer,
): (file: SourceFile) => Answer {
  const known = new WeakMap<object, Answer>();
  return (file) => {
    const key = keyOf(file);
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = find(file);
    known.set(key, answer);
    return answer;
  };
}
