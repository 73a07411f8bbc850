import type { TSESTree } from '@typescript-eslint/types';
import type { Acquisition } from '../typestate/acquisition.ts';
import { isKeptElsewhere } from '../typestate/acquisition.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import type { Resolver } from '../values/resolver.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';
import { parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { raceOf } from './races.ts';

type AcquisitionAt = (call: CallNode) => Acquisition | undefined;

/** An acquire, and whether its promise is waited for together with others. */
export function inCompany(
  acquisition: Acquisition,
  file: SourceFile,
  resolver: Resolver,
  acquisitionAt: AcquisitionAt,
): Acquisition {
  const { call, style, shape } = acquisition;
  if (style !== 'promise' || isKeptElsewhere(acquisition)) return acquisition;
  const raced = raceOf(call, file, resolver);
  if (raced !== undefined) return { ...acquisition, raced };
  const company = shape === undefined ? companyOf(call) : undefined;
  if (company === undefined) return acquisition;
  return {
    ...acquisition,
    shape: new Map([[String(company.index), 'client' as const]]),
    joined: {
      call: company.call,
      mayLose: company.others.some((each) => mayReject(each, acquisitionAt)),
      besideOthers: company.others.some((each) => isCheckout(each, acquisitionAt)),
    },
  };
}

interface Company {
  readonly call: CallNode;
  readonly index: number;
  readonly others: readonly (Node | null)[];
}

function companyOf(acquire: Node): Company | undefined {
  const list = parentOf(acquire);
  const call = list && parentOf(list);
  if (list?.type !== 'ArrayExpression' || !isOfPromise(call, 'all')) return undefined;
  const index = placeIn(list, acquire);
  return index === -1
    ? undefined
    : { call, index, others: list.elements.filter((each) => each !== acquire) };
}

/** The index among the results; -1 where nobody knows how many come before. */
function placeIn({ elements }: TSESTree.ArrayExpression, element: Node): number {
  const index = elements.findIndex((each) => each === element);
  return elements.slice(0, index).some((each) => each?.type === 'SpreadElement') ? -1 : index;
}

/** Where one pool gives no client, it is not likely to have given another one just before. */
function mayReject(other: Node | null, acquisitionAt: AcquisitionAt): boolean {
  return (
    other !== null && unwrap(other).type === 'CallExpression' && !isCheckout(other, acquisitionAt)
  );
}

function isCheckout(other: Node | null, acquisitionAt: AcquisitionAt): boolean {
  const plain = other && unwrap(other);
  return plain?.type === 'CallExpression' && acquisitionAt(plain) !== undefined;
}
