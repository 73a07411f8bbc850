import { window } from 'vscode';
import type { StatementRequest } from '../../probe/request.ts';
import { readParameter } from '../../probe/workload/parameters.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import type { ProbeMemory } from './probe-memory.ts';
import { shapeOf, wordsBefore } from './statement-shape.ts';

const title = 'Probe pool size';

/** Asks for a statement, and for the values of its parameters; undefined when the user gave up. */
export async function askForStatement(
  memory: ProbeMemory,
  proposed = '',
): Promise<StatementRequest | undefined> {
  const typed = await window.showInputBox({
    title,
    prompt:
      'A read-only statement that the application sends often. Use $1, $2, … for values that vary.',
    // eslint-disable-next-line no-restricted-syntax -- an example that is shown, and never sent
    placeHolder: 'SELECT * FROM orders WHERE customer_id = $1',
    value: proposed,
    ignoreFocusOut: true,
    validateInput(text) {
      const shape = shapeOf(text);
      return text.trim() === '' || shape.kind === 'statement' ? undefined : shape.sentence;
    },
  });
  const text = typed?.trim();
  return text === undefined || text === '' ? undefined : askForValues(text, memory);
}

/** A statement with the values that were given for it last; they are asked for where there are none yet. */
export async function withKnownValues(
  text: string,
  memory: ProbeMemory,
): Promise<StatementRequest | undefined> {
  const shape = shapeOf(text);
  const parameters = memory.parametersOf(text);
  return shape.kind === 'statement' && parameters.length === shape.parameters
    ? { text, weight: 1, parameters }
    : askForValues(text, memory);
}

/** Asks for the value of each parameter of a statement. What was said last is proposed, and remembered. */
export async function askForValues(
  text: string,
  memory: ProbeMemory,
): Promise<StatementRequest | undefined> {
  const shape = shapeOf(text);
  if (shape.kind === 'refused')
    return void window.showInformationMessage(plainMessage(shape.sentence));
  const before = memory.parametersOf(text);
  const parameters: string[] = [];
  for (let number = 1; number <= shape.parameters; number += 1) {
    const value = await window.showInputBox({
      title: `${title}: value of $${number}${shape.parameters === 1 ? '' : ` (${number} of ${shape.parameters})`}`,
      prompt: plainMessage(
        `${wordsBefore(text, number)} · 42 is one value, 1..1000 a random number from 1 to 1000, a|b|c one of a list`,
      ),
      placeHolder: '42   1..1000   a|b|c',
      value: before[number - 1] ?? '',
      ignoreFocusOut: true,
      validateInput: problemOfValue,
    });
    if (value === undefined || value.trim() === '') return undefined;
    parameters.push(value.trim());
  }
  await memory.keepParameters(text, parameters);
  return { text, weight: 1, parameters };
}

/** A sentence about what is wrong with what was typed for a parameter. */
function problemOfValue(typed: string): string | undefined {
  if (typed.trim() === '')
    return "Enter a value, a range such as 1..1000, or a list such as a|b|c; '' is an empty string, null is NULL.";
  const read = readParameter(typed.trim());
  return read.kind === 'problem' ? read.sentence : undefined;
}
