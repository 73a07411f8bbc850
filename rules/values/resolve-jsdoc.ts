import type { Node } from '../syntax/node.ts';
import type { AbstractValue } from './abstract-values.ts';
import { valueOfTypeName } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';
import { oncePerFile } from '../syntax/once-per-file.ts';
import { parentOf, type SourceFile } from '../syntax/source-file.ts';

/** What a comment says a variable is: `@param {Pool} pool` above its function, `@type {import('pg').Pool}` above its declaration. */
export function jsDocValue(
  resolver: Resolver,
  name: Node,
  declaration: Node,
  file: SourceFile,
): AbstractValue | undefined {
  if (name.type !== 'Identifier' || !hasTags(file)) return undefined;
  const comment = commentAbove(declaration, file);
  const pattern =
    declaration.type === 'VariableDeclarator'
      ? /@type\s*\{(?<type>[^{}\n]+)\}/u
      : /@param\s*\{(?<type>[^{}\n]+)\}\s*\[?(?<name>[\w$]+)/gu;
  if (comment === undefined) return undefined;
  const tags = pattern.global ? [...comment.matchAll(pattern)] : [pattern.exec(comment)];
  const tag = tags.find(
    (each) => each !== null && (each.groups?.['name'] ?? name.name) === name.name,
  );
  const type = tag?.groups?.['type'];
  return type === undefined ? undefined : valueOfText(resolver, type, name, file);
}

const hasTags = oncePerFile(({ text }) => text.includes('* @'));

const mayStandBetween =
  /^\s*(?:(?:(?:export|default|async|const|let|var|static|public|private|protected)(?![\w$.#]|\s*[=:])|[\w$.#]+\s*[=:])\s*)*$/u;

/** A comment that ends more characters above belongs to something else. */
const farthest = 199;

/** The comment that ends right above the statement, method or property that a node starts. */
function commentAbove(declaration: Node, file: SourceFile): string | undefined {
  const up = parentOf(declaration);
  const start =
    up?.type === 'MethodDefinition' || up?.type === 'Property' ? up.range[0] : declaration.range[0];
  const between = file.text.slice(Math.max(0, start - farthest), start);
  const ends = between.lastIndexOf('*/');
  if (ends < 0 || !mayStandBetween.test(between.slice(ends + 2))) return undefined;
  const end = start - between.length + ends;
  const begin = file.text.lastIndexOf('/**', end);
  return begin < 0 ? undefined : file.text.slice(begin, end);
}

/** `Pool`, `pg.Pool` or `import('pg').Pool`, nullable or not. */
function valueOfText(
  resolver: Resolver,
  text: string,
  at: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const type = text
    .trim()
    .replace(/^[?!]|[?!=]$/gu, '')
    .replace(/(?<!\s)\s*\|\s*(?:null|undefined)$/u, '');
  const groups =
    /^(?:import\(\s*['"](?<module>[^'"]+)['"]\s*\)\.)?(?<path>[\w$]+(?:\.[\w$]+)*)$/u.exec(
      type,
    )?.groups;
  return groups?.['path'] === undefined
    ? undefined
    : valueOfTypeName(resolver, groups['path'].split('.'), groups['module'], at, file);
}
