import ts from 'typescript';
import type { Text } from './code-texts.ts';

/** The keys of an extension's manifest whose values VS Code or a registry shows. */
const shown =
  /^(?:title|shortTitle|name|displayName|category|label|altText|contents|description|(?:user|model|markdown)Description|(?:markdownE|e)numDescriptions|deprecationMessage|patternErrorMessage)$/u;

/** The texts of package.json that people see: titles, settings, the walkthrough, views and capabilities. */
export function textsInManifest(path: string, json: string): readonly Text[] {
  const file = ts.parseJsonText(path, json);
  const texts: Text[] = [];
  const visit = (node: ts.Node, kind: string): void => {
    if (ts.isPropertyAssignment(node)) {
      visit(node.initializer, ts.isStringLiteral(node.name) ? node.name.text : '');
      return;
    }
    if (ts.isStringLiteral(node) && shown.test(kind) && node.text.includes(' ')) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      texts.push({ path, line: line + 1, kind, text: node.text });
    }
    ts.forEachChild(node, (child) => {
      visit(child, kind);
    });
  };
  visit(file, '');
  return texts;
}
