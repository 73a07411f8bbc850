import { createRequire } from 'node:module';
import { extname } from 'node:path';
import * as scopes from '@typescript-eslint/scope-manager';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import type { parseSync } from 'oxc-parser';
import { withScopes } from '../../rules/project/typescript-parts.ts';
import type { Parsed, ParseText } from '../../rules/project/trees.ts';
import { mayNestDeeply } from './nesting.ts';
import { finishTree, Refused } from './oxc-tree.ts';

/** As typescript-estree takes them: in `.js` an angle bracket never begins a type. */
const languages: Readonly<Record<string, 'jsx' | 'tsx'>> = {
  '.js': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
  '.jsx': 'jsx',
  '.tsx': 'tsx',
};

/** oxc's parser where its binding for this machine is installed: a third of the time of typescript-estree. It refuses each text of which it has anything to say. */
export function installedOxc(): ParseText | undefined {
  const parse = loadParser();
  return (
    parse &&
    ((text, path) => {
      if (mayNestDeeply(text)) return undefined;
      try {
        const ast = parseWith(parse, text, path);
        finishTree(ast, text);
        return withScopes(ast, visitorKeys, scopes);
      } catch (failure) {
        if (failure instanceof Refused) return undefined;
        throw failure;
      }
    })
  );
}

function loadParser(): typeof parseSync | undefined {
  try {
    const load = createRequire(import.meta.url);
    return (load('oxc-parser') as { readonly parseSync: typeof parseSync }).parseSync;
  } catch {
    return undefined;
  }
}

function parseWith(parse: typeof parseSync, text: string, path: string): Parsed['ast'] {
  const { errors, program, comments } = parse(path, text, {
    lang: languages[extname(path).toLowerCase()] ?? 'ts',
    astType: 'ts',
    range: true,
    preserveParens: false,
    // Of sloppy code typescript-estree takes a part, and says what is wrong with the rest.
    sourceType: 'module',
  });
  if (!errors.every(isHarmless)) throw new Refused();
  return Object.assign(program as unknown as Parsed['ast'], { comments: comments as never });
}

/** Scripts of CommonJS may return at their top level; the tree is whole. */
function isHarmless({ message }: { readonly message: string }): boolean {
  return message.startsWith("A 'return' statement can only be used within a function body");
}
