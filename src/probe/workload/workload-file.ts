import { splitStatements, type StatementPiece } from '../../sql/split-statements.ts';
import type { StatementRequest } from '../request.ts';
import { split } from './parameters.ts';

export type WorkloadFileAnswer =
  | { readonly kind: 'statements'; readonly statements: readonly StatementRequest[] }
  | {
      readonly kind: 'problem';
      /** A whole sentence. */ readonly sentence: string;
      readonly line: number;
    };

/**
 * Reads statements that end with `;`. A comment above one may tell its share, `-- weight: 3`, and where the values of its
 * parameters come from, `-- params: 1..1000, a|b`; other comments are left alone. The statements are not checked.
 */
export function readWorkloadFile(text: string): WorkloadFileAnswer {
  const answer = splitStatements(text.replace(/^\uFEFF/u, ''));
  if (answer.kind === 'problem')
    return { kind: 'problem', sentence: `There is ${answer.what}.`, line: answer.line };
  if (answer.pieces.length === 0)
    return { kind: 'problem', sentence: 'There is no statement.', line: 1 };
  const statements: StatementRequest[] = [];
  for (const piece of answer.pieces) {
    const read = readPiece(piece);
    if ('kind' in read) return read;
    statements.push(read);
  }
  return { kind: 'statements', statements };
}

function readPiece({
  text,
  comments,
  line,
}: StatementPiece): StatementRequest | Extract<WorkloadFileAnswer, { kind: 'problem' }> {
  const told = new Map(comments.flatMap(readDirective));
  const weight = told.get('weight') ?? '1';
  if (!isWeight(weight)) return { kind: 'problem', sentence: describeWeight(weight), line };
  const parameters = told.get('params') ?? '';
  return {
    text,
    weight: Number(weight),
    parameters: parameters === '' ? [] : split(parameters, ',').map((part) => part.trim()),
  };
}

function readDirective(comment: string): (readonly [name: string, value: string])[] {
  const [, name, value] = /^(?:--|\/\*)\s*(weight|params)\s*:(.*)$/is.exec(comment) ?? [];
  return name === undefined || value === undefined
    ? []
    : [[name.toLowerCase(), value.trim().replace(/\*\/$/, '').trim()]];
}

/** Whether a text is a share: a number above 0, up to a million. */
export function isWeight(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= 1_000_000;
}

export function describeWeight(text: string): string {
  return `A weight is a number above 0, for example 3, and not "${text.slice(0, 40)}".`;
}
