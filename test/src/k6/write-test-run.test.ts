import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { load } from 'js-yaml';
import { writeTestRun } from '../../../src/k6/write-test-run.ts';
import { hostileText } from '../../support/hostile-text.ts';
import { arrivalsPlan, requestOf, usersPlan } from '../../support/k6-plans.ts';

interface TestRun {
  readonly spec: {
    readonly arguments: string;
    readonly runner: {
      readonly env: readonly { readonly name: string; readonly value?: string }[];
    };
  };
}

/**
 * The part of the operator's schema that is written here, closed as the API server closes it: version v1alpha1 of kind TestRun
 * (k6-operator 1.6.0, config/crd/bases/k6.io_testruns.yaml).
 */
const text = v.string();
const whole = v.pipe(v.number(), v.integer());
const reference = v.strictObject({
  name: v.exactOptional(text),
  key: text,
  optional: v.exactOptional(v.boolean()),
});
const published = v.strictObject({
  apiVersion: v.literal('k6.io/v1alpha1'),
  kind: v.literal('TestRun'),
  metadata: v.strictObject({ name: v.pipe(text, v.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u)) }),
  spec: v.strictObject({
    parallelism: whole,
    script: v.strictObject({
      configMap: v.exactOptional(v.strictObject({ name: text, file: v.exactOptional(text) })),
    }),
    separate: v.exactOptional(v.boolean()),
    arguments: v.exactOptional(text),
    runner: v.exactOptional(
      v.strictObject({
        env: v.exactOptional(
          v.array(
            v.strictObject({
              name: text,
              value: v.exactOptional(text),
              valueFrom: v.exactOptional(
                v.strictObject({ secretKeyRef: v.exactOptional(reference) }),
              ),
            }),
          ),
        ),
      }),
    ),
  }),
});

const withSecrets = {
  ...arrivalsPlan,
  sizes: [],
  request: requestOf({ url: 'http://a:s3cret@shop/', headers: { Cookie: 's3cret' } }),
};

test.each([
  ['arrivals', arrivalsPlan],
  ['users', usersPlan],
  ['secrets', withSecrets],
])('the operator takes a TestRun of %s', (_, plan) => {
  for (const parallelism of [1, 6]) {
    const checked = v.safeParse(published, load(writeTestRun(plan, parallelism)));
    expect(checked.issues).toBeUndefined();
  }
});

test('pods share the load of the script in the ConfigMap', () => {
  expect(
    load(
      writeTestRun({ ...arrivalsPlan, sharing: { workers: 4, instances: 3, deployOverlap: 0 } }, 6),
    ),
  ).toEqual({
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name: 'poolguard-k6' },
    spec: {
      parallelism: 6,
      separate: false,
      arguments: '--no-usage-report',
      script: { configMap: { name: 'poolguard-k6', file: 'poolguard-k6.js' } },
      runner: {
        env: [
          { name: 'URL', value: 'http://localhost:3000/users' },
          { name: 'POOL', value: '10' },
          { name: 'POOLS', value: '12' },
          { name: 'SUMMARY', value: 'stdout' },
        ],
      },
    },
  });
});

test('secrets come from a Secret', () => {
  const text = writeTestRun(withSecrets, 2);
  expect(text).not.toContain('s3cret');
  expect(text).toContain('# kubectl create secret generic poolguard-k6 --from-env-file=FILE');
  const { env } = (load(text) as TestRun).spec.runner;
  expect(env.slice(0, 2)).toEqual(
    ['URL', 'HEADER_COOKIE'].map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: 'poolguard-k6', key: name } },
    })),
  );
});

test('a URL stays a value, also where Kubernetes would read a reference', () => {
  fc.assert(
    fc.property(fc.oneof(hostileText, fc.constant('$(HOME)')), (path) => {
      const request = requestOf({ url: `http://localhost/${path}` });
      const { spec } = load(writeTestRun({ ...arrivalsPlan, request }, 2)) as TestRun;
      expect(spec.arguments).toBe('--no-usage-report');
      if (request.required.length === 0)
        expect(spec.runner.env[0]).toEqual({
          name: 'URL',
          value: request.url.replaceAll('$(', () => '$$('),
        });
    }),
  );
});
