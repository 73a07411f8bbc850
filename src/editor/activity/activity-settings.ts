import { Disposable, workspace } from 'vscode';
import type { IntervalSeconds } from '../../activity/snapshot.ts';
import { thresholdNames, toThresholds, type Thresholds } from '../../activity/thresholds.ts';
import { toThresholdKey } from '../../settings/settings.ts';
import { isAbout, readSetting } from '../read-settings.ts';
import type { LiveActivity } from './live-activity.ts';

/** Looks go on with what the settings say from now on. */
export function followSettings(live: LiveActivity): Disposable {
  return Disposable.from(
    workspace.onDidChangeConfiguration(
      (change) => isAbout(change, 'activity.intervalSeconds') && live.setInterval(readInterval()),
    ),
    workspace.onDidChangeConfiguration(
      (change) =>
        thresholdNames.some((name) => isAbout(change, toThresholdKey(name))) &&
        live.setThresholds(readThresholds()),
    ),
  );
}

/** Between two samples, as the settings say. */
export function readInterval(): IntervalSeconds {
  return readSetting('activity.intervalSeconds');
}

/** What deserves attention, as the settings say. */
export function readThresholds(): Thresholds {
  return toThresholds(
    Object.fromEntries(thresholdNames.map((name) => [name, readSetting(toThresholdKey(name))])),
  );
}
