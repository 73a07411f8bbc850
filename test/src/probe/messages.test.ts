import { expect, test } from 'vitest';
import { Secret } from '../../../src/database/secret.ts';
import { parseTarget } from '../../../src/database/target.ts';
import { fromSentRequest, toSentRequest } from '../../../src/probe/messages.ts';
import { commonDefaults, type ConnectRequest } from '../../../src/probe/request.ts';

function access(secret: string) {
  const parsed = parseTarget('postgres://app@localhost/shop');
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return { target: parsed.target, secret: new Secret(secret) };
}

test('the passwords of target, server and pooler travel beside the request, and arrive as secrets', () => {
  const request: ConnectRequest = {
    ...commonDefaults,
    ...access('of-target'),
    server: access('of-server'),
    experiment: 'connect',
    pooler: access('of-pooler'),
    times: 1,
    concurrent: 1,
  };
  const sent = JSON.parse(JSON.stringify(toSentRequest(request))) as ReturnType<
    typeof toSentRequest
  >;
  expect(JSON.stringify(sent.request)).not.toMatch(/of-(?:target|server|pooler)/);
  const arrived = fromSentRequest(sent);
  expect(JSON.stringify(arrived)).not.toMatch(/of-(?:target|server|pooler)/);
  if (arrived.experiment !== 'connect') throw new Error(arrived.experiment);
  expect(
    [arrived.secret, arrived.server?.secret, arrived.pooler?.secret].map((secret) =>
      secret?.reveal(),
    ),
  ).toEqual(['of-target', 'of-server', 'of-pooler']);
});
