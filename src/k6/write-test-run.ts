import { dump } from 'js-yaml';
import { poolsBehind } from './connection-arithmetic.ts';
import type { K6Plan } from './k6-plan.ts';
import { scriptName } from './write-script.ts';

export const testRunName = 'poolguard-k6-testrun.yaml';
/** Of the ConfigMap with the script, the Secret, and the TestRun itself. */
const resource = 'poolguard-k6';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

/**
 * A `TestRun` of the k6 operator, which starts a pod for each execution segment. Text of users stands only in values of `runner.env`:
 * `arguments` pass a shell in the pod that checks the script (k6-operator, pkg/resources/jobs/initializer.go).
 * @param parallelism Pods that share the load.
 */
export function writeTestRun(plan: K6Plan, parallelism: number): string {
  const resources = dump(
    {
      apiVersion: 'k6.io/v1alpha1',
      kind: 'TestRun',
      metadata: { name: resource },
      spec: {
        parallelism,
        separate: false,
        arguments: '--no-usage-report',
        script: { configMap: { name: resource, file: scriptName } },
        runner: { env: variablesOf(plan) },
      },
    },
    { lineWidth: -1 },
  );
  const comment = commentOf(plan, parallelism).map((line) => `# ${line}`.trimEnd());
  return `${comment.join('\n')}\n\n${resources}`;
}

function variablesOf({ request, sizes, sharing }: K6Plan): readonly Variable[] {
  const [size] = sizes;
  return [
    ...(request.required.includes('URL')
      ? []
      : [{ name: 'URL', value: withoutReferences(request.url) }]),
    ...request.required.map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: resource, key: name } },
    })),
    ...(size === undefined ? [] : [{ name: 'POOL', value: String(size) }]),
    { name: 'POOLS', value: String(poolsBehind(sharing)) },
    { name: 'SUMMARY', value: 'stdout' },
  ];
}

/** Kubernetes puts other variables in for `$(NAME)`; a second `$` keeps it as it is. */
function withoutReferences(value: string): string {
  return value.replaceAll('$(', '$$$$(');
}

function commentOf({ request, sizes }: K6Plan, parallelism: number): readonly string[] {
  return [
    `kubectl create configmap ${resource} --from-file=${scriptName}`,
    ...(request.required.length === 0
      ? []
      : [
          `kubectl create secret generic ${resource} --from-env-file=FILE     FILE has a line NAME=value for ${request.required.join(', ')}`,
        ]),
    `kubectl apply -f ${testRunName}`,
    `kubectl logs ${resource}-1-POD | grep '"experiment":"k6"' > k6-summary-1.json     then: poolguard report k6-summary-1.json`,
    '',
    `Each of the ${parallelism} pods creates an equal part of the load (an execution segment): rates and VUs of the script are those of all pods together.`,
    'Each writes a summary of its part. Requests, failures and dropped arrivals add up; percentiles do not, and thresholds are judged in each pod.',
    'In a pod, localhost is the pod itself: set URL to the address of the service.',
    ...(sizes.length > 1
      ? [
          `Start the application with each size in turn, and change POOL with it: ${sizes.join(', ')}.`,
        ]
      : []),
    'More pods create more load, but no more connections to the database: those are max × workers × instances of the application.',
  ];
}
