import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { keyPlacesOf } from '../../contracts/description/key-places.ts';
import { isDescribed } from '../../contracts/description/stated.ts';
import { createToExampleCall } from '../../mock/curl/example-calls.ts';
import { placeKey, toCookieHeader, withQuery } from '../../mock/curl/place-key.ts';
import { createLog } from '../../mock/log.ts';
import { parseConfig } from '../../mock/settings/config.ts';
import { openTwin, type Twin } from '../../mock/twin.ts';
import { describesAnswer, judgeAnswer, type ReceivedAnswer } from './judge-answer.ts';

/** What came of one document: a twin of it was started, and each operation called once. */
export type Trial = {
  /** The version that the document is written in. */
  version: string;
  operations: number;
  /** Operations of a collection that the twin stores. */
  withState: number;
  warnings: number;
  /** How often each status was answered; 0 stands for an operation without an example call. */
  statuses: ReadonlyMap<number, number>;
  /** The operations that were answered with 500 or more, 501 and what is described aside. */
  failed: string[];
  /** Operations of which the document says how they answer. */
  answerable: number;
  /** Those of them whose answer is not right, each with the reason. */
  wrong: string[];
};

/** Serves a document and calls each of its operations once, with the documented credentials. */
export async function tryDocument(file: string): Promise<Trial> {
  const args = ['--port', '0', '--spec', file, '--pets', '3', '--rate-limits', 'off'];
  const { config } = parseConfig(args, {});
  if (!config) throw new Error('parseConfig gave no configuration');
  const twin = await openTwin(config, { log: createLog('silent') });
  try {
    return await callAll(twin);
  } finally {
    await twin.close();
  }
}

async function callAll({ origin, document, app, keys }: Twin): Promise<Trial> {
  const { operations, written, basePath } = document;
  const { compileSchema } = app.served;
  const toExampleCall = createToExampleCall(document, { store: app.store, compileSchema });
  const statuses = new Map<number, number>();
  const failed: string[] = [];
  const wrong: string[] = [];
  for (const operation of operations) {
    const call = await toExampleCall(operation);
    const { headers, query, cookies } = placeKey(keyPlacesOf(operation), keys[0]?.key ?? '');
    const answer = call
      ? await send({
          method: operation.method,
          url: origin + basePath + withQuery(call.target, query),
          headers: {
            ...headers,
            ...(cookies.length > 0 && { Cookie: toCookieHeader(cookies) }),
            ...call.headers,
            ...(call.body !== undefined && {
              'Content-Type': call.mediaType ?? 'application/json',
            }),
          },
          body: call.body,
        })
      : noAnswer;
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
    withState: operations.filter(({ kind }) => kind !== undefined).length,
    warnings: written.warnings.length,
    statuses,
    failed,
    answerable: operations.filter(describesAnswer).length,
    wrong,
  };
}

type Call = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
};

const noAnswer: ReceivedAnswer = { status: 0, mediaType: '', text: '' };

/** What fetch would not send, such as a GET with a body, and not show, such as a 407, included. */
async function send({ method, url, headers, body }: Call): Promise<ReceivedAnswer> {
  const sent = request(url, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const type = response.headers['content-type'] ?? '';
  return {
    status: response.statusCode ?? 0,
    mediaType: (type.split(';')[0] ?? '').trim().toLowerCase(),
    text: await readText(response),
  };
}
