import type { SourceCode } from 'eslint';
import type { Scene } from './scene.ts';

// A cache, keyed by the source: a scene lives as long as its source.
const scenesBySource = new WeakMap<SourceCode, Scene>();

export function rememberScene(sourceCode: SourceCode, scene: Scene): void {
  scenesBySource.set(sourceCode, scene);
}

/** What was followed in a source that a rule of this plugin has just been run on. */
export function sceneOf(sourceCode: SourceCode): Scene | undefined {
  return scenesBySource.get(sourceCode);
}
