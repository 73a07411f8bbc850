import { libraries } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { askedBy, calledMember, isRequest, waitFor } from '../syntax/call-chain.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { isParameterName } from '../syntax/parameters.ts';
import { unwrap, variableOf, type SourceFile, declarationOf } from '../syntax/source-file.ts';
import type { HandleCall } from './handle-call.ts';
import type { Resolver } from './resolver.ts';

/** ``await sql`SELECT 1`.execute(db)``: a statement that goes over the handle which it is given. */
export function carriedStatement(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): HandleCall | undefined {
  const [handle] = call.arguments;
  if (handle === undefined || !carryingNames.has(calledMember(call) ?? '')) return undefined;
  const value = resolver.abstractValueOf(handle, file);
  if (value?.kind !== 'handle' || waitFor(call) === 'dropped') return undefined;
  const { library } = value;
  return isCarriedBy(call, library, file, resolver)
    ? {
        handle,
        library,
        path: [],
        told: { kind: 'nothing' },
        sends: true,
        mayBeLent: value.mayBeLent === true || isParameterName(unwrap(handle), file),
      }
    : undefined;
}

export function isCarriedBy(
  call: CallNode,
  library: Library,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  return (
    library.carries?.by === calledMember(call) &&
    isMadeBy(startOfChain(call), library, file, resolver)
  );
}

const carryingNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ carries }) => carries?.by ?? []),
);

function isMadeBy(start: Node, library: Library, file: SourceFile, resolver: Resolver): boolean {
  const value = resolver.abstractValueOf(start, file);
  if (value?.kind === 'driver')
    return value.driver === library && value.name === library.carries?.made;
  const made = declarationOf(variableOf(file, start));
  return (
    made?.type === 'VariableDeclarator' &&
    made.init !== null &&
    isRequest(unwrap(made.init)) &&
    isMadeBy(startOfChain(unwrap(made.init)), library, file, resolver)
  );
}

/** `sql` of ``sql`SELECT 1`.execute(db)`` */
function startOfChain(node: Node): Node {
  const plain = unwrap(node);
  if (plain.type === 'CallExpression' || plain.type === 'TaggedTemplateExpression')
    return startOfChain(askedBy(plain));
  return plain.type === 'MemberExpression' ? startOfChain(plain.object) : plain;
}
