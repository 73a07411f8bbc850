import { libraryFor } from '../model/libraries.ts';
import type { Given, Library } from '../model/library.ts';
import { type ClassNode, isClass } from '../syntax/node.ts';
import { keyName, topLevelVariable, type SourceFile } from '../syntax/source-file.ts';
import { nodeAt, placeOf } from './apart.ts';
import type { AbstractValue } from './abstract-values.ts';
import { typeOf } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';

/** A method that a relation gives to the objects of a class. */
interface Relation {
  readonly library: Library;
  /** How it is told its connection. */
  readonly given: Given;
}

/** `user.getPosts`, of which the class says `declare getPosts: HasManyGetAssociationsMixin<Post>`. */
export function relationOf(
  value: AbstractValue | undefined,
  name: string,
  resolver: Resolver,
): Relation | undefined {
  if (value?.kind !== 'instance') return undefined;
  const place = placeOf(value);
  return resolver.knownIn<Relation | undefined>(value.file, {
    text: `${place.range.join('-')} relation ${name}`,
    unknown: undefined,
    find(there, file) {
      const node = nodeAt(place, file);
      return isClass(node) ? declaredIn(node, name, file, there) : undefined;
    },
  });
}

function declaredIn(
  { body }: ClassNode,
  name: string,
  file: SourceFile,
  resolver: Resolver,
): Relation | undefined {
  for (const member of body.body) {
    if (member.type !== 'PropertyDefinition' || keyName(member.key, member.computed) !== name)
      continue;
    const type = member.typeAnnotation?.typeAnnotation;
    if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined;
    const value = typeOf(resolver, topLevelVariable(file, type.typeName.name), file);
    return value?.kind === 'driver' ? ofType(value) : undefined;
  }
  return undefined;
}

function ofType({ driver, name }: AbstractValue & { kind: 'driver' }): Relation | undefined {
  const library = libraryFor(driver);
  const relations = library?.models.relations ?? {};
  const given = Object.hasOwn(relations, name) ? relations[name] : undefined;
  return library && given && { library, given };
}
