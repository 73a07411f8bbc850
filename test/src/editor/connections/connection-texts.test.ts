import { expect, test } from 'vitest';
import type { FoundConnection } from '../../../../src/connections/found-connection.ts';
import { Secret } from '../../../../src/database/secret.ts';
import type { ConnectionTarget } from '../../../../src/database/target.ts';
import { suggestName, toItems } from '../../../../src/editor/connections/connection-items.ts';
import { toRow } from '../../../../src/editor/connections/connection-row.ts';
import { plainLabel, plainMessage } from '../../../../src/editor/connections/plain-labels.ts';
import type { ConnectionState } from '../../../../src/webview/to-view.ts';
import { aTarget as target } from '../../../support/a-target.ts';

const remote: ConnectionTarget = { ...target, host: 'db.example.com', tls: 'verify' };

function found(change: Partial<FoundConnection> = {}): FoundConnection {
  return {
    target,
    secret: new Secret('hunter2'),
    isPooler: false,
    sources: [{ file: '.env', name: 'DATABASE_URL', folder: 'api' }],
    ...change,
  };
}

test('an offer names database, address, and where it was found; never a password', () => {
  const { found: items } = toItems(
    [found(), found({ target: remote, secret: null, isPooler: true })],
    [],
    false,
  );
  expect(items.map(({ label, description, detail }) => [label, description, detail])).toEqual([
    ['shop', 'app@localhost:5432', '.env · DATABASE_URL'],
    [
      'shop',
      'app@db.example.com:5432 · TLS verified · pooler · asks for a password',
      '.env · DATABASE_URL',
    ],
  ]);
  expect(JSON.stringify(toItems([found()], [], true))).not.toContain('hunter2');
});

test('folders are named when there are several, and sources are counted from the fourth on', () => {
  const sources = ['a', 'b', 'c', 'd'].map((name) => ({ file: '.env', name, folder: 'api' }));
  expect(toItems([found({ sources })], [], true).found[0]?.detail).toBe(
    '.env · a · api, .env · b · api, .env · c · api, and 1 more',
  );
});

test('names of files and databases are drawn as text', () => {
  expect(plainLabel('$(trash) a\u202Eb\nc')).toBe('\\$(trash) a\\u202eb c');
  expect(plainMessage('[click](command:workbench.action.quit) $(x)')).toBe(
    '[click] (command:workbench.action.quit) $ (x)',
  );
  expect(
    toItems([found({ target: { ...target, database: '$(alert)' } })], [], false).found[0]?.label,
  ).toBe('\\$(alert)');
});

test('a name that is taken is told apart by its place', () => {
  expect(suggestName(target, [], '.env')).toBe('shop');
  expect(suggestName(target, [{ name: 'shop', target: remote }], '.env')).toBe('shop (.env)');
});

const lost: ConnectionState = {
  kind: 'lost',
  label: '',
  sentence: 'Nothing listens there.',
  retryInMs: 1_500,
};

const rows: readonly (readonly [
  target: ConnectionTarget,
  state: ConnectionState | undefined,
  description: string,
  icon: string,
  color: string | undefined,
])[] = [
  [target, undefined, 'app@localhost:5432 · no TLS', 'database', undefined],
  [remote, undefined, 'app@db.example.com:5432 · TLS verified', 'lock', undefined],
  [
    { ...remote, tls: 'no-verify' },
    undefined,
    'app@db.example.com:5432 · TLS, not verified',
    'unlock',
    undefined,
  ],
  [{ ...remote, tls: 'off' }, undefined, 'app@db.example.com:5432 · no TLS', 'unlock', undefined],
  [
    remote,
    { kind: 'live', label: '' },
    'live · app@db.example.com:5432 · TLS verified',
    'lock',
    'charts.green',
  ],
  [
    remote,
    { kind: 'paused', label: '' },
    'paused · app@db.example.com:5432 · TLS verified',
    'lock',
    'charts.yellow',
  ],
  [target, lost, 'lost · app@localhost:5432 · no TLS', 'database', 'charts.red'],
];

test.each(rows)(
  'a row tells its protection and its state: %j %j',
  (place, state, description, icon, color) => {
    expect(toRow({ name: 'shop', target: place }, state)).toMatchObject({
      label: 'shop',
      description,
      icon,
      color,
    });
  },
);

test('a lost connection says why and when it is tried again', () => {
  expect(toRow({ name: 'shop', target }, lost).tooltip).toContain(
    '\nNothing listens there.\nRetrying in 2 s.',
  );
  expect(toRow({ name: 'shop', target }, { ...lost, retryInMs: null }).tooltip).toContain(
    'Poolguard does not retry.',
  );
});
