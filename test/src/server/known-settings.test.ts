import { expect, it } from 'vitest';
import { createKnownSettings } from '../../../src/server/known-settings.ts';

const off = { lint: { enable: false } };

function asked(announcesChanges: boolean) {
  const editor = { settings: {} as object | Error, requests: 0 };
  const known = createKnownSettings(
    () => {
      editor.requests += 1;
      return editor.settings instanceof Error
        ? Promise.reject(editor.settings)
        : Promise.resolve(editor.settings);
    },
    () => announcesChanges,
  );
  const isOn = async (): Promise<boolean> => (await known.of('file:///a.ts'))['lint.enable'];
  return { editor, known, isOn };
}

it('an editor that announces changes is asked once', async () => {
  const { editor, known, isOn } = asked(true);
  expect([await isOn(), await isOn()]).toEqual([true, true]);
  expect(editor.requests).toBe(1);
  editor.settings = off;
  expect(await isOn()).toBe(true);
  expect(await known.changed()).toBe(true);
  expect(await isOn()).toBe(false);
  expect(editor.requests).toBe(2);
});

it('an announcement that changes nothing is none', async () => {
  const { known, isOn } = asked(true);
  expect(await known.changed()).toBe(false);
  await isOn();
  expect(await known.changed()).toBe(false);
});

it('an editor that announces nothing is asked each time, and whatever it says counts as news', async () => {
  const { editor, known, isOn } = asked(false);
  await isOn();
  editor.settings = off;
  expect(await isOn()).toBe(false);
  expect(await known.changed()).toBe(true);
});

it('a request that failed is made again', async () => {
  const { editor, isOn } = asked(true);
  editor.settings = new Error('The editor is busy.');
  await expect(isOn()).rejects.toThrow('busy');
  editor.settings = off;
  expect(await isOn()).toBe(false);
});

it('what belongs to a closed document is asked for again', async () => {
  const { editor, known, isOn } = asked(true);
  await isOn();
  known.forget('file:///a.ts');
  editor.settings = off;
  expect(await isOn()).toBe(false);
});
