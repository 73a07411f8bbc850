import * as v from 'valibot';
import { text, type OutputOf } from '../../schema/fields.ts';

/** What a diagnostic of ours carries for our editor. */
const EvidenceData = v.object({
  /** `Evidence.key` */
  evidence: v.array(text),
  /** What to show of the evidence where the editor hides a finding that somebody else reports, too. */
  alone: v.array(
    v.object({
      code: text,
      message: text,
      /** 2 for a warning, 3 for information. */
      severity: v.picklist([2, 3]),
    }),
  ),
});
export type EvidenceData = OutputOf<typeof EvidenceData>;

const Carrier = v.fallback(v.object({ data: EvidenceData }), {
  data: { evidence: [], alone: [] },
});

/** Of a diagnostic that others may have made, or a server of another version. */
export function evidenceDataOf(diagnostic: unknown): EvidenceData {
  return v.parse(Carrier, diagnostic).data;
}
