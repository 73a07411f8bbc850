import { freshName, type Lines, type Printing } from './printing.ts';

export const secondCheckoutForms = [
  'query',
  'assigned',
  'connect',
  'helper',
  'helper of a helper',
] as const;
export type SecondCheckoutForm = (typeof secondCheckoutForms)[number];

/** Asks a pool for another client, which comes back in any case. */
export function printSecondCheckout(
  how: SecondCheckoutForm,
  site: number,
  printing: Printing,
): Lines {
  const query = queryOfPool(site);
  const other = freshName('other', printing);
  const asking = (name: string, body: string): string => {
    printing.helpers.set(name, `async function ${name}() { ${body} }`);
    return `${name}()`;
  };
  switch (how) {
    case 'query':
      return [query];
    case 'assigned':
      return [`const ${other} = ${query}`];
    case 'connect':
      return [
        `const ${other} = await pool${site}.connect();`,
        `try { await ${other}.query('SELECT 5'); } finally { ${other}.release(); }`,
      ];
    case 'helper':
      return [`await ${asking(`ask${site}`, query)};`];
    case 'helper of a helper': {
      const inner = asking(`ask${site}`, query);
      return [`await ${asking(`askLater${site}`, `await work(); return ${inner};`)};`];
    }
  }
}

export function queryOfPool(site: number): string {
  return `await pool${site}.query('SELECT 5');`;
}
