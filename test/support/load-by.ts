import type { HttpLoad, LoadOrder, LoadTool } from '../../src/sweep/load/load-tool.ts';

/** What a tool tells of four users with pauses, for so many seconds, unless `change` says otherwise. Throws where the tool has a problem. */
export async function loadBy(
  tool: LoadTool,
  seconds: number,
  url: string,
  change: Partial<LoadOrder> = {},
): Promise<HttpLoad> {
  const answer = await tool.run({
    request: { url, method: 'GET', headers: {}, body: null },
    stages: [
      { seconds: 0, users: 4 },
      { seconds, users: 4 },
    ],
    thinkMs: 50,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...change,
  });
  if (answer.kind === 'problem') throw new Error(answer.sentence);
  return answer.load;
}
