import { expect } from 'vitest';
import type { Report } from '../../monitor/report.ts';
import { listen, type Listener } from '../../src/running/listener.ts';

/** A listener that notes what it hears. */
export interface Heard extends AsyncDisposable {
  readonly listener: Listener;
  readonly reports: readonly (readonly [key: string, report: Report])[];
  readonly gone: readonly string[];
  readonly path: string;
  readonly token: string;
  /** Waits until a report of a kind has come. */
  until<Kind extends Report['kind']>(
    kind: Kind,
    howMany?: number,
  ): Promise<readonly Extract<Report, { readonly kind: Kind }>[]>;
}

export async function hear(folders?: readonly string[]): Promise<Heard> {
  const reports: [string, Report][] = [];
  const gone: string[] = [];
  const listener = await listen({
    registerPath: '/somewhere/pool-watch.cjs',
    ...(folders === undefined ? {} : { folders }),
    onReport: (key, report) => reports.push([key, report]),
    onGone: (key) => gone.push(key),
  });
  const { POOLGUARD_SOCKET: path = '', POOLGUARD_TOKEN: token = '' } = listener.variables({});
  const ofKind = <Kind extends Report['kind']>(
    kind: Kind,
  ): readonly Extract<Report, { readonly kind: Kind }>[] =>
    reports
      .map(([, report]) => report)
      .filter((report): report is Extract<Report, { readonly kind: Kind }> => report.kind === kind);
  return {
    listener,
    reports,
    gone,
    path,
    token,
    until: async (kind, howMany = 1) => {
      await expect.poll(() => ofKind(kind).length).toBeGreaterThanOrEqual(howMany);
      return ofKind(kind);
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
