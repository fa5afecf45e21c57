import { answerSourceOf } from '../../mock/documented/answer-source.ts';
import { createLog } from '../../mock/log.ts';
import { parseConfig } from '../../mock/settings/config.ts';
import { openTwin, type Twin } from '../../mock/twin.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { countState, type StateCounts } from './count-state.ts';
import { describesAnswer, judgeAnswer } from './judge-answer.ts';
import { noAnswer, send } from './send.ts';
import { createToCall } from './to-call.ts';

/** The results for one document: a twin was started, and each operation called once. */
export type Trial = StateCounts & {
  /** The version that the document is written in. */
  version: string;
  operations: number;
  /** Operations that the document describes no response of. */
  undescribed: number;
  warnings: number;
  /** How often each status was answered; 0 stands for an operation without an example call. */
  statuses: ReadonlyMap<number, number>;
  /** The operations that were answered with 500 or more, 501 and what is described aside. */
  failed: string[];
  /** Operations of which the document says how they answer. */
  answerable: number;
  /** Operations whose response is wrong, each with the reason. */
  wrong: string[];
};

/** Serves a document and calls each of its operations once, with the documented credentials. */
export async function tryDocument(file: string): Promise<Trial> {
  const twin = await openDocument(file);
  try {
    return await callAll(twin);
  } finally {
    await twin.close();
  }
}

/** A twin of a document, as the corpus is measured with; more arguments may follow. */
export async function openDocument(file: string, ...more: string[]): Promise<Twin> {
  const args = ['--port', '0', '--spec', file, '--pets', '3', '--rate-limits', 'off', ...more];
  const { config } = parseConfig(args, {});
  if (!config) throw new Error('parseConfig gave no configuration');
  return openTwin(config, { log: createLog('silent') });
}

async function callAll(twin: Twin): Promise<Trial> {
  const { operations, written, basePath } = twin.document;
  const { compileSchema } = twin.app.served;
  const toCall = createToCall(twin);
  const statuses = new Map<number, number>();
  const failed: string[] = [];
  const wrong: string[] = [];
  for (const operation of operations) {
    const { call } = await toCall(operation);
    const answer = call ? await send(twin.origin + basePath, call) : noAnswer;
    const { status } = answer;
    const fault = describesAnswer(operation)
      ? judgeAnswer(operation, answer, compileSchema)
      : undefined;
    if (fault !== undefined) wrong.push(`${operation.id}: ${fault}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500 && status !== 501 && !isDescribed(operation, status))
      failed.push(`${operation.id} ${status}`);
  }
  return {
    version: written.version,
    operations: operations.length,
    ...countState(operations),
    undescribed: operations.filter((one) => answerSourceOf(one) === 'nothing').length,
    warnings: written.warnings.length,
    statuses,
    failed,
    answerable: operations.filter(describesAnswer).length,
    wrong,
  };
}
