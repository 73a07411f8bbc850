/** Does nothing: for whoever times the way to a server and back, or needs a pooler to lend a backend. */
export const nothingSql = 'SELECT 1';
