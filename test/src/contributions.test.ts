import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import {
  allCommands,
  colors,
  connectionRows,
  contextKeys,
  tools,
  views,
  walkthrough,
} from '../../src/contributions.ts';
import { intervals } from '../../src/activity/snapshot.ts';

const { contributes } = manifest;

test('commands and views are spelled alike in the code and in package.json', () => {
  expect(contributes.commands.map(({ command }) => command).sort()).toEqual(
    [...allCommands].sort(),
  );
  expect(contributes.viewsContainers.activitybar.map(({ id }) => id)).toEqual([views.container]);
  expect(contributes.views.poolguard.map(({ id }) => id).sort()).toEqual(
    Object.values(views)
      .filter((id) => id !== views.container)
      .sort(),
  );
});

test('each view has one action beside its title at a time, and that has an icon', () => {
  const icons = new Map(
    contributes.commands.map((each) => [each.command, 'icon' in each ? each.icon : undefined]),
  );
  const isOn = (when: string, context: readonly string[]): boolean =>
    when.split(' && ').every((part) => {
      if (part.startsWith('view == ') || part.startsWith('(')) return true;
      return part.startsWith('!') ? !context.includes(part.slice(1)) : context.includes(part);
    });
  for (const { id } of contributes.views.poolguard)
    for (const context of [[], [contextKeys.connected], [contextKeys.probing]]) {
      const shown = contributes.menus['view/title'].filter(
        ({ when, group }) =>
          when.startsWith(`view == ${id}`) && group === 'navigation' && isOn(when, context),
      );
      expect(shown.map(({ command }) => icons.get(command))).toEqual([
        expect.stringMatching(/^\$\([\w-]+\)$/),
      ]);
    }
});

test('colours are spelled alike, and every kind of theme has them', () => {
  expect(contributes.colors.map(({ id }) => id).sort()).toEqual(Object.values(colors).sort());
  for (const { defaults } of contributes.colors)
    expect(Object.keys(defaults)).toEqual(['dark', 'light', 'highContrast', 'highContrastLight']);
});

test('menus name commands, views, rows and context keys that exist', () => {
  const known: readonly string[] = [
    ...allCommands,
    ...Object.values(views),
    ...Object.values(contextKeys),
    ...Object.values(connectionRows),
  ];
  const texts = [
    ...Object.values(contributes.menus)
      .flat()
      .flatMap(({ command, when }) => [command, when]),
    ...contributes.commands.map(({ enablement }) => enablement ?? ''),
  ];
  const named = texts.flatMap((text) => text.match(/poolguard[\w.]+/g) ?? []);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('the intervals of the setting are those of the pages', () => {
  expect(contributes.configuration.properties['poolguard.activity.intervalSeconds'].enum).toEqual([
    ...intervals,
  ]);
});

test('the walkthrough and the tools are spelled alike, and each step has a command that exists', () => {
  const { id, steps } = contributes.walkthroughs[0] ?? { id: '', steps: [] };
  expect(steps).toHaveLength(4);
  expect(`${manifest.publisher}.${manifest.name}#${id}`).toBe(walkthrough);
  const known: readonly string[] = [...allCommands, ...Object.values(contextKeys)];
  const named = steps.map(({ description }) => description.match(/(?<=command:)[\w.]+/g) ?? []);
  expect(named.filter((names) => names.length === 0)).toEqual([]);
  const events = steps.flatMap(({ completionEvents }) =>
    completionEvents.map((event) => event.split(':')[1] ?? ''),
  );
  expect([...named.flat(), ...events].filter((name) => !known.includes(name))).toEqual([]);
  expect(contributes.languageModelTools.map(({ name }) => name).sort()).toEqual(
    Object.values(tools).sort(),
  );
});

test('a tool takes what its schema names and nothing else', () => {
  expect(
    contributes.languageModelTools.map(({ inputSchema }) => inputSchema.additionalProperties),
  ).toEqual([false, false, false]);
});
