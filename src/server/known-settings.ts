import { readSettings, type Settings } from '../settings/settings.ts';
import { toJson } from '../text/to-json.ts';

/** The editor's settings, each asked for once for as long as the editor announces changes. */
export interface KnownSettings {
  readonly of: (uri: string) => Promise<Settings>;
  /** To be called when the editor announces a change. Resolves to whether anything that was asked for is different now. */
  changed(): Promise<boolean>;
  forget(uri: string): void;
}

/**
 * @param ask gives the settings of a document or folder as the editor sends them
 * @param announcesChanges whether the editor agreed to; known after `initialize`
 */
export function createKnownSettings(
  ask: (uri: string) => Promise<unknown>,
  announcesChanges: () => boolean,
): KnownSettings {
  const known = new Map<string, Promise<Settings>>();
  const of = (uri: string): Promise<Settings> => {
    const before = known.get(uri);
    if (before !== undefined) return before;
    const settings = ask(uri).then(readSettings);
    if (announcesChanges()) known.set(uri, settings);
    settings.catch(() => known.get(uri) === settings && known.delete(uri));
    return settings;
  };
  return {
    of,
    async changed() {
      if (!announcesChanges()) return true;
      const before = [...known];
      known.clear();
      const differs = await Promise.all(
        before.map(async ([uri, settings]) => toJson(await settings) !== toJson(await of(uri))),
      );
      return differs.includes(true);
    },
    forget: (uri) => known.delete(uri),
  };
}
