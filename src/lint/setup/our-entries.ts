import type { CodeStyle } from './code-style.ts';
import type { SetupFacts } from './setup-answer.ts';

export const pluginName = 'eslint-plugin-poolguard';

/** Files that ESLint lints only when a configuration names them. */
const typescriptFiles = '**/*.{ts,tsx,mts,cts}';

/** What goes into the list of configurations: the preset, and which pooler there is when that was set. */
export function entriesOf(
  { preset, pooler }: Pick<SetupFacts, 'preset' | 'pooler'>,
  local: string,
  { quote }: Pick<CodeStyle, 'quote'>,
): string[] {
  const chosen =
    preset === 'transaction-pooling'
      ? `${local}.configs[${quote}${preset}${quote}]`
      : `${local}.configs.${preset}`;
  return [
    chosen,
    ...(pooler === ''
      ? []
      : [`{ settings: { poolguard: { pooler: ${quote}${pooler}${quote} } } }`]),
  ];
}

/** A configuration with nothing but our plugin; TypeScript is in it when something that parses it is installed. */
export function newConfiguration(facts: SetupFacts): string {
  const isCommonJs = facts.fileName.endsWith('.cjs') || facts.fileName.endsWith('.cts');
  const parser = facts.typescript === null ? undefined : parserOf(facts.typescript);
  const modules = [
    ['poolguard', pluginName],
    ...(parser === undefined ? [] : [[parser.local, parser.module]]),
  ];
  const entries = [
    ...(parser === undefined
      ? []
      : [`{ files: ['${typescriptFiles}'], languageOptions: { parser: ${parser.expression} } }`]),
    ...entriesOf(facts, 'poolguard', { quote: "'" }),
  ];
  const taken = modules.map(([local, module]) =>
    isCommonJs
      ? `const ${local} = require('${module}')${module === pluginName ? '.default' : ''};`
      : `import ${local} from '${module}';`,
  );
  return [
    ...taken,
    '',
    isCommonJs ? 'module.exports = [' : 'export default [',
    ...entries.map((entry) => `  ${entry},`),
    '];',
    '',
  ].join('\n');
}

function parserOf(name: NonNullable<SetupFacts['typescript']>): {
  readonly local: string;
  readonly module: string;
  readonly expression: string;
} {
  return name === 'typescript-eslint'
    ? { local: 'tseslint', module: name, expression: 'tseslint.parser' }
    : { local: 'tsParser', module: name, expression: 'tsParser' };
}
