import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass, isFunction } from '../syntax/node.ts';
import { assignedIn, isExportsObject, isSameReference } from './assigned.ts';
import type { Entity } from './entities.ts';
import { entityOfChoice } from './fallback.ts';
import { constantText } from '../syntax/constants.ts';
import type { ModuleReader, Question } from '../project/modules.ts';
import { firstOf } from './assigned-values.ts';
import { instanceOfClass } from './instance-of-class.ts';
import { importedFrom, instanceOf, resultOf } from './resolve-call.ts';
import { memberOf, returnedBy } from './resolve-member.ts';
import { entityOfThis } from './resolve-this.ts';
import { entityOfType } from './resolve-type.ts';
import { keptIn } from './resolve-collection.ts';
import { entityOfVariable } from './resolve-variable.ts';
import { plain, revived, type Plain } from './apart.ts';
import type { EntityFamily, FindInFile, PlainQuestion, Reach, Resolver } from './resolver.ts';
import { findAncestor, memberName, variableOf, type SourceFile } from '../syntax/source-file.ts';

/** Chains of definitions longer than this are unknown. */
const maximalDepth = 60;

export function createResolver(
  reader: ModuleReader,
  home?: SourceFile,
  reach: Reach = 'all',
): Resolver {
  const known = new Map<Node, Entity | undefined>();
  const asked = new Map<object, Set<string>>();
  let depth = 0;
  const once = (node: Node, find: () => Entity | undefined): Entity | undefined => {
    if (known.has(node)) return known.get(node);
    if (depth >= maximalDepth) return undefined;
    known.set(node, undefined);
    depth++;
    const entity = find();
    depth--;
    known.set(node, entity);
    return entity;
  };
  let local: Resolver | undefined;
  let near: Resolver | undefined;
  const resolver: Resolver = {
    reader,
    get local() {
      return (local ??= createResolver({ read: () => undefined }, home, 'local'));
    },
    get near() {
      return (near ??= createResolver(nearOnly(reader), home, 'near'));
    },
    ...questionsOfFiles(() => resolver, home, reach),
    once,
    returnedBy: (fn) => returnedBy(resolver, fn),
    memberOf: (object, name) => memberOf(resolver, object, name),
    importedFrom: (specifier, name, importer) => importedFrom(resolver, specifier, name, importer),
    entityOf: (node, file) => once(node, () => entityOfExpression(resolver, node, file)),
    // `let cookies: cookies.Static` sends the question back to the variable itself.
    entityOfVariable: (variable, file) =>
      resolver.unlessAsked(variable, '', () => entityOfVariable(resolver, variable, file)),
    unlessAsked(subject, name, find) {
      const names = asked.get(subject) ?? new Set();
      if (names.has(name)) return undefined;
      asked.set(subject, names.add(name));
      const entity = find();
      names.delete(name);
      return entity;
    },
  };
  return resolver;
}

/** What is asked of files: at home in place, elsewhere apart. */
function questionsOfFiles(
  own: () => Resolver,
  home: SourceFile | undefined,
  reach: Reach,
): Pick<Resolver, 'inFile' | 'knownIn'> {
  const revivals = new Map<string, Entity | undefined>();
  const isInPlace = (file: SourceFile): boolean =>
    own().reader.answer === undefined || file.path === home?.path;
  return {
    inFile(file, question, find, family) {
      if (isInPlace(file)) return find(own(), file);
      const key = `${file.path}\0${question}`;
      if (!revivals.has(key)) {
        const { knownIn, reader } = own();
        const found = knownIn(file, plainly(question, find, family));
        revivals.set(key, found && revived(found, (path) => reader.open?.(path)));
      }
      return revivals.get(key);
    },
    knownIn: (file, question) =>
      isInPlace(file)
        ? question.find(own(), file)
        : (own().reader.answer?.(file.path, apart(question, reach), question.unknown) ??
          question.unknown),
  };
}

/** The question as a file's own resolver answers it. */
function apart<Found>(question: PlainQuestion<Found>, reach: Reach): Question<Found> {
  const ask = <Asked>(
    reader: ModuleReader,
    file: SourceFile,
    find: (there: Resolver, file: SourceFile) => Asked,
  ): Asked => {
    const resolver = createResolver(reader, file);
    return find(reach === 'all' ? resolver : resolver[reach], file);
  };
  const { text, family } = question;
  return {
    text: `${reach} ${text}`,
    find: (reader, file) => ask(reader, file, (there) => question.find(there, file)),
    family: family && {
      name: `${reach} ${family.name}`,
      membersIn: (reader, file) =>
        ask(reader, file, (there) => family.membersIn(there, file)).map((member) =>
          apart(member, reach),
        ),
    },
  };
}

