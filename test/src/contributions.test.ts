import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { checkCommands, commands, connectionRows, contextKeys, views } from '../../src/contributions.ts';
import { intervals } from '../../src/webview/messages.ts';

const { contributes } = manifest;

test('commands and views are spelled alike in the code and in package.json', () => {
  expect(contributes.commands.map(({ command }) => command).sort()).toEqual([...Object.values(commands), ...Object.values(checkCommands)].sort());
  expect(contributes.viewsContainers.activitybar.map(({ id }) => id)).toEqual([views.container]);
  expect(contributes.views.poolguard.map(({ id }) => id).sort()).toEqual([views.connections, views.pool].sort());
});

test('menus name commands, views, rows and context keys that exist', () => {
  const known: readonly string[] = [...Object.values(commands), ...Object.values(checkCommands), ...Object.values(views), ...Object.values(contextKeys), ...Object.values(connectionRows)];
  const texts = [...Object.values(contributes.menus).flat().flatMap(({ command, when }) => [command, when]), ...contributes.commands.map(({ enablement }) => enablement ?? '')];
  const named = texts.flatMap((text) => text.match(/poolguard[\w.]+/g) ?? []);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('the intervals of the setting are those of the pages', () => {
  expect(contributes.configuration.properties['poolguard.activity.intervalSeconds'].enum).toEqual([...intervals]);
});
