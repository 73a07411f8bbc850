import { Linter } from 'eslint';
import { afterEach, expect, test, vi } from 'vitest';
import plugin from '../../../rules/index.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function times(count: number, part: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => part(n)).join('');
}

const fields = `${times(14, (n) => `if (input.a${n}) out.a${n} = input.a${n};\n`)}await client.query('x', out);\n${times(14, (n) => `if (input.a${n}) log(n);\n`)}`;

const samples: readonly (readonly [name: string, body: string, verdict: RegExp])[] = [
  [
    '1,000 queries',
    `${times(1000, () => "await client.query('x');\n")}client.release();`,
    /: reported \(notReleasedOnThrow: /u,
  ],
  [
    'a leak in a sample of the ways',
    `${fields}client.release();`,
    /: reported \(on a sample of many paths, notReleasedOnThrow: /u,
  ],
  [
    'no leak in a sample of the ways',
    `try {\n${fields}} finally { client.release(); }`,
    /: unknown \(the function has too many paths; a sample of them shows no leak\)/u,
  ],
];

test.each(samples)(
  'POOLGUARD_DEBUG=verdicts says how it was decided: %s',
  (_name, body, verdict) => {
    vi.stubEnv('POOLGUARD_DEBUG', 'verdicts');
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = `import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function f(input, out) {\nconst client = await pool.connect();\n${body}\n}\n`;
    const rules = { 'poolguard/no-unreleased-client': 'error' } as const;
    new Linter().verify(code, [{ plugins: { poolguard: plugin }, rules }]);

    expect(String(written.mock.calls.at(0)?.[0])).toMatch(verdict);
  },
);
