import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';

interface Scenario {
  readonly executor: string;
  readonly stages: readonly { readonly duration: string; readonly target: number }[];
  readonly startRate?: number;
  readonly preAllocatedVUs?: number;
  readonly maxVUs?: number;
}

interface Exported {
  readonly options: {
    readonly scenarios: Readonly<Record<string, Scenario>>;
    readonly thresholds: Readonly<Record<string, readonly string[]>>;
    readonly tags?: { readonly pool: string };
  };
  readonly setup: () => void;
  readonly ask: () => void;
  readonly handleSummary: (data: unknown) => Readonly<Record<string, string>>;
}

/** What a script asked of k6. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LoadedScript extends Exported {
  readonly requests: readonly Asked[];
  /** Times that each counter went up, by its name. */
  readonly counted: Readonly<Record<string, number>>;
  /** What it aborted with. */
  readonly aborted: readonly string[];
}

/** A script of k6 with the few functions of k6 that it uses, so that what it makes of its settings can be looked at; `npm run test:k6` runs it for real. */
export function loadScript(
  text: string,
  environment: Readonly<Record<string, string>> = {},
  answer: { readonly status: number; readonly error_code: number; readonly error?: string } = {
    status: 200,
    error_code: 0,
  },
): LoadedScript {
  const requests: Asked[] = [];
  const counted: Record<string, number> = {};
  const aborted: string[] = [];
  const parts: Readonly<Record<string, unknown>> = {
    'k6/http': {
      request: (
        method: string,
        url: string,
        body: string | null,
        { headers }: { headers: Asked['headers'] },
      ) => (requests.push({ method, url, body, headers: { ...headers } }), answer),
    },
    'k6/execution': {
      test: { abort: (why: string) => aborted.push(why), options: { executionSegment: null } },
    },
    k6: { sleep: () => undefined },
    'k6/metrics': {
      Counter: class {
        readonly add: (times: number) => void;
        constructor(name: string) {
          if (name in counted) throw new Error(`k6 makes no second metric called ${name}.`);
          counted[name] = 0;
          this.add = (times) => void (counted[name] = (counted[name] ?? 0) + times);
        }
      },
    },
  };
  const module = { exports: {} as Exported };
  runInNewContext(transformSync(text, { format: 'cjs' }).code, {
    module,
    __ENV: environment,
    require: (name: string) => parts[name],
  });
  return {
    ...module.exports,
    options: JSON.parse(JSON.stringify(module.exports.options)) as Exported['options'],
    requests,
    counted,
    aborted,
  };
}
