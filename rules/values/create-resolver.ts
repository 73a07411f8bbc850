import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass, isFunction } from '../syntax/node.ts';
import { assignedIn, isExportsObject, isSameReference } from './assigned.ts';
import type { AbstractValue } from './abstract-values.ts';
import { valueOfChoice } from './fallback.ts';
import { constantText } from '../syntax/constants.ts';
import { createCircles, createNesting, type Nesting } from '../project/circles.ts';
import type { ModuleReader, Question } from '../project/module-reader.ts';
import { firstOf } from './assigned-values.ts';
import { instanceOfClass } from './instance-of-class.ts';
import { importedFrom, instanceOf, resultOf } from './resolve-call.ts';
import { memberOf, returnedBy } from './resolve-member.ts';
import { valueOfThis } from './resolve-this.ts';
import { abstractValueOfType } from './resolve-type.ts';
import { keptIn } from './resolve-collection.ts';
import { valueOfVariable } from './resolve-variable.ts';
import { plain, revived, type Plain } from './apart.ts';
import type {
  ValueFamily,
  FindInFile,
  PlainQuestion,
  ImportReachability,
  Resolver,
} from './resolver.ts';
import { findAncestor, memberName, variableOf, type SourceFile } from '../syntax/source-file.ts';

/** Chains of definitions longer than this are unknown. */
const maximalDepth = 60;

export function createResolver(
  reader: ModuleReader,
  home?: SourceFile,
  reachability: ImportReachability = 'all',
): Resolver {
  const nesting = reader.nesting ?? createNesting();
  const answerOnce = createOnce(nesting);
  let depth = 0;
  const once = (node: Node, find: () => AbstractValue | undefined): AbstractValue | undefined =>
    answerOnce(node, undefined, () => {
      if (depth >= maximalDepth) {
        nesting.cuts++;
        return undefined;
      }
      depth++;
      try {
        return find();
      } finally {
        depth--;
      }
    });
  const nameOf = createNames();
  let local: Resolver | undefined;
  let near: Resolver | undefined;
  const resolver: Resolver = {
    reader,
    get local() {
      return (local ??= createResolver({ read: () => undefined, nesting }, home, 'local'));
    },
    get near() {
      return (near ??= createResolver(nearOnly(reader), home, 'near'));
    },
    ...questionsOfFiles(() => resolver, home, reachability, answerOnce),
    once,
    returnedBy: (fn) => returnedBy(resolver, fn),
    memberOf: (object, name) => memberOf(resolver, object, name),
    importedFrom: (specifier, name, importer) => importedFrom(resolver, specifier, name, importer),
    abstractValueOf: (node, file) => once(node, () => valueOfExpression(resolver, node, file)),
    // `let cookies: cookies.Static` sends the question back to the variable itself.
    valueOfVariable: (variable, file) =>
      answerOnce(variable, undefined, () => valueOfVariable(resolver, variable, file)),
    onceNamed: (subject, name, find) => answerOnce(nameOf(subject, name), undefined, find),
  };
  return resolver;
}

/** The answer to a question, of whatever kind, found once. */
type AnswerOnce = <Answer>(question: unknown, unknown: Answer, find: () => Answer) => Answer;

function createOnce(nesting: Nesting): AnswerOnce {
  const known = new Map<unknown, unknown>();
  const circles = createCircles<unknown, unknown>((question, answer) => {
    known.set(question, answer);
  }, nesting);
  return <Answer>(question: unknown, unknown: Answer, find: () => Answer): Answer => {
    const before = known.get(question);
    return (
      before !== undefined || known.has(question) ? before : circles.ask(question, unknown, find)
    ) as Answer;
  };
}

/** One object for each name of a subject. */
function createNames(): (subject: object, name: string) => object {
  const namesOf = new Map<object, Map<string, object>>();
  return (subject, name) => {
    const names = namesOf.get(subject) ?? new Map<string, object>();
    namesOf.set(subject, names);
    const question = names.get(name) ?? {};
    names.set(name, question);
    return question;
  };
}

/** What is asked of files: at home in place, elsewhere apart. */
function questionsOfFiles(
  own: () => Resolver,
  home: SourceFile | undefined,
  reachability: ImportReachability,
  answerOnce: AnswerOnce,
): Pick<Resolver, 'inFile' | 'knownIn'> {
  const revivals = new Map<string, AbstractValue | undefined>();
  const isInPlace = (file: SourceFile): boolean =>
    own().reader.answer === undefined || file.path === home?.path;
  return {
    inFile(file, question, find, family) {
      const key = `${file.path}\0${question}`;
      if (isInPlace(file)) return answerOnce(key, undefined, () => find(own(), file));
      if (!revivals.has(key)) {
        const { knownIn, reader } = own();
        const found = knownIn(file, plainly(question, find, family));
        revivals.set(key, found && revived(found, (path) => reader.open?.(path)));
      }
      return revivals.get(key);
    },
    knownIn: (file, question) =>
      isInPlace(file)
        ? answerOnce(`${file.path}\0${question.text}`, question.unknown, () =>
            question.find(own(), file),
          )
        : (own().reader.answer?.(file.path, apart(question, reachability), question.unknown) ??
          question.unknown),
  };
}

