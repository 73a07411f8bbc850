import { expect, test } from 'vitest';
import type { PoolOptions } from './sample.ts';
import { connect, failsInUsing, noteEntity, throwsInUsing } from './samples/typeorm.ts';
import { openOn } from './stage.ts';

const sample = {
  async open(url: string, options: PoolOptions) {
    const source = await connect(url, options);
    return {
      source,
      write: (text: string) => source.manager.insert(noteEntity, { text }),
      end: () => source.destroy(),
    };
  },
};

test.for([
  { name: 'commits what a throw leaves undone', work: throwsInUsing, left: ['before', 'inner'] },
  { name: 'commits nothing where a statement has failed', work: failsInUsing, left: ['before'] },
])('`await using` of a query runner releases it and $name', async ({ work, left }) => {
  await using on = await openOn(sample, { max: 1 });
  await expect(work(on.handle.source)).rejects.toThrow();
  expect(await on.notes()).toEqual(left);
  expect(await on.states()).toEqual(['idle']);
});
