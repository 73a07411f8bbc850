import type { Adapter, Library } from '../model/library.ts';
import type { NodePlace } from '../project/module-reader.ts';
import { importsOf } from '../project/import-reachability.ts';
import { keyName, type SourceFile } from '../syntax/source-file.ts';
import type { Node } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import type { Resolver } from './resolver.ts';

export function hasAdapters({ adapters }: Library): boolean {
  return Object.keys(adapters).length > 0;
}

export function poolsOf({ poolsOf: wrapped, module }: Library): string {
  return wrapped ?? module;
}

/** The package whose pools the names of a library are of; undefined where the program does not say which, or has several. */
export function poolsOfAt(
  library: Library,
  file: SourceFile,
  resolver: Resolver,
): string | undefined {
  return hasAdapters(library) ? adapterAt(library, file, resolver)?.of : poolsOf(library);
}

/** The one adapter that the files of a program import. */
function adapterAt(
  library: Library,
  file: SourceFile,
  { reader }: Resolver,
): (Adapter & { readonly module: string }) | undefined {
  if (!hasAdapters(library)) return undefined;
  const texts = reader.texts?.adapter.matching(file.path) ?? [];
  const used = Object.entries(library.adapters).filter(
    ([module]) =>
      importsOf(file).includes(module) || texts.some((text) => isImported(module, text)),
  );
  const [only] = used;
  return used.length === 1 && only ? { ...only[1], module: only[0] } : undefined;
}

function isImported(module: string, text: string): boolean {
  return [`'${module}'`, `"${module}"`].some((each) => text.includes(each));
}

/** What is given for a token. */
export interface Token {
  readonly injected: string;
  /** The class that it is. */
  readonly ofClass: NodePlace | undefined;
}

type TokenIn = (node: Node, file: SourceFile, resolver: Resolver) => Token | undefined;

/** The token of the handle that the program's adapter is made for; undefined where it makes several. */
export function tokenOfAdapter(
  library: Library,
  file: SourceFile,
  resolver: Resolver,
  tokenIn: TokenIn,
): Token | undefined {
  const adapter = adapterAt(library, file, resolver);
  const { reader } = resolver;
  if (adapter === undefined) return undefined;
  const tokens = (reader.texts?.adapter.pathsMatching(file.path) ?? []).flatMap((path) => {
    const each = reader.open?.(path);
    return each === undefined
      ? []
      : resolver.knownIn<readonly (Token | undefined)[]>(each, {
          text: `tokens for ${adapter.module}`,
          unknown: [],
          find: (there, file) =>
            tokensIn(file, adapter, there).map((token) => tokenIn(token, file, there)),
        });
  });
  return tokens.length === 1 ? tokens[0] : undefined;
}

/** `KYSELY` of `new TransactionalAdapterKysely({ kyselyInstanceToken: KYSELY })` */
function tokensIn(
  file: SourceFile,
  { module, token }: Adapter & { readonly module: string },
  resolver: Resolver,
): readonly Node[] {
  const found: Node[] = [];
  walk(file, file.ast, (node) => {
    const [options] = node.type === 'NewExpression' ? node.arguments : [];
    if (node.type !== 'NewExpression' || options?.type !== 'ObjectExpression') return true;
    const abstractValue = resolver.abstractValueOf(node.callee, file);
    if (abstractValue?.kind === 'package' && abstractValue.module === module)
      found.push(
        ...options.properties.flatMap((each) =>
          each.type === 'Property' && keyName(each.key, each.computed) === token ? each.value : [],
        ),
      );
    return true;
  });
  return found;
}
