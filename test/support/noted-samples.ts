import { appendFileSync } from 'node:fs';

/** A file, and those beside it. */
interface NotedSample {
  readonly name: string;
  readonly path: string;
  readonly code: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: object;
}

/** `POOLGUARD_SAMPLES` names a file to which samples are appended when their tests are listed: `npm run ledger` lints them with every rule. */
export function noteSamples(rule: string, samples: readonly NotedSample[]): void {
  const file = process.env['POOLGUARD_SAMPLES'];
  if (file === undefined) return;
  const lines = samples.map(({ name, path, code, files = {}, settings = {} }) =>
    JSON.stringify({
      name: `${rule}: ${name}`,
      lint: [path],
      files: { ...files, [path]: code },
      settings,
    }),
  );
  appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
}
