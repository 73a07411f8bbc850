import type { TSESTree } from '@typescript-eslint/types';
import { libraries } from '../model/libraries.ts';
import { driverByUse } from '../model/drivers.ts';
import { calledMember, methodsBehind, waitFor } from '../syntax/call-chain.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import { parentOf, type SourceFile } from '../syntax/source-file.ts';
import type { Place } from '../syntax/place.ts';
import { carriedStatement } from '../values/carried-statements.ts';
import { filledIn, stringsOf, type Text } from '../values/texts/text.ts';
import { textsOf } from '../values/texts/texts.ts';
import { mayBeSql, readsLikeSql } from './reads-like-sql.ts';
import { sendingBy, type Sending } from './spoken-to.ts';
import type { WrittenStatement } from './written-statement.ts';
import type { Here } from '../values/resolver.ts';

/** Above this a file is a dump, or generated. */
const mostOfAFile = 2000;

/** The texts of SQL that a file sends, and those that it writes for somebody else to send, in the order of the file. */
export function findStatements(analysis: Here): readonly WrittenStatement[] {
  const { file } = analysis;
  const sent: Found[] = [];
  const unsent: Found[] = [];
  walk(file, file.ast, (node) => {
    if (sent.length + unsent.length >= mostOfAFile) return false;
    if (node.type === 'CallExpression') sent.push(...sentBy(node, analysis));
    else if (node.type === 'TaggedTemplateExpression') sent.push(...sentByTag(node, analysis));
    else if (isOutermostText(node)) unsent.push(...writtenAt(node, analysis));
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

/** What a call or a tagged template sends itself. */
export function sentAt(node: Node, analysis: Here): readonly WrittenStatement[] {
  const found =
    node.type === 'CallExpression'
      ? sentBy(node, analysis)
      : node.type === 'TaggedTemplateExpression'
        ? sentByTag(node, analysis)
        : [];
  return found
    .filter(({ isSent: isSentHere }) => isSentHere)
    .map(({ place, text, isSent: isSentHere }) => ({
      place,
      pieces: stringsOf(text),
      isSent: isSentHere,
    }));
}

interface Found extends Pick<WrittenStatement, 'place' | 'isSent'> {
  readonly node: Node;
  readonly text: Text;
}

/** Letter for letter, around the holes. */
function exactTexts(node: Node, analysis: Here): readonly Text[] {
  return textsOf(node, analysis).filter(({ isAltered }) => !isAltered);
}

function sentBy(call: CallNode, analysis: Here): readonly Found[] {
  const {
    callee,
    arguments: [argument],
  } = call;
  if (argument === undefined || callee.type !== 'MemberExpression') return [];
  const sending = sendingBy(call, analysis);
  if (sending === undefined) return [];
  return exactTexts(argument, analysis)
    .filter(isOwnText(sending, calledMember(call)) ? mayBeSql : readsLikeSql)
    .map((text) => ({
      node: argument,
      place: sendingPlace(callee),
      text: asSent(text, sending),
      isSent: true,
    }));
}

/** Where nothing is known of what a call speaks to, other libraries have methods of its name, too. */
function isOwnText({ to }: Sending, name: string | undefined): boolean {
  return to !== undefined || (name !== undefined && driverByUse.queries.includes(name));
}

/** What the library fills in is no part of the text. */
function asSent(text: Text, { to }: Sending): Text {
  const fills = to?.library?.fills ?? null;
  return fills === null ? text : filledIn(text, fills);
}

/** A chain of calls may begin many lines above. */
function sendingPlace({ property }: TSESTree.MemberExpression): Place {
  return property.loc;
}

/** `` sql`SELECT …` `` */
function sentByTag(node: TSESTree.TaggedTemplateExpression, analysis: Here): readonly Found[] {
  if (isGivenToSending(node, analysis)) return [];
  return exactTexts(node, analysis)
    .filter(readsLikeSql)
    .map((text) => ({ node, place: node.loc, text, isSent: isSent(node, analysis) }));
}

function isGivenToSending(node: TSESTree.TaggedTemplateExpression, context: Here): boolean {
  const up = parentOf(node);
  return (
    up?.type === 'CallExpression' &&
    up.arguments[0] === node &&
    sendingBy(up, context) !== undefined
  );
}

/** The tag of a library that sends what it tags, and somebody waits for it; or a text that a method after it sends: ``sql`…`.execute(db)``. */
function isSent(node: TSESTree.TaggedTemplateExpression, context: Here): boolean {
  const { file, resolver } = context;
  const sending = sendingBy(node, context);
  const isAwaited = waitFor(node) !== 'dropped';
  if (sending !== undefined)
    return isAwaited || methodsBehind(node).some((name) => sendingMethods.has(name));
  const call = parentOf(parentOf(node) ?? node);
  const isCarried =
    call?.type === 'CallExpression' && carriedStatement(call, file, resolver) !== undefined;
  return isCarried || isAwaited;
}

/** Methods of a query that send it. */
const sendingMethods: ReadonlySet<string> = new Set(libraries.flatMap(({ sentBy }) => sentBy));

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

function writtenAt(node: Node, analysis: Here): readonly Found[] {
  return exactTexts(node, analysis)
    .filter(readsLikeSql)
    .map((text) => ({ node, place: node.loc, text, isSent: false }));
}

function hasUsed(node: Node, used: ReadonlySet<Node>, file: SourceFile): boolean {
  return someIn(file, node, (each) => used.has(each));
}
