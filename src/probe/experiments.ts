import { compareExperiment } from './compare/compare-experiment.ts';
import { connectExperiment } from './connect/connect-experiment.ts';
import type { ExperimentKind } from './experiment.ts';
import { rampExperiment } from './ramp/ramp-experiment.ts';
import type { ProbeRequest } from './request.ts';
import type { Refusal } from './refusal.ts';
import { sizeExperiment } from './size/size-experiment.ts';
import type { Experiment, Prepared, ExperimentContext } from './experiment-context.ts';
import { usersExperiment } from './users/users-experiment.ts';

type Experiments = {
  readonly [Kind in ExperimentKind]: Experiment<Extract<ProbeRequest, { experiment: Kind }>>;
};

const experiments: Experiments = {
  size: sizeExperiment,
  users: usersExperiment,
  connect: connectExperiment,
  compare: compareExperiment,
  ramp: rampExperiment,
};

/** Lays out the experiment that was asked for. */
export function prepareExperiment(context: ExperimentContext): Prepared | Refusal {
  const experiment = experiments[context.request.experiment] as Experiment<ProbeRequest>;
  return experiment(context);
}
