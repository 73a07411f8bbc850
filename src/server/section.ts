/** The section of the settings, and the source of every diagnostic. */
export const section = 'poolguard';