// A cache, keyed by what it belongs to: it holds nothing of its own.
const resolvers = new WeakMap<ModuleReader, Resolver>();

/** The resolver of a reader that serves one file. */
export function resolverOf(reader: ModuleReader, home: SourceFile): Resolver {
  const resolver = resolvers.get(reader) ?? createResolver(reader, home);
  resolvers.set(reader, resolver);
  return resolver;
}

/** The question as a file's own resolver answers it. */
function apart<Found>(
  question: PlainQuestion<Found>,
  reachability: ImportReachability,
): Question<Found> {
  const ask = <Asked>(
    reader: ModuleReader,
    file: SourceFile,
    find: (there: Resolver, file: SourceFile) => Asked,
  ): Asked => {
    const resolver = resolverOf(reader, file);
    return find(reachability === 'all' ? resolver : resolver[reachability], file);
  };
  const { text, family } = question;
  return {
    text: `${reachability} ${text}`,
    find: (reader, file) => ask(reader, file, (there) => question.find(there, file)),
    family: family && {
      name: `${reachability} ${family.name}`,
      membersIn: (reader, file) =>
        ask(reader, file, (there) => family.membersIn(there, file)).map((member) =>
          apart(member, reachability),
        ),
    },
  };
}

function plainly(
  text: string,
  find: FindInFile,
  family?: ValueFamily,
): PlainQuestion<Plain | undefined> {
  return {
    text,
    unknown: undefined,
    find(there, file) {
      const abstractValue = find(there, file);
      return abstractValue && plain(abstractValue);
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

function valueOfExpression(
  resolver: Resolver,
  node: Node,
  file: SourceFile,
): AbstractValue | undefined {
  switch (node.type) {
    case 'Identifier': {
      const variable = variableOf(file, node);
      if (variable !== undefined && variable.defs.length > 0)
        return resolver.valueOfVariable(variable, file);
      return isExportsObject(node, file) ? { kind: 'module', file } : undefined;
    }
    case 'MemberExpression':
      return valueOfMember(resolver, node, file);
    case 'ThisExpression':
      return valueOfThis(resolver, node, file);
    case 'Super':
      return parentInstance(resolver, node, file);
    case 'NewExpression':
      return instanceOf(resolver, node, file);
    case 'CallExpression':
      return resultOf(resolver, node, file);
    case 'ObjectExpression':
      return { kind: 'object', node, file, site: undefined };
    case 'ArrayExpression':
      return { kind: 'array', node, file };
    default:
      return valueOfWrapper(resolver, node, file);
  }
}

/** A member as its object declares it, else as this file assigns it: `app.locals.pool = new Pool()`. */
function valueOfMember(
  resolver: Resolver,
  node: TSESTree.MemberExpression,
  file: SourceFile,
): AbstractValue | undefined {
  const name = memberName(node);
  if (
    name === undefined ||
    (node.computed && node.property.type === 'Literal' && typeof node.property.value === 'number')
  )
    return keptIn(resolver, node.object, node, file);
  if (isExportsObject(node, file)) return { kind: 'module', file };
  const object = resolver.abstractValueOf(node.object, file);
  const member = object === undefined ? undefined : memberOf(resolver, object, name);
  if (member !== undefined || node.object.type === 'ThisExpression') return member;
  const writes = (assignedIn(file).byName.get(name) ?? []).filter((each) =>
    isSameReference(each.object, node.object, file),
  );
  return firstOf(resolver, writes, file);
}

/** `super` is an instance of the parent class; where that is a library's, the pool or handle that the class itself is. */
function parentInstance(
  resolver: Resolver,
  node: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const owner = findAncestor(node, isClass);
  const parent = owner?.superClass ? resolver.abstractValueOf(owner.superClass, file) : undefined;
  const known =
    parent?.kind === 'driver' && owner ? ({ kind: 'class', node: owner, file } as const) : parent;
  return known?.kind === 'class' ? instanceOfClass(resolver, known, undefined) : undefined;
}

function valueOfWrapper(
  resolver: Resolver,
  node: Node,
  file: SourceFile,
): AbstractValue | undefined {
  if (isFunction(node)) return { kind: 'function', node, file };
  if (isClass(node)) return { kind: 'class', node, file };
  switch (node.type) {
    case 'AwaitExpression':
      return resolver.abstractValueOf(node.argument, file);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return (
        resolver.abstractValueOf(node.expression, file) ??
        abstractValueOfType(resolver, node.typeAnnotation, file)
      );
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return resolver.abstractValueOf(node.expression, file);
    case 'AssignmentExpression':
      return resolver.abstractValueOf(node.right, file);
    case 'SequenceExpression':
      return node.expressions.length === 0
        ? undefined
        : resolver.abstractValueOf(node.expressions.at(-1) as Node, file);
    case 'LogicalExpression':
      return node.operator === '&&'
        ? resolver.abstractValueOf(node.right, file)
        : valueOfChoice(resolver, node.right, node.left, node, file);
    case 'ConditionalExpression':
      return valueOfChoice(resolver, node.consequent, node.alternate, node, file);
    default:
      return valueOfAssigned(resolver, node, file);
  }
}

/** A constant text, or a module that is imported when it is needed. */
function valueOfAssigned(
  resolver: Resolver,
  node: Node,
  file: SourceFile,
): AbstractValue | undefined {
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
