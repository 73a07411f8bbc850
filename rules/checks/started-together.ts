import type { Batch, Part } from '../syntax/batches.ts';
import { isFunction, type Node } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { inRound, noRounds, type Rounds } from '../summaries/several-rounds.ts';
import type { Place, Started } from './started.ts';
import { queriesIn, startedIn } from './surely-queries.ts';

/** A query that a batch starts. */
export interface Under extends Started {
  /** It is started once for each element of an array. */
  readonly isMany: boolean;
  /** Its round makes more queries after it. */
  readonly goesOn: boolean;
}

/** The queries of one client that a batch surely starts in code of a function, if they are several: of what its callers give it, tests may depend. */
export function startedTogether(batch: Batch, place: Place): readonly Under[] {
  const placeOf = (part: Part): Place => ({ ...place, rounds: roundsOf(part, place.file) });
  const started = sameClient(startedBy(batch, placeOf).filter(isSurelyStarted));
  return started.length > 1 || started[0]?.isMany === true ? started : [];
}

/** The queries that the parts of a batch start. */
export function startedBy({ parts }: Batch, placeOf: (part: Part) => Place): readonly Under[] {
  return parts.flatMap((part) => startedByPart(part, placeOf(part)));
}

function startedByPart(part: Part, place: Place): readonly Under[] {
  switch (part.kind) {
    case 'once':
      return startedOn(part.node, place)
        .slice(0, 1)
        .map((each) => ({ ...each, isMany: false, goesOn: false }));
    case 'many':
      return startedIn(part.node, place)
        .slice(0, 1)
        .map((each) => ({ ...each, isMany: true, goesOn: false }));
    case 'each': {
      const [first, second] = queriesIn(part.node, place);
      return first === undefined ? [] : [{ ...first, isMany: true, goesOn: second !== undefined }];
    }
  }
}

/** What an expression starts, on some way at least: `isWanted && tx.query(…)`. */
function startedOn(expression: Node, place: Place): readonly Started[] {
  const plain = unwrap(expression);
  const branches =
    plain.type === 'LogicalExpression' && plain.operator === '&&'
      ? [plain.right]
      : plain.type === 'ConditionalExpression'
        ? [plain.consequent, plain.alternate]
        : [];
  const started = startedIn(plain, place).filter(({ isSure }) => isSure);
  return started.length > 0
    ? started
    : branches
        .flatMap((each) => startedIn(each, place))
        .map((each) => ({ ...each, isSure: false }));
}

/** How often a part runs at a time. */
export function roundsOf(part: Part, file: SourceFile): Rounds {
  if (part.kind === 'once') return noRounds;
  const fn = part.kind === 'each' ? part.node : part.round;
  return isFunction(fn) ? inRound(fn, file) : noRounds;
}

function isSurelyStarted({ isSure, isMany }: Under): boolean {
  return isSure || isMany;
}

/** The queries of the client of which there are several: of those that only some ways start, one, since no way may start two. */
export function sameClient(started: readonly Under[]): readonly Under[] {
  const groups = new Map<unknown, Under[]>();
  for (const each of started) {
    const { of } = each.held;
    groups.set(of, [...(groups.get(of) ?? []), each]);
  }
  return (
    [...groups.values()]
      .map((group) => {
        const unsure = group.find((each) => !isSurelyStarted(each));
        return group.filter((each) => isSurelyStarted(each) || each === unsure);
      })
      .find((group) => group.length > 1 || group.some(({ isMany }) => isMany)) ?? []
  );
}
