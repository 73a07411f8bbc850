/** Evidence as a diagnostic of its own, with the severity as the editor counts it. */
interface EvidenceAlone {
  readonly code: string;
  readonly message: string;
  /** 1 for a warning, 2 for information: the protocol counts from 1, the editor from 0. */
  readonly severity: 1 | 2;
  readonly data: { readonly evidence: unknown };
}

/** What a finding carries of run time, for when the finding itself is hidden. The shape is `EvidenceData` of the language server. */
export function aloneIn(diagnostic: object): readonly EvidenceAlone[] {
  const data = (diagnostic as { readonly data?: unknown }).data;
  if (typeof data !== 'object' || data === null || !('alone' in data) || !Array.isArray(data.alone))
    return [];
  const evidence = 'evidence' in data ? data.evidence : [];
  return data.alone.map(
    ({
      code,
      message,
      severity,
    }: {
      readonly code: string;
      readonly message: string;
      readonly severity: number;
    }) => ({ code, message, severity: severity === 2 ? 1 : 2, data: { evidence } }),
  );
}
