import type { AdviseResult } from '../../probe/advise/advise-result.ts';
import type { Sheet } from '../sheet.ts';
import { adviceSection } from './advice-section.ts';
import { placeOf } from './head.ts';
import { limitsSection } from './limits-section.ts';

/** Formulas and observation, without any load. */
export function adviseSheet({ server, advice, limits, notes }: AdviseResult): Sheet {
  return {
    title: 'Starting guesses for the pool size',
    place: server === null ? ['no server'] : placeOf(server),
    statements: [],
    verdict: {
      tone: 'neutral',
      title: 'Guesses only.',
      sentences: [
        'Nothing was measured. `poolguard probe` measures which size your statement needs.',
      ],
    },
    facts: [],
    snippets: [],
    sections: [...adviceSection(advice), ...limitsSection(limits, false)],
    errors: {},
    notes,
  };
}
