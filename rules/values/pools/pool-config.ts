import type { TSESTree } from '@typescript-eslint/types';
import { originalName } from '../../syntax/exports.ts';
import type { Node, CallNode } from '../../syntax/node.ts';
import {
  directWords,
  localHost,
  poolerSigns,
  usualVariables,
  type PoolerSign,
} from '../../model/pooler-signs.ts';
import { childrenOf } from '../../syntax/preorder.ts';
import {
  definitionOf,
  keyName,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
} from '../../syntax/source-file.ts';
import type { Resolver } from '../resolver.ts';

/** `new Pool(…)`, `createPool(…)`, `new Client(…)` */
export type Making = TSESTree.NewExpression | CallNode;

/** What a pool or a client of its own is made with, as far as it is written down. */
export interface PoolConfig {
  readonly making: Making;
  readonly file: SourceFile;
  readonly argument: Node | undefined;
  readonly properties: readonly ConfigProperty[];
}

export interface ConfigProperty {
  readonly name: string;
  readonly value: Node;
  readonly node: Node;
  readonly file: SourceFile;
}

const maximalDepth = 4;

export function configOf(making: Making, file: SourceFile, resolver: Resolver): PoolConfig {
  const [argument] = making.arguments;
  return {
    making,
    file,
    argument,
    properties: argument === undefined ? [] : propertiesOf(argument, file, resolver, 0),
  };
}

function propertiesOf(
  node: Node,
  file: SourceFile,
  resolver: Resolver,
  depth: number,
): readonly ConfigProperty[] {
  const plain = unwrap(node);
  if (depth > maximalDepth) return [];
  if (plain.type !== 'ObjectExpression') {
    const abstractValue =
      plain.type === 'Identifier' || plain.type === 'MemberExpression'
        ? resolver.abstractValueOf(plain, file)
        : undefined;
    return abstractValue?.kind === 'object'
      ? propertiesOf(abstractValue.node, abstractValue.file, resolver, depth + 1)
      : [];
  }
  return plain.properties.flatMap((property) => {
    if (property.type === 'SpreadElement')
      return propertiesOf(property.argument, file, resolver, depth + 1);
    const name = keyName(property.key, property.computed);
    return name === undefined ? [] : [{ name, value: property.value, node: property, file }];
  });
}

/** True for the driver's own pools and clients: what a class in between does with its argument is not known. */
export function isMadeByDriver({ callee }: Making, file: SourceFile, resolver: Resolver): boolean {
  const abstractValue = resolver.abstractValueOf(callee, file);
  return (
    abstractValue?.kind === 'driver' &&
    [
      abstractValue.driver.poolClasses,
      abstractValue.driver.poolFactories,
      abstractValue.driver.connectionClasses,
    ].some((names) => names.includes(abstractValue.name))
  );
}

const addressProperties: ReadonlySet<string> = new Set(['connectionString', 'host', 'port']);

/** The parts that say where the server is: properties, or an argument that is no object. */
function addressOf({
  argument,
  file,
  properties,
}: PoolConfig): readonly Pick<ConfigProperty, 'value' | 'file'>[] {
  const parts = properties.filter(({ name }) => addressProperties.has(name));
  return parts.length === 0 && argument !== undefined && argument.type !== 'ObjectExpression'
    ? [{ value: argument, file }]
    : parts;
}

/** Names of variables and properties that the address is taken from: `DATABASE_URL` of `process.env.DATABASE_URL`. */
export function addressNames(config: PoolConfig): readonly string[] {
  return addressOf(config).flatMap(({ value, file }) => namesIn(value, file, 0));
}

function namesIn(node: Node, file: SourceFile, depth: number): readonly string[] {
  if (depth > maximalDepth) return [];
  if (node.type === 'Literal')
    return typeof node.value === 'string' && /^[A-Z][A-Z0-9_]*$/u.test(node.value)
      ? [node.value]
      : [];
  // What the program itself calls it says nothing.
  if (node.type === 'Identifier')
    return [originalName(node, file) ?? '', ...namesBehind(node, file, depth)];
  const own = memberName(node);
  return [
    ...(own === undefined ? [] : [own]),
    ...childrenOf(file, node)
      .filter((child) => node.type !== 'MemberExpression' || child !== node.property)
      .flatMap((child) => namesIn(child, file, depth + 1)),
  ];
}

/** `const url = process.env.DIRECT_URL` */
function namesBehind(identifier: Node, file: SourceFile, depth: number): readonly string[] {
  const variable = variableOf(file, identifier);
  const definition = definitionOf(variable);
  if (variable === undefined || definition?.type !== 'Variable' || writesTo(variable).length > 0)
    return [];
  const { init } = definition.node as unknown as TSESTree.VariableDeclarator;
  return init === null ? [] : namesIn(init, file, depth + 1);
}

/** True when the address leads past the pooler, by the names of the variables that it is taken from. */
export function isDirect(config: PoolConfig, told: readonly string[]): boolean {
  return addressNames(config).some(
    (name) => told.includes(name) || directWords.test(name.replace(/([a-z0-9])([A-Z])/gu, '$1_$2')),
  );
}

/** True when a client of its own surely speaks to the address that pools speak to: that of the environment, or the one that programs usually have. */
export function hasUsualAddress(config: PoolConfig): boolean {
  return (
    config.argument === undefined ||
    addressNames(config).some((name) => usualVariables.has(name)) ||
    signIn(config) !== undefined
  );
}

/** What in a written address points at a pooler. */
export function signIn(config: PoolConfig): PoolerSign | undefined {
  const parts = addressOf(config);
  const texts = parts.map(({ value }) => writtenText(value));
  const portOf = config.properties.find(({ name }) => name === 'port');
  const hostOf = config.properties.find(({ name }) => name === 'host');
  const port = portOf === undefined ? '' : writtenText(portOf.value);
  const pair = `//${hostOf === undefined ? '' : writtenText(hostOf.value)}:${port}/`;
  return [...texts, pair].map(signOf).find((sign) => sign !== undefined);
}

/** What in an address points at a pooler that shares connections between transactions. */
export function signOf(address: string): PoolerSign | undefined {
  const sign = poolerSigns.find(({ test }) => test.test(address));
  return sign === undefined ||
    sign.setting === null ||
    (sign.isPort === true && (localHost.test(address) || /^\/\/:/u.test(address)))
    ? undefined
    : sign;
}

/** The text of a literal; what a template fills in reads like a name. */
function writtenText(value: Node): string {
  const plain = unwrap(value);
  if (plain.type === 'Literal')
    return typeof plain.value === 'string' || typeof plain.value === 'number'
      ? String(plain.value)
      : '';
  if (plain.type === 'TemplateLiteral')
    return plain.quasis.map(({ value: { cooked } }) => cooked).join('x');
  return plain.type === 'Identifier' || plain.type === 'MemberExpression' ? 'x' : '';
}
