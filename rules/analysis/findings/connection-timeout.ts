import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { classicPools, isSidePath } from '../../model/pool-life.ts';
import { assignedIn } from '../identity/assigned.ts';
import type { Resolver } from '../identity/resolver.ts';
import { contains, keyName, unwrap, type SourceFile } from '../files/source-file.ts';
import { madeIn, type Made } from '../pools/made-pools.ts';
import type { Edit, Finding, Suggestion } from './finding.ts';
import { placeOf } from './mention.ts';
import type { Scene } from './scene.ts';

const option = 'connectionTimeoutMillis';
const suggestedMillis = 5000;

/** Pools that surely wait for ever, or for a stated time, when all clients are taken or the server does not answer. */
export function findConnectionTimeouts({ file, resolver }: Scene): readonly Finding[] {
  const pools = madeIn(file, resolver).filter(({ kind, module }) => kind === 'pool' && classicPools.has(module));
  if (pools.length === 0 || isSidePath(resolver.reader.listeningTexts?.pathInProject(file.path) ?? file.path)) return [];
  return pools.flatMap((pool) => findTimeout(pool, file, resolver) ?? []);
}

function findTimeout({ node }: Made, file: SourceFile, resolver: Resolver): Finding | undefined {
  const config = configOf(node, file, resolver);
  if (config === undefined) return undefined;
  const value = config === null ? null : valueIn(config);
  if (value === null) return report('missing', 0, node, suggestion('add', editForMissing(node, config, file)));
  const millis = value === undefined ? undefined : millisOf(value);
  if (value === undefined || millis === undefined) return undefined;
  return millis === 0 ? report('never', 0, value, suggestion('replace', contains(node, value) ? { range: value.range, text: String(suggestedMillis) } : undefined)) : report('long', millis, value, []);
}

function report(messageId: string, millis: number, node: Node, suggestions: readonly Suggestion[]): Finding {
  return { rule: 'require-connection-timeout', messageId, data: { millis: String(millis) }, place: placeOf(node), steps: [], suggestions };
}

function suggestion(messageId: string, edit: Edit | undefined): readonly Suggestion[] {
  return edit === undefined ? [] : [{ messageId, data: { millis: String(suggestedMillis) }, edits: [edit] }];
}

/** The object that configures a pool; null when there is none, undefined when it is not known. */
function configOf(node: TSESTree.NewExpression, file: SourceFile, resolver: Resolver): TSESTree.ObjectExpression | null | undefined {
  const [argument] = node.arguments;
  if (argument === undefined) return null;
  const plain = unwrap(argument);
  if (plain.type === 'ObjectExpression') return plain;
  const entity = plain.type === 'Identifier' ? resolver.entityOf(plain, file) : undefined;
  // What is added to the object later is not in its text.
  return entity?.kind === 'object' && !assignedIn(file).byName.has(option) && !assignedIn(entity.file).byName.has(option) && assignedIn(file).copies.length === 0 ? entity.node : undefined;
}

/** The option's value; null where it is missing, undefined where the object does not tell. */
function valueIn({ properties }: TSESTree.ObjectExpression): Node | null | undefined {
  if (properties.some((property) => property.type === 'SpreadElement' || keyName(property.key, property.computed) === undefined)) return undefined;
  const found = properties.find((property) => property.type === 'Property' && keyName(property.key, property.computed) === option);
  return found?.type === 'Property' ? found.value : null;
}

/** 0 stands for a pool that waits for ever (pg-pool `index.js`: `if (!this.options.connectionTimeoutMillis)`). */
function millisOf(value: Node): number | undefined {
  const plain = unwrap(value);
  if (plain.type === 'Literal') return typeof plain.value === 'number' ? plain.value : plain.value === null ? 0 : undefined;
  return plain.type === 'Identifier' && plain.name === 'undefined' ? 0 : undefined;
}

function editForMissing(node: TSESTree.NewExpression, config: TSESTree.ObjectExpression | null, file: SourceFile): Edit | undefined {
  const text = `${option}: ${suggestedMillis}`;
  if (config === null) return withoutConfig(node, text, file);
  return contains(node, config) ? addedTo(config, text, file) : undefined;
}

/** `new Pool()`, `new Pool` */
function withoutConfig({ callee, range }: TSESTree.NewExpression, property: string, file: SourceFile): Edit | undefined {
  const rest = file.text.slice(callee.range[1], range[1]);
  return /^\s*(?:\(\s*\))?$/u.test(rest) ? { range: [callee.range[1], range[1]], text: `({ ${property} })` } : undefined;
}

/** Behind the last property, on a line of its own where that one has one. */
function addedTo({ properties, range }: TSESTree.ObjectExpression, text: string, file: SourceFile): Edit | undefined {
  const last = properties.at(-1);
  if (last === undefined) return /^\{\s*\}$/u.test(file.text.slice(...range)) ? { range, text: `{ ${text} }` } : undefined;
  const end = last.range[1];
  const lineStart = file.text.lastIndexOf('\n', last.range[0] - 1) + 1;
  const before = file.text.slice(lineStart, last.range[0]);
  return { range: [end, end], text: /^\s*$/u.test(before) && lineStart > range[0] ? `,\n${before}${text}` : `, ${text}` };
}
