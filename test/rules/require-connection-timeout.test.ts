import { describe } from 'vitest';
import { checkRule, type Sample } from '../support/marked.ts';

const rule = 'require-connection-timeout';

function named(samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => ({ filename: 'sample.ts', ...sample }));
}

describe('reports pools whose callers may wait for ever', () => {
  checkRule(
    rule,
    named([
      {
        name: 'without the option',
        code: `
import { Pool } from 'pg';
export const a = new Pool();
//               ^^^^^^^^^^ missing
export const b = new Pool({ connectionString: process.env.DATABASE_URL + '?connect_timeout=5' });
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ missing
const config = { max: 5 };
export const c = new Pool(config);
//               ^^^^^^^^^^^^^^^^ missing`,
      },
      {
        name: 'with one that is off',
        code: `
import { Pool } from 'pg';
export const a = new Pool({ connectionTimeoutMillis: 0 });
//                                                   ^ never
export const b = new Pool({ connectionTimeoutMillis: undefined });
//                                                   ^^^^^^^^^ never`,
      },
      {
        name: 'with a configuration of another file',
        files: { 'config.ts': 'export const config = { max: 5 };' },
        code: `
import { Pool } from 'pg';
import { config } from './config';
export const pool = new Pool(config);
//                  ^^^^^^^^^^^^^^^^ missing`,
      },
    ]),
  );
});

describe('stays silent', () => {
  checkRule(
    rule,
    named([
      {
        name: 'where the option is set, or may be',
        code: `
import { Pool } from 'pg';
import { config } from './config';
const later = { max: 5, ...config };
export const a = new Pool({ connectionTimeoutMillis: 5_000 });
export const b = new Pool({ connectionTimeoutMillis: Number(process.env.TIMEOUT) });
export const c = new Pool({ ...config });
export const d = new Pool(config);
export const e = new Pool(later);
export const f = new Pool(configOf('a'));
export const g = (options) => new Pool(options);
export const h = new Pool({ [name]: 5_000 });`,
      },
      {
        name: 'where the option is added later',
        code: `
import { Pool } from 'pg';
const config = { max: 5 };
if (process.env.TIMEOUT) config.connectionTimeoutMillis = Number(process.env.TIMEOUT);
export const pool = new Pool(config);`,
      },
      {
        name: 'about tests',
        filename: 'pool.spec.ts',
        code: `
import { Pool } from 'pg';
const pool = new Pool();`,
      },
    ]),
  );
});
