/** The section of the settings, and the source of every diagnostic. */
export const section = 'poolguard';

/** The source of what running applications show, beside findings: so that everybody sees who says so. */
export const evidenceSource = 'Poolguard (running app)';
