import fc from 'fast-check';
import { stepReleases, teamSize, type Step, type Team, type TeamCall } from './teams.ts';

const member = fc.nat({ max: teamSize - 1 });

const leaf: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'query' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('transaction' as const),
      text: fc.constantFrom('BEGIN' as const, 'COMMIT' as const, 'ROLLBACK' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      how: fc.constantFrom(...stepReleases),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'second checkout' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('leave' as const),
      how: fc.constantFrom('return' as const, 'throw' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('call' as const), member }) },
);

const few = fc.array(leaf, { minLength: 1, maxLength: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('try' as const),
      body: few,
      handler: fc.option(few),
      finalizer: fc.option(few),
    }),
  },
);

export const team: fc.Arbitrary<Team> = fc.record({
  members: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), {
    minLength: teamSize,
    maxLength: teamSize,
  }),
});

export const teamCall: fc.Arbitrary<TeamCall> = fc.record({
  member,
  told: fc.constantFrom('true' as const, 'false' as const, 'p' as const, 'check()' as const),
});
