import type { TSESTree } from '@typescript-eslint/types';
import type { Acquisition } from '../typestate/acquisition.ts';
import type { Node } from '../syntax/node.ts';
import { memberName, parentOf, unwrap } from '../syntax/source-file.ts';

type AcquisitionAt = (call: TSESTree.CallExpression) => Acquisition | undefined;

/** An acquire whose promise is waited for together with others. */
export function inCompany(
  acquisition: Acquisition | undefined,
  acquisitionAt: AcquisitionAt,
): Acquisition | undefined {
  if (acquisition?.style !== 'promise' || acquisition.shape !== undefined) return acquisition;
  const company = companyOf(acquisition.call);
  if (company === undefined) return acquisition;
  const { call, kind, index, others } = company;
  return kind === 'race'
    ? { ...acquisition, joined: { call, mayLose: others.length > 0 } }
    : {
        ...acquisition,
        shape: new Map([[String(index), 'client' as const]]),
        joined: { call, mayLose: others.some((each) => mayReject(each, acquisitionAt)) },
      };
}

interface Company {
  readonly call: TSESTree.CallExpression;
  readonly kind: 'all' | 'race';
  readonly index: number;
  readonly others: readonly (Node | null)[];
}

function companyOf(acquire: Node): Company | undefined {
  const list = parentOf(acquire);
  const call = list && parentOf(list);
  if (list?.type !== 'ArrayExpression' || call?.type !== 'CallExpression') return undefined;
  const kind = kindOf(call);
  const index = placeIn(list, acquire);
  return kind === undefined || index === -1
    ? undefined
    : { call, kind, index, others: list.elements.filter((each) => each !== acquire) };
}

/** The index among the results; -1 where nobody knows how many come before. */
function placeIn({ elements }: TSESTree.ArrayExpression, element: Node): number {
  const index = elements.findIndex((each) => each === element);
  return elements.slice(0, index).some((each) => each?.type === 'SpreadElement') ? -1 : index;
}

function kindOf({ callee }: TSESTree.CallExpression): 'all' | 'race' | undefined {
  const name =
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise'
      ? memberName(callee)
      : undefined;
  return name === 'all' || name === 'race' ? name : undefined;
}

/** Where one pool gives no client, it is not likely to have given another one just before. */
function mayReject(other: Node | null, acquisitionAt: AcquisitionAt): boolean {
  const plain = other && unwrap(other);
  return plain?.type === 'CallExpression' && acquisitionAt(plain) === undefined;
}
