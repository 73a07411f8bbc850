import type { HostFiles } from '../host.ts';

/** The text of a file that an application that started at a time has run; undefined when the file was changed since. */
export type RanText = (path: string, startedAt: number) => Promise<string | undefined>;

/** Starts of applications whose texts are kept, so that what is edited later can be compared with what ran. */
const mostStarts = 20;

export function rememberRanTexts(textOf: HostFiles['textOf']): RanText {
  const starts = new Map<number, Map<string, Promise<string | undefined>>>();
  const read = async (path: string, startedAt: number): Promise<string | undefined> => {
    const now = await textOf(path);
    return now !== undefined && now.changedAt <= startedAt ? now.text : undefined;
  };
  return (path, startedAt) => {
    const texts = starts.get(startedAt) ?? new Map<string, Promise<string | undefined>>();
    starts.set(startedAt, texts);
    const [oldest] = starts.keys();
    if (starts.size > mostStarts && oldest !== undefined) starts.delete(oldest);
    const text = texts.get(path) ?? read(path, startedAt);
    texts.set(path, text);
    return text;
  };
}
