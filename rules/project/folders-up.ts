import { dirname } from 'node:path';

/** A folder and those around it, the innermost first. */
export function foldersUp(folder: string): readonly string[] {
  const folders = [folder];
  for (let up = dirname(folder); up !== folders.at(-1); up = dirname(up)) folders.push(up);
  return folders;
}
