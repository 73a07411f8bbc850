import fc from 'fast-check';
import { team, teamCall } from './generate-team.ts';
import { secondCheckoutForms } from './second-checkout.ts';
import { teamForms } from './teams.ts';
import {
  acquireForms,
  cares,
  guards,
  handOverForms,
  leaveForms,
  lendForms,
  loopForms,
  queryForms,
  releaseForms,
  transactionTexts,
  type Condition,
  type Piece,
  type Program,
  type Stage,
} from './pieces.ts';

const client = fc.nat({ max: 2 });

const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({
      kind: fc.constant('constant' as const),
      name: fc.constantFrom('p' as const, 'q' as const, 'options.strict' as const),
    }),
    fc.record({ kind: fc.constant('fresh' as const) }),
    fc.record({
      kind: fc.constant('client' as const),
      client,
      how: fc.constantFrom('truthy' as const, 'compared' as const),
    }),
    fc.record({ kind: fc.constant('flag' as const), client }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('condition') }),
    fc.record({
      kind: fc.constantFrom('both' as const, 'either' as const),
      left: tie('condition'),
      right: tie('condition'),
    }),
  ),
})).condition;

/** Pieces that hold no others. */
const leaf: fc.Arbitrary<Piece> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      client,
      how: fc.constantFrom(...queryForms),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transaction' as const),
      client,
      text: fc.constantFrom(...transactionTexts),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      how: fc.constantFrom('awaited' as const, 'synchronous' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      client,
      how: fc.constantFrom(...releaseForms),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('lend' as const),
      client,
      how: fc.constantFrom(...lendForms),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('second checkout' as const),
      client,
      how: fc.constantFrom(...secondCheckoutForms),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('team' as const),
      client,
      how: fc.constantFrom(...teamForms),
      calls: fc.array(teamCall, { minLength: 1, maxLength: 2 }),
      last: fc.option(teamCall),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hand over' as const),
      client,
      how: fc.constantFrom(...handOverForms),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('alias' as const), client }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), client }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('set flag' as const), client, value: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fill' as const), client }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('leave' as const),
      how: fc.constantFrom(...leaveForms),
    }),
  },
);

const leaves = fc.array(leaf, { maxLength: 3 });

type Grammar = {
  readonly piece: Piece;
  readonly pieces: readonly Piece[];
  readonly stage: Stage;
  readonly acquire: Piece;
};

const { pieces, stage, acquire } = fc.letrec<Grammar>((tie) => {
  const few = fc.array(tie('piece'), { maxLength: 2 });
  return {
    pieces: fc.array(tie('piece'), { maxLength: 3 }),
    piece: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 8, arbitrary: leaf },
      { weight: 2, arbitrary: tie('acquire') },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('if' as const),
          condition,
          then: few,
          otherwise: few,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('switch' as const),
          cases: fc.array(fc.record({ body: few, breaks: fc.boolean(), isDefault: fc.boolean() }), {
            minLength: 1,
            maxLength: 3,
          }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('loop' as const),
          how: fc.constantFrom(...loopForms),
          body: few,
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('try' as const),
          body: few,
          handler: fc.option(few),
          rethrows: fc.boolean(),
          finalizer: fc.option(few),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('chain' as const),
          client,
          stages: fc.array(tie('stage'), { minLength: 1, maxLength: 3 }),
          isReturned: fc.boolean(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('query with callback' as const),
          client,
          onError: leaves,
          leavesOnError: fc.boolean(),
          rest: leaves,
        }),
      },
    ),
    acquire: fc.record({
      kind: fc.constant('acquire' as const),
      how: fc.constantFrom(...acquireForms),
      care: fc.constantFrom(...cares),
      guard: fc.constantFrom(...guards),
      rest: tie('pieces'),
    }),
    stage: fc.record({
      on: fc.constantFrom('then' as const, 'catch' as const, 'finally' as const, 'both' as const),
      body: few,
      rethrows: fc.boolean(),
    }),
  };
});

const stages = fc.array(stage, { maxLength: 3 });

/** Small functions around a checkout. */
export const program: fc.Arbitrary<Program> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      style: fc.constant('async' as const),
      team,
      pieces: fc
        .tuple(pieces, acquire, pieces)
        .map(([before, first, after]) => [...before.slice(0, 1), first, ...after.slice(0, 2)]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ style: fc.constant('chain' as const), inner: stages, outer: stages }),
  },
  { weight: 1, arbitrary: fc.record({ style: fc.constant('callback' as const), pieces }) },
);
