import { forbiddenIn } from './forbidden-words.ts';

const longestFirstSentence = 120;
const longestSuggestion = 80;

/** A message's sentences; what stands in code and quotations ends none. */
export function sentencesOf(message: string): readonly string[] {
  const veiled = message.replace(/`[^`]*`|"[^"]*"|'[^' ]*'/gu, (quoted) =>
    'x'.repeat(quoted.length),
  );
  const ends = [...veiled.matchAll(/[.?!](?= [A-Z`x{]|$)/gu)].map(({ index }) => index + 1);
  return ends.map((end, index) => message.slice(ends[index - 1] ?? 0, end).trim());
}

/** What is wrong with the wording of a finding's message: the harm in one short sentence, then the cure. */
export function faultsInMessage(message: string): readonly string[] {
  const [harm, cure] = sentencesOf(message);
  return [
    ...forbiddenIn(message),
    ...(harm === undefined ? ['no sentence ends'] : []),
    ...(harm !== undefined && harm.length > longestFirstSentence
      ? [`the first sentence has ${harm.length} characters: ${harm}`]
      : []),
    ...(/^(?:When|Where|If|As|While|Because)\b/u.test(message) ? ['begins with a clause'] : []),
    ...(cure === undefined ? ['no cure'] : []),
    ...(cure !== undefined && !imperative.test(cure) ? [`the cure is no imperative: ${cure}`] : []),
    ...(/\.$/u.test(message) ? [] : ['no full stop at the end']),
    ...(/\{\{|undefined/u.test(message) ? ['a value is missing'] : []),
  ];
}

/** What is wrong with the title of a suggestion: a short imperative. */
export function faultsInSuggestion(title: string): readonly string[] {
  return [
    ...forbiddenIn(title),
    ...(title.length > longestSuggestion ? [`${title.length} characters`] : []),
    ...(imperative.test(title) ? [] : ['no imperative']),
    ...(/\.$/u.test(title) ? [] : ['no full stop at the end']),
  ];
}

/** With which verbs cures and suggestions begin. */
export const imperative =
  /^(?:Add|Await|Call|Check out|Close|Commit|Create|Destroy|End|Keep|Leave|Let|LISTEN|Make|Move|Omit|Pass|Query|Read|Release|Remove|Return|Roll|Run|Send|Set|Start|Store|Use|Wrap|Write)\b/u;
