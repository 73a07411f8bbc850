/** The attributes that a person reads or hears. */
const spoken = /\b(?:alt|aria-(?:description|label)|heading|label|placeholder|title)="([^"]*)"/gu;

/** What a person reads of a template of HTML: the text between its tags, and the attributes that are shown or spoken. */
export function proseOfHtml(html: string): readonly string[] {
  const attributes = [...html.matchAll(spoken)].map((match) => match[1] ?? '');
  const between = html.replace(/<!--[\s\S]*?-->/gu, '').split(/<[^<>]*>/gu);
  return [...between, ...attributes].map((text) => text.replace(/\s+/gu, ' ').trim());
}
