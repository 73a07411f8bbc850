import { libraryOf } from '../model/libraries.ts';
import type { Hop } from '../summaries/effects.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { PathStep } from './finding.ts';

/** A step in the file of the finding. */
export function stepAt(node: Node, text: string): PathStep {
  return { place: node.loc, text };
}

/** A step that may lie in another file than the finding, which is of the file `from`. */
export function stepInFile(file: SourceFile, node: Node, text: string, from: SourceFile): PathStep {
  return { ...stepAt(node, text), ...(file === from ? {} : { file: file.path }) };
}

/** A step that quotes its code, and says what that does. */
export function stepOf(node: Node, file: SourceFile, does: string, from = file): PathStep {
  return stepInFile(file, node, `${excerpt(node, file)} ${does}`, from);
}

/** The calls on the way to what a helper does. */
export function stepsVia(via: readonly Hop[], from: SourceFile): readonly PathStep[] {
  return via.map(({ file, node, text }) => stepInFile(file, node, `via ${text}()`, from));
}

/** The first step of a path: where a client of PostgreSQL is taken. */
export function checkedOut({ acquisition: { call, poolText } }: Checkout): PathStep {
  return stepAt(call, `A client is checked out of ${poolText}.`);
}

/** The first step of a path: where the connection is taken, of whatever library. */
export function taken(checkout: Checkout): PathStep {
  const { call, driver, style, poolText, kept } = checkout.acquisition;
  if (libraryOf(driver) === undefined) return checkedOut(checkout);
  if (style === 'lent' || kept !== undefined)
    return stepAt(
      call,
      `${poolText} passes a connection to the ${poolText.startsWith('@') ? 'method' : 'callback'}.`,
    );
  return stepAt(
    call,
    driver.isTransaction
      ? `A transaction of ${poolText} begins and takes a connection.`
      : `A connection is taken from ${poolText}.`,
  );
}
