import type { SourceCode } from 'eslint';
import type { Scene } from './scene.ts';

// A cache, keyed by the source: a scene lives as long as its source.
const scenesBySource = new WeakMap<SourceCode, () => Scene>();

/** The scene of a source, which is made when somebody first asks for it. */
export function rememberScene(sourceCode: SourceCode, make: () => Scene): () => Scene {
  let scene: Scene | undefined;
  const sceneOnce = (): Scene => (scene ??= make());
  scenesBySource.set(sourceCode, sceneOnce);
  return sceneOnce;
}

/** What was followed in a source that a rule of this plugin has just been run on. */
export function sceneOf(sourceCode: SourceCode): Scene | undefined {
  return scenesBySource.get(sourceCode)?.();
}