function plainly(
  text: string,
  find: FindInFile,
  family?: EntityFamily,
): PlainQuestion<Plain | undefined> {
  return {
    text,
    unknown: undefined,
    find(there, file) {
      const entity = find(there, file);
      return entity && plain(entity);
    },
    family: family && {
      name: family.name,
      membersIn: (there, file) =>
        family.membersIn(there, file).map(([member, findMember]) => plainly(member, findMember)),
    },
  };
}

function nearOnly(reader: ModuleReader): ModuleReader {
  return {
    ...reader,
    read(specifier, importer) {
      const file = reader.read(specifier, importer);
      return file !== undefined && reader.leadsToCheckout?.(file) !== false ? file : undefined;
    },
  };
}

function entityOfExpression(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  switch (node.type) {
    case 'Identifier': {
      const variable = variableOf(file, node);
      if (variable !== undefined && variable.defs.length > 0)
        return resolver.entityOfVariable(variable, file);
      return isExportsObject(node, file) ? { kind: 'module', file } : undefined;
    }
    case 'MemberExpression':
      return entityOfMember(resolver, node, file);
    case 'ThisExpression':
      return entityOfThis(resolver, node, file);
    case 'Super':
      return parentInstance(resolver, node, file);
    case 'NewExpression':
      return instanceOf(resolver, node, file);
    case 'CallExpression':
      return resultOf(resolver, node, file);
    case 'ObjectExpression':
      return { kind: 'object', node, file, origin: undefined };
    case 'ArrayExpression':
      return { kind: 'array', node, file };
    default:
      return entityOfWrapper(resolver, node, file);
  }
}

/** A member as its object declares it, else as this file assigns it: `app.locals.pool = new Pool()`. */
function entityOfMember(
  resolver: Resolver,
  node: TSESTree.MemberExpression,
  file: SourceFile,
): Entity | undefined {
  const name = memberName(node);
  if (
    name === undefined ||
    (node.computed && node.property.type === 'Literal' && typeof node.property.value === 'number')
  )
    return keptIn(resolver, node.object, node, file);
  if (isExportsObject(node, file)) return { kind: 'module', file };
  const object = resolver.entityOf(node.object, file);
  const member = object === undefined ? undefined : memberOf(resolver, object, name);
  if (member !== undefined || node.object.type === 'ThisExpression') return member;
  const writes = (assignedIn(file).byName.get(name) ?? []).filter((each) =>
    isSameReference(each.object, node.object, file),
  );
  return firstOf(resolver, writes, file);
}

/** `super` is an instance of the parent class. */
function parentInstance(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  const parent = findAncestor(node, isClass)?.superClass ?? undefined;
  const entity = parent === undefined ? undefined : resolver.entityOf(parent, file);
  return entity?.kind === 'class' ? instanceOfClass(resolver, entity, undefined) : undefined;
}

function entityOfWrapper(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  if (isFunction(node)) return { kind: 'function', node, file };
  if (isClass(node)) return { kind: 'class', node, file };
  switch (node.type) {
    case 'AwaitExpression':
      return resolver.entityOf(node.argument, file);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return (
        resolver.entityOf(node.expression, file) ??
        entityOfType(resolver, node.typeAnnotation, file)
      );
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return resolver.entityOf(node.expression, file);
    case 'AssignmentExpression':
      return resolver.entityOf(node.right, file);
    case 'SequenceExpression':
      return node.expressions.length === 0
        ? undefined
        : resolver.entityOf(node.expressions.at(-1) as Node, file);
    case 'LogicalExpression':
      return node.operator === '&&'
        ? resolver.entityOf(node.right, file)
        : entityOfChoice(resolver, node.right, node.left, node, file);
    case 'ConditionalExpression':
      return entityOfChoice(resolver, node.consequent, node.alternate, node, file);
    default:
      return entityOfValue(resolver, node, file);
  }
}

/** A constant text, or a module that is imported when it is needed. */
function entityOfValue(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  switch (node.type) {
    case 'TemplateLiteral':
    case 'TaggedTemplateExpression':
      return { kind: 'text', node, file };
    case 'Literal':
      return typeof node.value === 'string' ? { kind: 'text', node, file } : undefined;
    case 'BinaryExpression':
      return node.operator === '+' ? { kind: 'text', node, file } : undefined;
    case 'ImportExpression': {
      const module = constantText(node.source);
      return module === undefined ? undefined : importedFrom(resolver, module, '*', file);
    }
    default:
      return undefined;
  }
}
