import type {
  Advice,
  AdviseResult,
  ObservedLoad,
  StartingGuess,
} from '../../probe/advise/advice.ts';
import { field, type Field, minor, type Section, type Report, tableOf } from '../report.ts';
import { formatFigure } from '../units.ts';
import { placeOf } from './head.ts';
import { limitsSection } from './limits-section.ts';

/** Formulas and observation, without any load. */
export function adviseReport({ server, advice, limits, notes }: AdviseResult): Report {
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

const fields: readonly Field<StartingGuess>[] = [
  field('formula', 'formula', 'text', ({ name }) => name),
  field('size', 'size', 'count', ({ size }) => size),
  field('arithmetic', 'how', 'text', ({ arithmetic }) => arithmetic),
  minor('source', 'source', 'text', ({ source }) => source),
];

/** What formulas and the server's own statistics say: guesses, labelled as such. */
export function adviceSection({ guesses, observed }: Advice): readonly Section[] {
  if (guesses.length === 0 && observed === null) return [];
  return [
    {
      title: 'Starting guesses',
      ...(guesses.length === 0
        ? {}
        : { tables: [tableOf('What formulas answer without measuring', fields, guesses)] }),
      sentences: [
        ...(guesses.length === 0
          ? []
          : ['Formulas know the machine, not the statement; they are here to compare with.']),
        ...(observed === null ? [] : [describeObserved(observed)]),
      ],
    },
  ];
}

function describeObserved({ busyShare, meanActive, since }: ObservedLoad): string {
  const from = since === null ? 'Since its statistics began' : `Since ${since.slice(0, 10)}`;
  const spent = `of the time in transactions ${formatFigure(busyShare, 'share')} was spent in statements, the rest with a client held and idle.`;
  return meanActive === null
    ? `${from}, ${spent}`
    : `${from} the server has seen ${formatFigure(meanActive, 'rate')} sessions at work at a time on average; ${spent}`;
}
