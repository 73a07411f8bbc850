import * as v from 'valibot';

/** For statements of a test, which knows what their rows are. */
export const anyRow = v.any();
