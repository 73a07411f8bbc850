import { expect, it } from 'vitest';
import { aloneIn } from '../../../../src/editor/findings/evidence-alone.ts';

it('what was seen at run time stays when its finding is hidden, with the severity as the editor counts it', () => {
  const alone = [
    { code: 'held-at-run-time', message: 'Out.', severity: 3 },
    { code: 'double-release-at-run-time', message: 'Twice.', severity: 2 },
  ];
  expect(aloneIn({ data: { evidence: ['key'], alone } })).toEqual([
    { code: 'held-at-run-time', message: 'Out.', severity: 2, data: { evidence: ['key'] } },
    {
      code: 'double-release-at-run-time',
      message: 'Twice.',
      severity: 1,
      data: { evidence: ['key'] },
    },
  ]);
});

it.each([[{}], [{ data: null }], [{ data: 'text' }], [{ data: { alone: 3 } }]])(
  'a finding without evidence leaves nothing: %o',
  (diagnostic) => {
    expect(aloneIn(diagnostic)).toEqual([]);
  },
);
