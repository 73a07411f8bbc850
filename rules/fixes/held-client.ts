import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../model/drivers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import {
  contains,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { usesOf, type ClientUses } from './client-uses.ts';
import { beginsLine, indentAt, indentUnit } from './lines.ts';
import { releasingNodes } from './releasing-nodes.ts';

/** A client that a `const` of a block holds, and that nobody else ever has. */
export interface HeldClient {
  readonly name: string;
  readonly variable: Variable;
  /** `const client = await pool.connect();` */
  readonly declaration: TSESTree.VariableDeclaration;
  readonly block: TSESTree.BlockStatement;
  /** The statements of the block after the declaration. */
  readonly rest: readonly TSESTree.Statement[];
  readonly uses: ClientUses;
  /** The white space before the declaration, and what a line inside of a block gets more. */
  readonly indent: string;
  readonly unit: string;
  /** `;` unless the file goes without. */
  readonly semicolon: string;
}

/** Undefined unless everything that becomes of the client is to be seen in its block. */
export function heldClientOf(checkout: Checkout, file: SourceFile): HeldClient | undefined {
  if (!isOwnPromise(checkout) || isHandedOn(checkout)) return undefined;
  const declaration = declarationOf(checkout);
  const id = declaration?.declarations[0]?.id;
  const variable = variableOf(file, id);
  const held =
    declaration === undefined || variable === undefined
      ? undefined
      : heldBy(variable, declaration, file);
  return held !== undefined && isReleasedPlainly(held, checkout) ? held : undefined;
}

function isOwnPromise({ acquisition: { style, shape, driver }, exploration }: Checkout): boolean {
  return (
    style === 'promise' &&
    shape === undefined &&
    driver.releases.includes(methods.release) &&
    exploration.isComplete
  );
}

/** A helper that releases the client would do so a second time. */
function isReleasedPlainly({ uses: { releases } }: HeldClient, checkout: Checkout): boolean {
  return [...releasingNodes(checkout)].every((node) =>
    releases.some((release) => contains(release, node)),
  );
}

function heldBy(
  variable: Variable,
  declaration: TSESTree.VariableDeclaration,
  file: SourceFile,
): HeldClient | undefined {
  const { parent: block } = declaration;
  if (block.type !== 'BlockStatement' || writesTo(variable).length > 0) return undefined;
  const rest = block.body.slice(block.body.indexOf(declaration) + 1);
  return rest.length === 0
    ? undefined
    : {
        name: variable.name,
        variable,
        declaration,
        block,
        rest,
        uses: usesOf(variable, block),
        ...layoutOf(declaration, block, file),
      };
}

function isHandedOn({ exploration: { states } }: Checkout): boolean {
  return states.some(({ fact }) => fact.status === 'escaped' || fact.status === 'returned');
}

function layoutOf(
  declaration: TSESTree.VariableDeclaration,
  block: TSESTree.BlockStatement,
  { text }: SourceFile,
): Pick<HeldClient, 'indent' | 'unit' | 'semicolon'> {
  return {
    indent: indentAt(text, declaration.range[0]),
    unit: beginsLine(text, declaration.range[0]) ? indentUnit(text, block, declaration) : '  ',
    semicolon: text.slice(...declaration.range).endsWith(';') ? ';' : '',
  };
}

/** `const client = await pool.connect()`, and nothing besides. */
function declarationOf({
  acquisition: { call },
}: Checkout): TSESTree.VariableDeclaration | undefined {
  let node = call;
  while (node.parent !== undefined && node.parent.type !== 'VariableDeclarator') {
    const { parent } = node;
    if (unwrap(parent) === parent && parent.type !== 'AwaitExpression') return undefined;
    node = parent;
  }
  const { parent } = node;
  if (
    parent?.type !== 'VariableDeclarator' ||
    parent.init !== node ||
    unwrap(node).type !== 'AwaitExpression'
  )
    return undefined;
  const { parent: declaration } = parent;
  return declaration.kind !== 'var' && declaration.declarations.length === 1
    ? declaration
    : undefined;
}
