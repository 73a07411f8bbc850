import type { ExperimentKind } from './experiment.ts';
import type { ProbeRequest } from './request.ts';
import { refuse, type Refusal } from './refusal.ts';
import { sizeExperiment } from './size/size-experiment.ts';
import type { Experiment, Prepared, Stage } from './stage.ts';
import { usersExperiment } from './users/users-experiment.ts';

type Experiments = { readonly [Kind in ExperimentKind]: Experiment<Extract<ProbeRequest, { experiment: Kind }>> };

const notBuilt = () => refuse('This experiment cannot be run yet.');

const experiments: Experiments = {
  size: sizeExperiment,
  users: usersExperiment,
  connect: notBuilt,
  compare: notBuilt,
  ramp: notBuilt,
};

/** Lays out the experiment that was asked for. */
export function prepareExperiment(stage: Stage): Prepared | Refusal {
  const experiment = experiments[stage.request.experiment] as Experiment<ProbeRequest>;
  return experiment(stage);
}
