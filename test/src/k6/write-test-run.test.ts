import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeTestRun } from '../../../src/k6/write-test-run.ts';
import { hostileText } from '../../support/hostile-text.ts';
import { arrivalsPlan, requestOf } from '../../support/k6-plans.ts';

interface TestRun {
  readonly spec: {
    readonly arguments: string;
    readonly runner: {
      readonly env: readonly { readonly name: string; readonly value?: string }[];
    };
  };
}

test('pods share the load of the script in the ConfigMap', () => {
  expect(
    parse(
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
  const text = writeTestRun(
    {
      ...arrivalsPlan,
      sizes: [],
      request: requestOf({ url: 'http://a:s3cret@shop/', headers: { Cookie: 's3cret' } }),
    },
    2,
  );
  expect(text).not.toContain('s3cret');
  expect(text).toContain('# kubectl create secret generic poolguard-k6 --from-env-file=FILE');
  const { env } = (parse(text) as TestRun).spec.runner;
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
      const { spec } = parse(writeTestRun({ ...arrivalsPlan, request }, 2)) as TestRun;
      expect(spec.arguments).toBe('--no-usage-report');
      if (request.required.length === 0)
        expect(spec.runner.env[0]).toEqual({
          name: 'URL',
          value: request.url.replaceAll('$(', () => '$$('),
        });
    }),
  );
});
