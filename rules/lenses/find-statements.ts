import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import { memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';
import { placeOf } from '../syntax/mention.ts';
import type { Place } from '../syntax/place.ts';
import type { Scene } from '../checks/scene.ts';
import { stringsOf, type Text } from '../values/texts/text.ts';
import { textsOf } from '../values/texts/texts.ts';
import type { WrittenStatement } from './written-statement.ts';

/** Methods of drivers, ORMs and query builders that send the text which they are given first. */
const senders: ReadonlySet<string> = new Set([
  'query',
  'execute',
  'queryArray',
  'queryObject',
  'raw',
  'unsafe',
  'any',
  'many',
  'manyOrNone',
  'none',
  'one',
  'oneOrNone',
  'oneFirst',
  'anyFirst',
  'maybeOne',
  'multi',
  'result',
  '$queryRaw',
  '$executeRaw',
  '$queryRawUnsafe',
  '$executeRawUnsafe',
]);

/** Above this a file is a dump, or generated. */
const mostOfAFile = 2000;

/** The texts of SQL that a file sends, and those that it writes for somebody else to send, in the order of the file. */
export function findStatements(scene: StatementScene): readonly WrittenStatement[] {
  const { file } = scene;
  const sent: Found[] = [];
  const unsent: Found[] = [];
  walk(file, file.ast, (node) => {
    if (sent.length + unsent.length >= mostOfAFile) return false;
    if (node.type === 'CallExpression') sent.push(...sentBy(node, scene));
    else if (node.type === 'TaggedTemplateExpression') sent.push(...sentByTag(node, scene));
    else if (isOutermostText(node)) unsent.push(...writtenAt(node, scene));
    return true;
  });
  const used = new Set(sent.flatMap(({ text }) => text.literals));
  return [...sent, ...unsent.filter(({ node }) => !hasUsed(node, used, file))]
    .map(({ place, text, isSent }) => ({ place, pieces: stringsOf(text), isSent }))
    .sort(
      (a, b) =>
        a.place.start.line - b.place.start.line || a.place.start.column - b.place.start.column,
    );
}

interface Found extends Pick<WrittenStatement, 'place' | 'isSent'> {
  readonly node: Node;
  readonly text: Text;
}

type StatementScene = Pick<Scene, 'file' | 'resolver'>;

/** Letter for letter, around the holes. */
function exactTexts(node: Node, scene: StatementScene): readonly Text[] {
  return textsOf(node, scene).filter(({ isAltered }) => !isAltered);
}

function sentBy(
  { callee, arguments: [argument] }: TSESTree.CallExpression,
  scene: StatementScene,
): readonly Found[] {
  const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (
    callee.type !== 'MemberExpression' ||
    name === undefined ||
    !senders.has(name) ||
    argument === undefined
  )
    return [];
  // Other libraries have methods of these names, too.
  return exactTexts(argument, scene)
    .filter(name === 'query' ? mayBeSql : readsLikeSql)
    .map((text) => ({ node: argument, place: sendingPlace(callee), text, isSent: true }));
}

/** A chain of calls may begin many lines above. */
function sendingPlace({ property }: TSESTree.MemberExpression): Place {
  return placeOf(property);
}

/** `` sql`SELECT …` `` of drivers that send what they tag. */
function sentByTag(
  node: TSESTree.TaggedTemplateExpression,
  scene: StatementScene,
): readonly Found[] {
  const up = parentOf(node);
  const isArgument =
    up?.type === 'CallExpression' &&
    up.callee.type === 'MemberExpression' &&
    up.arguments[0] === node &&
    senders.has(memberName(up.callee) ?? '');
  if (isArgument) return [];
  return exactTexts(node, scene)
    .filter(readsLikeSql)
    .map((text) => ({
      node,
      place: placeOf(node),
      text,
      isSent: up?.type === 'AwaitExpression',
    }));
}

/** A literal, template or concatenation that is no part of another one, and no module's or key's name. */
function isOutermostText(node: Node): boolean {
  const isText =
    (node.type === 'Literal' && typeof node.value === 'string') ||
    node.type === 'TemplateLiteral' ||
    isConcatenation(node);
  if (!isText) return false;
  const up = parentOf(node);
  return (
    up !== undefined &&
    up.type !== 'TaggedTemplateExpression' &&
    up.type !== 'TemplateLiteral' &&
    !isConcatenation(up)
  );
}

function isConcatenation(node: Node): boolean {
  return node.type === 'BinaryExpression' && node.operator === '+';
}

function writtenAt(node: Node, scene: StatementScene): readonly Found[] {
  return exactTexts(node, scene)
    .filter(readsLikeSql)
    .map((text) => ({ node, place: placeOf(node), text, isSent: false }));
}

function hasUsed(node: Node, used: ReadonlySet<Node>, file: SourceFile): boolean {
  let isUsed = false;
  walk(file, node, (each) => {
    isUsed ||= used.has(each);
    return !isUsed;
  });
  return isUsed;
}

/** Blanks, comments and brackets may come before the first word. */
const statementStart =
  /^(?:[\s(]|--[^\n]*\n|\/\*[^*]*\*\/)*(?:SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|VALUES|TABLE|CALL|COPY|CREATE|ALTER|DROP|TRUNCATE|LOCK|REFRESH|VACUUM|ANALYZE|EXPLAIN|REINDEX|NOTIFY|LISTEN|DECLARE|FETCH|DO|GRANT|REVOKE)\b/i;

/** Words that follow a statement's first one, in capitals or not; English sentences begin with "select" and "update", too. */
const followingWord =
  /^[^a-z]*(?:select\b[^]*\b(?:from|\()|insert\s+into\b|update\s+(?:only\s+)?\S+(?:\s+(?:as\s+)?\w+)?\s+set\b|delete\s+from\b|with\s+(?:recursive\s+)?\S(?:(?!\bas\b)[^])*\bas\b[^]*\(|merge\s+into\b|(?:create|alter|drop|truncate|lock)\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|index|view|materialized|function|type|schema|extension|sequence|trigger)\b|refresh\s+materialized|call\s+\w+\s*\(|values\s*\()/i;

const shortest = 16;
/** So much of a text tells what it is. */
const head = 600;

/** Whether a text that nobody is seen to send reads like a statement of SQL. */
function readsLikeSql(text: Text): boolean {
  const start = stringsOf(text).join(' x ').slice(0, head);
  return (
    start.length >= shortest &&
    statementStart.test(start) &&
    followingWord.test(withoutComments(start))
  );
}

/** What is sent as a query and begins with a hole is told by its later pieces. */
function mayBeSql(text: Text): boolean {
  const [first = '', ...rest] = stringsOf(text);
  return statementStart.test(first) || (rest.length > 0 && first.trim() === '');
}

function withoutComments(text: string): string {
  return text.replace(/^(?:[\s(]|--[^\n]*\n|\/\*[^*]*\*\/)+/u, '');
}
