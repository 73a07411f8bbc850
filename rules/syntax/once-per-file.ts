import type { SourceFile } from './source-file.ts';

/** A question about a file that is answered once and remembered for as long as the file is. */
export function oncePerFile<Answer extends object | boolean>(
  find: (file: SourceFile) => Answer,
): (file: SourceFile) => Answer {
  const known = new WeakMap<SourceFile, Answer>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const answer = find(file);
    known.set(file, answer);
    return answer;
  };
}
