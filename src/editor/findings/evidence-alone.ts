import { evidenceDataOf } from '../../server/evidence/evidence-data.ts';

/** Evidence as a diagnostic of its own, with the severity as the editor counts it. */
interface EvidenceAlone {
  readonly code: string;
  readonly message: string;
  /** 1 for a warning, 2 for information: the protocol counts from 1, the editor from 0. */
  readonly severity: number;
  readonly data: { readonly evidence: readonly string[] };
}

/** What a finding carries of run time, for when the finding itself is hidden. */
export function aloneIn(diagnostic: object): readonly EvidenceAlone[] {
  const { evidence, alone } = evidenceDataOf(diagnostic);
  return alone.map((each) => ({ ...each, severity: each.severity - 1, data: { evidence } }));
}
