import type { Connection } from 'vscode-languageserver';
import * as v from 'valibot';
import { version } from '../../package.json';
import { stackOf } from '../database/secret.ts';
import { whatIsWrong } from '../schema/what-is-wrong.ts';
import type { Question } from './protocol.ts';

/** Answers a question in the server, which reads what is asked. The editor goes on without an answer that fails, so that the log tells where. */
export function answer<Asked, Answer>(
  connection: Connection,
  { method }: Question<Asked, Answer>,
  asked: v.GenericSchema<unknown, Asked>,
  reply: (asked: Asked) => Answer | Promise<Answer>,
): void {
  connection.onRequest(method, async (given: unknown): Promise<unknown> => {
    const read = v.safeParse(asked, given, { abortEarly: true });
    if (!read.success)
      throw new Error(
        `${whatIsWrong(read.issues)}. Use version ${version} of the editor extension.`,
      );
    try {
      return await reply(read.output);
    } catch (failure) {
      connection.console.error(`${method}: ${stackOf(failure)}`);
      throw failure;
    }
  });
}
