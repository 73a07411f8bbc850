import { expect, test } from 'vitest';
import { findingCommands } from '../../../../src/contributions.ts';
import { OfferedPath } from '../../../../src/editor/findings/offered-path.ts';

const documentAt = (path: string) => ({ uri: { toString: () => `file://${path}` } }) as never;
const orders = documentAt('/shop/orders.ts');

function showing(...lines: readonly number[]) {
  const places = lines.map((line) => ({
    uri: 'file:///shop/orders.ts',
    range: { start: { line, character: 2 }, end: { line, character: 9 } },
  }));
  const title = 'Show the path of this client';
  return {
    places,
    action: { title, command: { title, command: findingCommands.showPath, arguments: [places] } },
  };
}

test('a single path is kept, and its command has no arguments that the editor could forget', () => {
  const path = new OfferedPath();
  const { places, action } = showing(6, 8);
  const disable = {
    title: 'Disable',
    command: { title: 'Disable', command: 'other', arguments: [1] },
  };
  path.keep(orders, [disable, action]);
  expect(action.command).not.toHaveProperty('arguments');
  expect(disable.command.arguments).toEqual([1]);
  expect(path.of(orders)).toEqual(places);
  path.keep(orders, [disable]);
  path.keep(orders, null);
  expect(path.of(orders)).toEqual(places);
  expect(path.of(documentAt('/shop/users.ts'))).toEqual([]);
  expect(path.of(undefined)).toEqual([]);
});

test('several paths at one place keep their own arguments', () => {
  const path = new OfferedPath();
  const [one, other] = [showing(6), showing(7)];
  path.keep(orders, [one.action, other.action]);
  expect([one.action.command.arguments, other.action.command.arguments]).toEqual([
    [one.places],
    [other.places],
  ]);
  expect(path.of(orders)).toEqual([]);
});
