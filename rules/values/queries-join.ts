import type { Library } from '../model/library.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { callsIn } from '../syntax/calls.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { HandleCall } from './handle-call.ts';
import type { Resolver } from './resolver.ts';

/** In a transaction with a callback, a call goes over the connection of that without being told; a transaction that is begun by hand never does. */
export function joinsTransaction(
  { library, sends, path }: HandleCall,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  if (sends) return queriesJoin(library, file, resolver);
  return library.joins && library.lends.some((lent) => lent.path === path.join('.'));
}

/** The program sees to it that queries find the transaction around them; a program of which not all can be looked through may do so. */
function queriesJoin(
  { queriesJoin: when }: Library,
  file: SourceFile,
  { reader }: Resolver,
): boolean {
  if (when === null || when === 'always') return when !== null;
  const paths = reader.texts?.ambient.pathsMatching(file.path);
  return (
    paths?.some((path) => {
      const each = reader.open?.(path);
      return each && callsIn(each).calls.some((call) => calledMember(call) === when.since);
    }) ?? true
  );
}
