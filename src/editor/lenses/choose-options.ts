import { window, type QuickPickItem } from 'vscode';
import type { PoolOptionValues } from '../../server/asked.ts';
import type { PoolDeclaration } from '../../server/protocol.ts';
import { plainLabel, plainMessage } from '../connections/plain-labels.ts';
import type { LastProbe } from '../live-figures.ts';
import { optionChoices, readOptionNumber, type OptionChoice } from './option-choice.ts';

interface OptionItem extends QuickPickItem {
  readonly choice: OptionChoice;
}

const title = 'Write pool options';

/** Which options to write, and then a number for each; undefined when the user gave up. */
export async function chooseOptions(
  pool: PoolDeclaration,
  lastProbe: LastProbe | undefined,
): Promise<PoolOptionValues | undefined> {
  const chosen = await window.showQuickPick(optionChoices(pool, lastProbe).map(toItem), {
    title,
    placeHolder: 'Options to write to the code',
    canPickMany: true,
  });
  if (chosen === undefined || chosen.length === 0) return undefined;
  const values: Partial<Record<keyof PoolOptionValues, number>> = {};
  for (const { choice } of chosen) {
    const value = await askForNumber(choice);
    if (value === undefined) return undefined;
    values[choice.option] = value;
  }
  return values;
}

function toItem(choice: OptionChoice): OptionItem {
  const { option, proposed, now, because, isAdvised } = choice;
  return {
    label: `${option}: ${proposed}`,
    description: plainLabel(`now: ${now}`),
    detail: plainLabel(because),
    picked: isAdvised,
    choice,
  };
}

async function askForNumber(choice: OptionChoice): Promise<number | undefined> {
  const typed = await window.showInputBox({
    title: `${title}: ${choice.option}`,
    prompt: plainMessage(choice.because),
    value: String(choice.proposed),
    validateInput: (text) => {
      const read = readOptionNumber(text, choice);
      return typeof read === 'string' ? read : undefined;
    },
  });
  const read = typed === undefined ? undefined : readOptionNumber(typed, choice);
  return typeof read === 'number' ? read : undefined;
}
