import type { CommonRequest, ProbeRequest } from '../../../../src/probe/request.ts';
import type { ProbeEvent } from '../../../../src/probe/result.ts';
import { commonRequest, probeQuickly } from '../jobs/probes.ts';
import { noteOf, type OwnedWay } from './owned-way.ts';

/** As many as one probe mixes. */
const atOnce = 20;

/** Ways that one probe can run together: what writes needs another permission. */
export function groupsOf(ways: readonly OwnedWay[]): readonly (readonly OwnedWay[])[] {
  return [
    ways.filter(({ writes }) => writes !== true),
    ways.filter(({ writes }) => writes === true),
  ].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / atOnce) }, (_, at) =>
      alike.slice(at * atOnce, (at + 1) * atOnce),
    ),
  );
}

/** Probes their statements, with every function allowed that they name: that is no word on its owner. */
export function probeWays(
  url: string,
  ways: readonly Pick<OwnedWay, 'name' | 'statement' | 'setup' | 'writes'>[],
  change: Partial<CommonRequest> = {},
): Promise<ProbeEvent> {
  const statements = ways.map(({ statement }) => ({ text: statement, weight: 1, parameters: [] }));
  const texts = ways.flatMap(({ name, statement, setup }) => [statement, ...setup(noteOf(name))]);
  const request: ProbeRequest = {
    ...commonRequest(url, { kind: 'statements', statements }),
    experiment: 'size',
    validate: false,
    trustOwners: [],
    allowFunctions: [
      ...new Set(texts.flatMap((text) => text.match(/\b[a-z_]+\.\w+(?=\()/g) ?? [])),
    ],
    allowWrites: ways.some(({ writes }) => writes === true),
    ...change,
  };
  return probeQuickly(request);
}
