import { prefix } from '../../lint/analyser.ts';
import type { ConfiguredRule } from '../host.ts';
import type { ConfigAnswer } from './messages.ts';

const pluginName = 'eslint-plugin-poolguard';
const ownNamespace = prefix.slice(0, -1);
const severities = ['off', 'warn', 'error'] as const;

// Not by a schema: this runs in a process of the workspace's own ESLint, as a bundle of 1.4 kB, of which valibot would make several times as much.

export type ReducedConfig = Extract<ConfigAnswer, { kind: 'configured' }>['configurations'][number];

/**
 * What an ESLint configuration, as `ESLint.calculateConfigForFile` gives it, says about our rules. Users may register the plugin under
 * another name; then its rules are told by that, and come back as `poolguard/<rule>` here. A file that no configuration is for has none.
 */
export function reduceConfig(config: unknown): ReducedConfig {
  const { plugins, rules, settings } = fieldsOf(config);
  const names = Object.entries(fieldsOf(plugins)).flatMap(([name, plugin]) =>
    isOurs(name, plugin) ? [`${name}/`] : [],
  );
  const ours = Object.fromEntries(
    Object.entries(fieldsOf(rules)).flatMap(([id, entry]) => {
      const name = names.find((each) => id.startsWith(each));
      const rule = name === undefined ? undefined : toRule(entry);
      return name === undefined || rule === undefined
        ? []
        : [[`${prefix}${id.slice(name.length)}`, rule]];
    }),
  );
  const said = fieldsOf(settings)[ownNamespace];
  return { rules: ours, ...(said === undefined ? {} : { settings: said }) };
}

function isOurs(name: string, plugin: unknown): boolean {
  const told = fieldsOf(fieldsOf(plugin)['meta'])['name'];
  return told === pluginName || (told === undefined && name === ownNamespace);
}

function toRule(entry: unknown): ConfiguredRule | undefined {
  const [told, ...options] = Array.isArray(entry) ? (entry as unknown[]) : [entry];
  const severity = severities.find((name, level) => told === name || told === level);
  return severity === undefined ? undefined : { severity, options };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
