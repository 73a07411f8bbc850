import { dirname } from 'node:path';
import type { Configured, ConfiguredRules } from '../host.ts';
import { nothingConfigured } from '../host.ts';
import { isWithin } from '../path-of-document.ts';
import {
  createConfigProcess,
  type ConfigProcess,
  type ConfigProcessOptions,
} from './config-process.ts';
import { findConfig, type FoundConfig } from './find-config.ts';
import type { ConfigAnswer } from './messages.ts';

export interface ConfiguredRulesOptions extends ConfigProcessOptions {
  readonly log: (sentence: string) => void;
}

/** What the workspace's ESLint says about our rules, asked once a file and again when the configuration has changed. */
export interface EslintConfiguration {
  of(path: string, folder: string): Configured;
  forgetFiles(): void;
  dispose(): void;
}

interface Answered {
  readonly state: string;
  readonly rules: ConfiguredRules;
}

/** The ESLint of one workspace folder. */
interface FolderProcess {
  readonly process: ConfigProcess;
  /** The state of each configuration that it has loaded: Node loads a module once. */
  readonly loaded: Map<string, string>;
}

const noConfig: Configured = { known: nothingConfigured };

export function createEslintConfiguration(options: ConfiguredRulesOptions): EslintConfiguration {
  const configs = new Map<string, FoundConfig | undefined>();
  const answers = new Map<string, Answered>();
  const pending = new Map<string, Promise<ConfiguredRules>>();
  const broken = new Set<string>();
  const processes = createFolderProcesses(options);

  const configOf = (folder: string) => {
    if (!configs.has(folder)) configs.set(folder, findConfig(folder));
    return configs.get(folder);
  };
  const note = (
    path: string,
    { file, state }: FoundConfig,
    answer: ConfigAnswer,
  ): ConfiguredRules => {
    const rules =
      answer.kind === 'configured'
        ? (answer.configurations[answer.chosen[0] ?? 0]?.rules ?? nothingConfigured)
        : nothingConfigured;
    if (answer.kind === 'broken' && !broken.has(state)) {
      broken.add(state);
      options.log(
        `ESLint's configuration ${file} could not be loaded, so Poolguard's own settings apply: ${answer.sentence.replace(/\.?$/u, '.')} It is loaded again when it changes.`,
      );
    }
    answers.set(path, { state, rules });
    return rules;
  };
  const ask = async (
    path: string,
    folder: string,
    config: FoundConfig,
  ): Promise<ConfiguredRules> => {
    const answer = await processes
      .of(folder, config)
      .ask({ paths: [path], folder: workingFolder(folder, config) });
    pending.delete(`${path} ${config.state}`);
    return note(path, config, answer);
  };
  return {
    of(path, folder) {
      const config = configOf(dirname(path));
      if (config === undefined || broken.has(config.state)) return noConfig;
      const before = answers.get(path);
      if (before?.state === config.state) return { known: before.rules };
      const key = `${path} ${config.state}`;
      const coming = pending.get(key) ?? ask(path, folder, config);
      pending.set(key, coming);
      return { ...(before === undefined ? {} : { known: before.rules }), coming };
    },
    forgetFiles: () => {
      configs.clear();
    },
    dispose: () => {
      processes.end();
    },
  };
}

/** As the ESLint extension has it by default: the folder of the nearest configuration in the workspace folder, which is where ESLint 9 looks. */
function workingFolder(folder: string, { file }: FoundConfig): string {
  return isWithin(folder, file) ? dirname(file) : folder;
}

function createFolderProcesses(options: ConfigProcessOptions): {
  of(folder: string, config: FoundConfig): ConfigProcess;
  end(): void;
} {
  const known = new Map<string, FolderProcess>();
  const start = (folder: string): FolderProcess => {
    const started = { process: createConfigProcess(options), loaded: new Map<string, string>() };
    known.set(folder, started);
    return started;
  };
  return {
    of(folder, { file, state }) {
      const before = known.get(folder);
      const isOutdated = before !== undefined && (before.loaded.get(file) ?? state) !== state;
      if (isOutdated) before.process.retire();
      const current = before === undefined || isOutdated ? start(folder) : before;
      current.loaded.set(file, state);
      return current.process;
    },
    end: () => {
      for (const { process } of known.values()) process.end();
    },
  };
}
