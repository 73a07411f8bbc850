import type { TSESTree } from '@typescript-eslint/types';
import { isContainers } from '../model/containers.ts';
import { libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { constantText } from '../syntax/constants.ts';
import { decoratorsOf } from '../syntax/decorators.ts';
import { type Node, isClass, isFunction } from '../syntax/node.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { nodeAt, placeOf, replaced } from './apart.ts';
import { definitionOfName } from './definition-of-name.ts';
import type { AbstractValue } from './abstract-values.ts';
import { hasAdapters, tokenOfAdapter, type Token as GivenToken } from './adapters.ts';
import { derivedFrom, type Handle } from './handles.ts';
import { declaredBy, injectionAt } from './reached.ts';
import type { Resolver } from './resolver.ts';
import type { ModuleReader } from '../project/module-reader.ts';

/** What a container gives where a parameter of a constructor or a field is declared, with the token by which it knows that. */
export function asInjected<Known extends AbstractValue | undefined>(
  abstractValue: Known,
  name: Node,
  file: SourceFile,
  resolver: Resolver,
): Known {
  const library = injectingCurrent(name, file, resolver);
  if (library !== undefined)
    return (currentOf(library, name, file, resolver) ?? lent(abstractValue)) as Known;
  if (abstractValue === undefined || !('site' in abstractValue) || abstractValue.site === undefined)
    return abstractValue;
  if (abstractValue.kind === 'handle' && hasAdapters(abstractValue.library))
    return overAdapter(abstractValue, resolver) as Known;
  const injected = tokenAt(name, abstractValue, file, resolver);
  return injected === undefined
    ? abstractValue
    : (replaced(abstractValue, {
        site: replaced(abstractValue.site, { injected }),
      }) as unknown as Known);
}

/** Some transaction's handle, where nothing says over which pool. */
function lent(abstractValue: AbstractValue | undefined): AbstractValue | undefined {
  return abstractValue?.kind === 'handle' ? { ...abstractValue, mayBeLent: true } : abstractValue;
}

/** What the host of a library's transactions has as the handle of the one around. */
function currentOf(
  library: Library,
  name: Node,
  file: SourceFile,
  resolver: Resolver,
): AbstractValue | undefined {
  const reached = injectionAt(name, library, file, resolver)?.reached;
  const host: Handle = {
    kind: 'handle',
    library,
    site: { node: name, file, holder: undefined },
    ...(reached && { reached }),
  };
  const member = library.ambient?.current.members[0];
  return member === undefined
    ? undefined
    : derivedFrom(overAdapter(host, resolver), member, resolver);
}

/** `@InjectTransaction() tx`: the library that injects the handle of the transaction around, whatever type is declared. */
function injectingCurrent(name: Node, file: SourceFile, resolver: Resolver): Library | undefined {
  return declaredBy(name)
    ?.decorators.map(({ expression }) => injecting(unwrap(expression), file, resolver))
    .find((each) => each !== undefined);
}

function injecting(decorator: Node, file: SourceFile, resolver: Resolver): Library | undefined {
  const abstractValue =
    decorator.type === 'CallExpression'
      ? resolver.abstractValueOf(decorator.callee, file)
      : undefined;
  if (abstractValue?.kind !== 'driver') return undefined;
  const library = libraryFor(abstractValue.driver);
  return library?.ambient?.current.decorators.includes(abstractValue.name) === true
    ? library
    : undefined;
}

/** What runs transactions over the pool of another library is what a container gives for the token of that. */
export function overAdapter(handle: Handle, resolver: Resolver): Handle {
  const { library, site, reached } = handle;
  if (reached?.name !== 'default') return handle;
  const given = tokenOfAdapter(library, site.file, resolver, tokenIn);
  if (given === undefined) return handle;
  const { injected, ofClass } = given;
  return {
    ...handle,
    site: replaced(site, { injected }),
    ...(ofClass !== undefined && { ofClass }),
  };
}

function tokenAt(
  name: Node,
  abstractValue: AbstractValue,
  file: SourceFile,
  resolver: Resolver,
): string | undefined {
  const declared = declaredBy(name);
  const owner = findAncestor(name, isClass);
  if (declared === undefined || owner === undefined) return undefined;
  const { decorators, isParameter } = declared;
  if (decorators.length > 0)
    return decorators
      .map(({ expression }) => tokenOf(expression, file, resolver))
      .find((token) => token !== undefined);
  return isParameter && decoratorsOf(owner).length > 0
    ? tokenOfClass(abstractValue, file, resolver)
    : undefined;
}

/** `constructor(private readonly database: DatabaseService)`: a class is its own token. */
function tokenOfClass(
  abstractValue: AbstractValue,
  file: SourceFile,
  resolver: Resolver,
): string | undefined {
  if (abstractValue.kind !== 'instance') return undefined;
  const place = placeOf(abstractValue);
  const name = resolver.knownIn<string | undefined>(abstractValue.file, {
    text: `${place.range.join('-')} is provided as`,
    unknown: undefined,
    find: (there, home) => nameProvided(nodeAt(place, home), home, there),
  });
  return name !== undefined && isProvidedOnce(name, file, resolver.reader)
    ? `${place.path} ${place.range.join('-')}`
    : undefined;
}

/** The name of a class of which a container makes one object: `@Injectable()`, and not for each request. */
function nameProvided(node: Node, file: SourceFile, resolver: Resolver): string | undefined {
  if (!isClass(node) || node.id === null) return undefined;
  const isOne = decoratorsOf(node).some(({ expression }) => {
    const call = unwrap(expression);
    if (call.type !== 'CallExpression' || call.arguments.length > 0) return false;
    const abstractValue = resolver.abstractValueOf(call.callee, file);
    return abstractValue?.kind === 'package' && isContainers(abstractValue);
  });
  return isOne ? node.id.name : undefined;
}

/** The token that a decorator names: `@Inject(DRIZZLE)`, `@InjectKysely()`, or one of the program's own that gives such a one. */
function tokenOf(decorator: Node, file: SourceFile, resolver: Resolver): string | undefined {
  const call = unwrap(decorator);
  if (call.type !== 'CallExpression') return undefined;
  const abstractValue = resolver.abstractValueOf(call.callee, file);
  switch (abstractValue?.kind) {
    case 'package':
      return tokenGiven(call, `${abstractValue.module} ${abstractValue.name}`, file, resolver);
    case 'function':
      return call.arguments.length === 0 ? tokenInside(abstractValue, resolver) : undefined;
    default:
      return undefined;
  }
}

/** `export const InjectDb = () => Inject(DB)` */
function tokenInside(
  fn: AbstractValue & { readonly kind: 'function' },
  resolver: Resolver,
): string | undefined {
  const place = placeOf(fn);
  return resolver.knownIn<string | undefined>(fn.file, {
    text: `${place.range.join('-')} injects`,
    unknown: undefined,
    find(there, home) {
      const node = nodeAt(place, home);
      const [value, ...more] = isFunction(node) ? returnedValues(home, node) : [];
      return value === undefined || more.length > 0 || isSame(value, fn)
        ? undefined
        : tokenOf(value, home, there);
    },
  });
}

function isSame(value: Node, fn: AbstractValue & { readonly kind: 'function' }): boolean {
  const { range } = placeOf(fn);
  return value.range[0] === range[0] && value.range[1] === range[1];
}

/** Without a token, a package provides what it injects. */
function tokenGiven(
  { arguments: args }: TSESTree.CallExpression,
  decorator: string,
  file: SourceFile,
  resolver: Resolver,
): string | undefined {
  const tokens = args.map((argument) => tokenNamed(unwrap(argument), file, resolver));
  const isKnown = tokens.every(
    (token) => token !== undefined && isProvidedOnce(token.name, file, resolver.reader),
  );
  return isKnown
    ? [decorator, ...tokens.map((token) => token?.definition ?? '')].join(' ')
    : undefined;
}

interface Token {
  /** By which providers name it. */
  readonly name: string;
  readonly definition: string;
}

/** The token by which `@Inject(TOKEN)` of Nest gives what is named: a name or text, or a class. */
function tokenIn(node: Node, file: SourceFile, resolver: Resolver): GivenToken | undefined {
  const abstractValue = resolver.abstractValueOf(node, file);
  if (abstractValue?.kind === 'class') {
    const ofClass = placeOf(abstractValue);
    return { injected: `${ofClass.path} ${ofClass.range.join('-')}`, ofClass };
  }
  const token = tokenNamed(unwrap(node), file, resolver);
  return token && isProvidedOnce(token.name, file, resolver.reader)
    ? { injected: `@nestjs/common Inject ${token.definition}`, ofClass: undefined }
    : undefined;
}

function tokenNamed(node: Node, file: SourceFile, resolver: Resolver): Token | undefined {
  const text = constantText(node);
  if (text !== undefined) return { name: text, definition: JSON.stringify(text) };
  const definition = definitionOfName(node, file, resolver);
  return (
    definition && { name: definition.name, definition: `${definition.path} ${definition.member}` }
  );
}

/**
 * A container has at most one value for a token of this name: the program does not provide it twice, nor anew for each request
 * (`scope`). Unknown where the program is not looked through. Without a provider in the program a package has it.
 */
function isProvidedOnce(name: string, file: SourceFile, { texts }: ModuleReader): boolean {
  const providers = texts?.providing
    .matching(file.path)
    ?.flatMap((text) => providersIn(text, name));
  return providers !== undefined && providers.length < 2 && !providers.some(isScoped);
}

/** `{ provide: DRIZZLE, useFactory }`, and the lists `providers: [DatabaseService]` that name a class. */
function providersIn(text: string, name: string): readonly string[] {
  const own = new RegExp(
    `\\bprovide\\s*:\\s*(?:(?:[\\w$]+\\.)*${escaped(name)}(?![\\w$])|(["'\`])${escaped(name)}\\1)`,
    'gu',
  );
  return [
    ...[...text.matchAll(own)].map(({ index }) => enclosing(text, index)),
    ...listsIn(text).filter((list) => listed(name).test(list)),
  ];
}

function listed(name: string): RegExp {
  return new RegExp(`(?<![\\w$.:]\\s*)${escaped(name)}\\s*(?=[,\\]])`, 'u');
}

function escaped(name: string): string {
  return name.replace(/[^\w]/gu, String.raw`\$&`);
}

function isScoped(provider: string): boolean {
  return /\bscope\s*:/u.test(provider);
}

/** The object that a position is in. */
function enclosing(text: string, index: number): string {
  const start = text.lastIndexOf('{', index);
  return balanced(text, start, '{', '}');
}

function listsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bproviders\s*:\s*\[/gu)].map(({ index }) =>
    balanced(text, text.indexOf('[', index), '[', ']'),
  );
}

function balanced(text: string, start: number, open: string, close: string): string {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === open) depth++;
    if (text[index] === close && --depth === 0) return text.slice(start, index + 1);
  }
  return text.slice(start);
}
