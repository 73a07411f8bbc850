/** Cuts a chunk of terminal input into keys: arrows and the like arrive as an escape sequence, whose letters are no keys. */
export function keysOf(text: string): readonly string[] {
  return text.match(/\u001B(?:\[[0-?]*[ -/]*[@-~]|O[@-~])?|[^]/gu) ?? [];
}
