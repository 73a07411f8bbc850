import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Why code may read the text of a program: nothing of it decides what is said of code, as a name or a comment would. */
const reasons = {
  excerpt: 'a part of the code is shown, in a message or a suggestion, or tells places apart',
  alike: 'two expressions are one where they are written alike',
  prefilter:
    'a file without the word has nothing to look for: what is found is decided by its tree',
  sql: 'a statement, or the path of a route, is a text',
  path: 'a path of names that Node or a library gives: `process.exit`, `process.env`',
  project:
    'all files of a project are looked through for what a container or library is told; more than one place is silent',
} as const;

/** Each file that reads texts, how often, and why. */
const readers: readonly (readonly [path: string, places: number, why: keyof typeof reasons])[] = [
  ['checks/accidental-destroy.ts', 3, 'excerpt'],
  ['checks/guards.ts', 3, 'alike'],
  ['checks/held-at-calls.ts', 1, 'excerpt'],
  ['checks/held-elsewhere.ts', 2, 'excerpt'],
  ['checks/held-through.ts', 1, 'excerpt'],
  ['checks/last-use-of-pool.ts', 1, 'alike'],
  ['checks/listener-leak.ts', 4, 'alike'],
  ['checks/listeners-at-acquire.ts', 1, 'prefilter'],
  ['checks/out-of-reach.ts', 1, 'path'],
  ['checks/pool-per-request.ts', 1, 'sql'],
  ['checks/release-code.ts', 1, 'excerpt'],
  ['checks/session/behind-pooler.ts', 2, 'sql'],
  ['checks/session/pooler-hints.ts', 1, 'sql'],
  ['checks/session/set-ups.ts', 1, 'prefilter'],
  ['checks/session/startup-parameters.ts', 1, 'prefilter'],
  ['checks/session/transaction-on-pool.ts', 3, 'excerpt'],
  ['checks/session/report-state.ts', 2, 'sql'],
  ['checks/shared-ends.ts', 2, 'prefilter'],
  ['checks/unheard-errors.ts', 3, 'excerpt'],
  ['lenses/find-routes.ts', 1, 'path'],
  ['lenses/held-spans.ts', 1, 'excerpt'],
  ['lenses/reads-like-sql.ts', 1, 'sql'],
  ['summaries/acquisitions.ts', 3, 'excerpt'],
  ['summaries/callback-lending.ts', 1, 'excerpt'],
  ['summaries/callback-lendings.ts', 2, 'excerpt'],
  ['summaries/helper-statements.ts', 1, 'alike'],
  ['summaries/passed-on.ts', 1, 'excerpt'],
  ['summaries/pool-parts.ts', 1, 'excerpt'],
  ['syntax/batches.ts', 1, 'prefilter'],
  ['syntax/excerpt.ts', 3, 'excerpt'],
  ['syntax/exports.ts', 1, 'prefilter'],
  ['typestate/cannot-reject.ts', 1, 'prefilter'],
  ['typestate/ends-process.ts', 1, 'path'],
  ['typestate/transfer.ts', 1, 'alike'],
  ['values/adapters.ts', 1, 'project'],
  ['values/binders.ts', 3, 'project'],
  ['values/choosy-resolver.ts', 1, 'prefilter'],
  ['values/generated-modules.ts', 1, 'prefilter'],
  ['values/shape-member.ts', 2, 'project'],
  ['values/pools/by-setting.ts', 1, 'path'],
  ['values/pools/declared-pools.ts', 1, 'alike'],
  ['values/pools/lifetime.ts', 2, 'prefilter'],
  ['values/pools/option-number.ts', 4, 'excerpt'],
  ['values/pools/request-handlers.ts', 1, 'path'],
  ['values/pools/ways-into.ts', 1, 'alike'],
  ['values/pools/ways-through.ts', 1, 'alike'],
  ['values/injected.ts', 6, 'project'],
  ['values/resolve-export.ts', 1, 'prefilter'],
  ['values/resolve-instance.ts', 1, 'path'],
  ['values/resolve-type.ts', 2, 'alike'],
  ['values/spoken-of.ts', 3, 'prefilter'],
  ['values/tested-pool.ts', 2, 'alike'],
  ['values/texts/session-texts.ts', 5, 'sql'],
];

const root = join(import.meta.dirname, '../../rules');
const rooms = ['checks', 'flow', 'lenses', 'summaries', 'syntax', 'typestate', 'values'];
const reading =
  /\btext\s*\.(?:slice|includes|startsWith|indexOf|lastIndexOf|matchAll|match|replace)\(|\.test\((?:\w+\.)*text\b/gu;

test('what reads the text of a program is listed, with its reason', () => {
  const found = rooms
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${room}/${path}`,
      ),
    )
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const places = readFileSync(join(root, path), 'utf8').match(reading)?.length ?? 0;
      return places === 0 ? [] : [`${path}: ${places}`];
    });
  expect(found.toSorted()).toEqual(
    readers.map(([path, places]) => `${path}: ${places}`).toSorted(),
  );
});

test('each reason is some reader’s', () => {
  const used = new Set(readers.map(([, , why]) => why));
  expect([...used].toSorted()).toEqual(Object.keys(reasons).toSorted());
});
