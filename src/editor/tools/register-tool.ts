import {
  Disposable,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  type CancellationToken,
  type PreparedToolInvocation,
} from 'vscode';
import { escapeHidden } from '../../text/hidden.ts';

export interface Tool {
  /** What is to be confirmed before it runs; undefined for a tool that only looks. */
  prepare?(): PreparedToolInvocation;
  /** Plain text; what hides in it is escaped before a model reads it. */
  run(input: unknown, token: CancellationToken): string | Promise<string>;
}

/** Offers a tool to language models; does nothing in an editor that has none. */
export function registerTool(name: string, tool: Tool): Disposable {
  const models = lm as Partial<typeof lm> | undefined;
  if (typeof models?.registerTool !== 'function') return new Disposable(() => undefined);
  return models.registerTool(name, {
    prepareInvocation: () => tool.prepare?.(),
    invoke: async ({ input }, token) =>
      new LanguageModelToolResult([
        new LanguageModelTextPart(escapeHidden(await tool.run(input, token))),
      ]),
  });
}
