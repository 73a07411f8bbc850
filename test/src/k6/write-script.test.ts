import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toVariables } from '../../../src/k6/script-request.ts';
import { writeScript } from '../../../src/k6/write-script.ts';
import { hostileText } from '../../support/hostile-text.ts';
import { arrivalsPlan, requestOf, usersPlan } from '../../support/k6-plans.ts';
import { loadScript } from '../../support/k6-script.ts';

test("rates stay each for their stage, and VUs are ready by Little's law", () => {
  const { options } = loadScript(writeScript(arrivalsPlan));
  expect(options.scenarios).toEqual({
    arrivals: {
      executor: 'ramping-arrival-rate',
      exec: 'ask',
      startRate: 100,
      timeUnit: '1s',
      gracefulStop: '10s',
      // 300 arrivals/s × 0.2 s = 60 under way, twice that ready; five seconds of arrivals at most.
      preAllocatedVUs: 120,
      maxVUs: 1500,
      stages: [
        { duration: '5000ms', target: 100 },
        { duration: '0s', target: 300 },
        { duration: '5000ms', target: 300 },
      ],
    },
  });
  expect(options.thresholds).toEqual({
    http_req_failed: ['rate<0.01'],
    'http_req_duration{expected_response:true}': ['p(99)<500'],
    dropped_iterations: ['count<10'],
  });
  expect(options.tags).toEqual({ pool: '10' });
});

test('every pool behind the URL gets the rate', () => {
  const script = writeScript({
    ...arrivalsPlan,
    sharing: { workers: 4, instances: 3, deployOverlap: 0 },
  });
  expect(loadScript(script).options.scenarios['arrivals']?.stages.at(-1)?.target).toBe(3600);
  expect(
    loadScript(script, { POOLS: '2', MAX_VUS: '50' }).options.scenarios['arrivals'],
  ).toMatchObject({ startRate: 200, preAllocatedVUs: 50, maxVUs: 50 });
});

test('users rise and fall; as arrivals they ask as often, whatever answers take', () => {
  const script = writeScript(usersPlan);
  expect(loadScript(script).options.scenarios).toEqual({
    users: {
      executor: 'ramping-vus',
      exec: 'askAndPause',
      startVUs: 0,
      gracefulRampDown: '10s',
      gracefulStop: '10s',
      stages: [
        { duration: '10000ms', target: 30 },
        { duration: '2500ms', target: 0 },
      ],
    },
  });
  const { options } = loadScript(script, { LOAD: 'arrivals' });
  // 30 users, each asking once in 100 ms of pause and 200 ms of answer.
  expect(options.scenarios['arrivals']).toMatchObject({
    startRate: 0,
    stages: [
      { duration: '10000ms', target: 100 },
      { duration: '2500ms', target: 0 },
    ],
    preAllocatedVUs: 40,
  });
  expect(loadScript(script).options.thresholds).not.toHaveProperty('dropped_iterations');
});

test('a run is labelled with the size that it is told', () => {
  expect(loadScript(writeScript(arrivalsPlan), { POOL: '20' }).options.tags).toEqual({
    pool: '20',
  });
  expect(loadScript(writeScript({ ...arrivalsPlan, sizes: [] })).options.tags).toBeUndefined();
});

test('a summary is JSON in ASCII, whatever a variable holds', () => {
  const url = 'http://shop.example/\u200B\u{E0041}\u00E9';
  const [text = ''] = Object.values(
    loadScript(writeScript(arrivalsPlan), { URL: url, SUMMARY: 'a.json' }).handleSummary({
      metrics: {},
      state: { testRunDurationMs: 1_000 },
    }),
  );
  expect(text).toMatch(/^[\n\x20-\x7E]+$/);
  expect(JSON.parse(text)).toMatchObject({ url });
});

test('a variable that is no number is a sentence', () => {
  expect(() => loadScript(writeScript(arrivalsPlan), { POOLS: 'many' })).toThrow(
    'POOLS must be a number of at least 0.',
  );
});

test('the head has the arithmetic of connections, and why HTTP', () => {
  const script = writeScript({
    ...arrivalsPlan,
    sharing: { workers: 4, instances: 3, deployOverlap: 1 },
  });
  expect(script).toContain(
    '// A pool of 20 × 4 workers × 3 instances = up to 240 connections, and 480 while a deploy runs both versions.\n',
  );
  expect(script).toContain(
    '// The rates are for one pool; the URL gets 12 times as many requests (POOLS = workers × instances = 12).\n',
  );
  expect(script).toContain('opens a database/sql pool for each VU');
  expect(writeScript(usersPlan)).not.toContain('xk6-sql');
});

test('secrets come from the environment, and a script without them says which are missing', () => {
  const given = {
    url: 'https://user:s3cret@shop.example/orders?api_key=s3cret&page=2',
    method: 'POST',
    headers: { Accept: 'text/html', Authorization: 'Bearer s3cret', 'X-Shop': 's3cret' },
    body: 's3cret',
  };
  const text = writeScript({ ...arrivalsPlan, request: requestOf(given) });
  expect(text).not.toContain('s3cret');
  const bare = loadScript(text);
  bare.setup();
  expect(bare.aborted).toEqual([
    'This script holds no secrets. Set URL, HEADER_AUTHORIZATION, HEADER_X_SHOP, BODY in the environment first.',
  ]);
  expect(bare.handleSummary({})).toEqual({});
  const script = loadScript(text, toVariables(given));
  script.setup();
  script.ask();
  expect(script.aborted).toEqual([]);
  expect(script.requests).toEqual([given]);
});

test("headers that are spelled alike in a variable do not get each other's value", () => {
  const headers = { 'X-Key': 'one', X_Key: 'two', 'x-key': 'three' };
  const given = { url: 'http://localhost/', method: 'GET', headers, body: null };
  const script = loadScript(
    writeScript({ ...arrivalsPlan, request: requestOf(given) }),
    toVariables(given),
  );
  script.ask();
  expect(script.requests[0]?.headers).toEqual(headers);
});

test.each([
  [{ status: 503, error_code: 1503 }, 'poolguard_503'],
  [{ status: 418, error_code: 1418 }, 'poolguard_other'],
  [{ status: 0, error_code: 1212 }, 'poolguard_ECONNREFUSED'],
  [{ status: 0, error_code: 1050 }, 'poolguard_timeout'],
  [{ status: 0, error_code: 1000, error: 'unexpected EOF' }, 'poolguard_closed'],
  [{ status: 0, error_code: 1000, error: 'no reason' }, 'poolguard_other'],
])('the answer %j is counted by its cause', (answer, cause) => {
  const script = loadScript(writeScript(arrivalsPlan), {}, answer);
  script.ask();
  expect(Object.entries(script.counted).filter(([, times]) => times > 0)).toEqual([
    [cause, 1],
    ['poolguard_begun', 1],
  ]);
});

test('whatever a user names stays text', () => {
  const headers = fc.dictionary(hostileText, hostileText, { maxKeys: 4, noNullPrototype: true });
  fc.assert(
    fc.property(hostileText, headers, hostileText, hostileText, (path, others, method, accept) => {
      const given = {
        url: `http://localhost/${path}?q=${path}`,
        method,
        headers: { ...others, Accept: accept },
        body: null,
      };
      const text = writeScript({ ...usersPlan, request: requestOf(given), madeBy: path });
      expect(text).toMatch(/^[\x20-\x7E\n×’]*$/u);
      const script = loadScript(text, toVariables(given));
      script.ask();
      expect(script.requests).toEqual([{ ...given, headers: { ...given.headers } }]);
    }),
    { numRuns: 200 },
  );
});
