import type { K6Plan } from '../../src/k6/k6-plan.ts';
import {
  toScriptRequest,
  type GivenRequest,
  type ScriptRequest,
} from '../../src/k6/script-request.ts';

export function requestOf(given: Partial<GivenRequest> = {}): ScriptRequest {
  const read = toScriptRequest({
    url: 'http://localhost:3000/users',
    method: 'GET',
    headers: {},
    body: null,
    ...given,
  });
  if (read.kind === 'problem') throw new Error(read.sentence);
  return read.request;
}

export const arrivalsPlan: K6Plan = {
  origin: 'probe ramp',
  request: requestOf(),
  load: {
    kind: 'arrivals',
    stages: [
      { seconds: 5, rate: 100 },
      { seconds: 5, rate: 300 },
    ],
  },
  sizes: [10, 20],
  sharing: { workers: 1, instances: 1, deployOverlap: 0 },
  expectedMs: 200,
  source: null,
  madeBy: '0.1.0',
};

export const usersPlan: K6Plan = {
  ...arrivalsPlan,
  origin: 'sweep',
  load: {
    kind: 'users',
    stages: [
      { seconds: 10, users: 30 },
      { seconds: 2.5, users: 0 },
    ],
    thinkMs: 100,
  },
};
