import type { ProbePlan } from '../../probe/result.ts';

/** A plan that waits for a yes or a no. */
export interface PlanQuestion {
  readonly plan: ProbePlan;
  readonly answer: Promise<boolean>;
  /** Undefined until it is answered. */
  readonly isAgreed: () => boolean | undefined;
  /** The first word counts. */
  readonly settle: (isAgreed: boolean) => void;
}

export function createPlanQuestion(plan: ProbePlan): PlanQuestion {
  let isAgreed: boolean | undefined;
  let tell: (isAgreed: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => (tell = resolve));
  return {
    plan,
    answer,
    isAgreed: () => isAgreed,
    settle(said) {
      isAgreed ??= said;
      tell(isAgreed);
    },
  };
}

/** Whether somebody who agreed to the one has agreed to the other: it does the same, however long it is expected to take. */
export function isSamePlan(one: ProbePlan, other: ProbePlan): boolean {
  const whatIsDone = ({
    experiment,
    role,
    statements,
    calls,
    sizes,
    steps,
    connections,
  }: ProbePlan) =>
    JSON.stringify({ experiment, role, statements, calls, sizes, steps, connections });
  return whatIsDone(one) === whatIsDone(other);
}
