export type { Finding, PathStep, Place } from './analysis/finding.ts';
