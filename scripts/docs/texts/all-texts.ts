import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsInCode, type Text } from './code-texts.ts';
import { textsInManifest } from './manifest-texts.ts';

/** Built files, and style sheets. */
const notTexts = /[\\/](?:dist|node_modules)[\\/]|report[\\/]html[\\/]page\.ts$/u;

/** Every text of the product that a person sees, in the order of the files. */
export function allTexts(root: string): readonly Text[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return [
    ...textsInManifest('package.json', read('package.json')),
    ...['rules', 'src', 'monitor'].flatMap((folder) =>
      filesIn(root, folder).flatMap((path) => textsInCode(path, read(path))),
    ),
  ];
}

function filesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /(?<!\.d|\.sql)\.ts$/u.test(path) && !notTexts.test(path))
    .sort();
}
