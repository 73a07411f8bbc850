import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toHtml } from '../../src/editor/pages/page-html.ts';
import { parseFromView, viewActions } from '../../src/webview/from-view.ts';
import { sessionActions } from '../../src/webview/messages.ts';
import { parseFromPoolerPage } from '../../src/webview/from-pooler-page.ts';

const pages = ['sidebar', 'sessions-panel', 'pooler-panel'] as const;

function htmlOf(script: string): string {
  return toHtml(
    { script, element: `poolguard-${script}`, title: 'Pool' },
    {
      script: 'https://files.example/x.js',
      style: 'https://files.example/page.css',
      source: 'https://files.example',
      nonce: 'n0nce',
    },
  );
}

test.each(pages)(
  'the page %s may run its one bundle, and load nothing from anywhere else',
  (script) => {
    const html = htmlOf(script);
    const policy =
      /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1]?.split('; ') ?? [];
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'nonce-n0nce'",
      'style-src https://files.example',
      'font-src https://files.example',
      'img-src https://files.example',
    ]);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/unsafe-|\bon\w+=|<style|style=|javascript:/);
  },
);

test.each(pages)('the bundle of %s makes no code of text and asks no network', (script) => {
  const bundle = readFileSync(`dist/webview/${script}.js`, 'utf8');
  expect(bundle.length).toBeGreaterThan(10_000);
  expect(
    bundle.match(
      /\beval\(|new Function\(|\bfetch\(|XMLHttpRequest|WebSocket|importScripts|sendBeacon|document\.write\(/g,
    ),
  ).toBeNull();
});

const large = 'x'.repeat(5_000_000);
const nested: unknown = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);

const nonsense: readonly unknown[] = [
  undefined,
  null,
  0,
  '',
  'terminate',
  [],
  [['terminate']],
  nested,
  {},
  { kind: null },
  { kind: ['session'] },
  { kind: { toString: () => 'pause' } },
  { kind: '__proto__' },
  { kind: 'constructor' },
  { kind: 'toString' },
  { kind: 'hasOwnProperty' },
  { kind: large },
  { kind: 'session', action: '__proto__', key: 'a' },
  { kind: 'session', action: 'terminate' },
  { kind: 'session', action: 'terminate', key: { toString: () => '4711' } },
  { kind: 'session', action: ['terminate'], key: '4711' },
  { kind: 'interval', seconds: Number.MIN_VALUE },
  { kind: 'interval', seconds: '1' },
  { kind: 'open', section: '../../etc' },
  { kind: 'export', to: '/etc/passwd', list: {} },
  {
    kind: 'export',
    to: 'file',
    list: { filter: large, hidesIdle: true, order: { column: 'pid', isDescending: true } },
  },
  {
    kind: 'export',
    to: 'file',
    list: { filter: '', hidesIdle: true, order: { column: '__proto__', isDescending: true } },
  },
  { kind: 'code-place', key: 7 },
  { kind: 'pool', action: 'terminate', key: 'a' },
  { kind: 'command:workbench.action.terminal.sendSequence' },
];

test('a message that is none of ours is none, whatever it is', () => {
  expect(
    nonsense.map((value) => parseFromView(value)).filter((each) => each !== undefined),
  ).toEqual([]);
  expect(
    nonsense.map((value) => parseFromPoolerPage(value)).filter((each) => each !== undefined),
  ).toEqual([]);
});

test('no message names a process, a statement, an address or a path: only what the host itself has shown', () => {
  const carried = sessionActions.map((action) =>
    parseFromView({
      kind: 'session',
      action,
      key: '4711 2026',
      pid: 1,
      sql: 'DROP TABLE x',
      confirmed: true,
      path: '/etc/passwd',
    }),
  );
  expect(carried).toEqual(
    sessionActions.map((action) => ({ kind: 'session', action, key: '4711 2026' })),
  );
  expect(
    viewActions.map((kind) => parseFromView({ kind, pid: 1, target: 'postgres://evil', sql: 'x' })),
  ).toEqual(viewActions.map((kind) => ({ kind })));
});

test('ending a session is a command that asks the user, wherever it is asked for', () => {
  const answers = readFileSync('src/editor/pages/answer-page.ts', 'utf8');
  expect(answers).toMatch(
    /terminate: \(session\) =>\s+editorCommands\.executeCommand\(sessionCommands\.terminateSession, sessionKey\(session\)\)/,
  );
  expect(answers).not.toMatch(/endSession|endThrough/);
});
