import { oncePerFile } from './once-per-file.ts';

/** A cheap look at the text of a file: one without any such word has nothing to do with a database. */
export const speaksOfDatabase = oncePerFile(({ text }) =>
  /connect|client|pool|transaction|query|sql|postgres|database|(?<![a-z])(?:db|pg)(?![a-z])/i.test(
    text,
  ),
);
