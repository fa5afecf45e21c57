import { request as httpRequest } from 'node:http';
import { builtInDocument } from '../../common/built-in-document.ts';
import type { Report } from '../../contracts/report/events.ts';
import { credentialHeaders } from '../../contracts/run/keys/credential.ts';
import { now } from '../../contracts/run/wait.ts';
import type { RecordedExchange } from '../../contracts/traffic/read-outcome.ts';
import { TrafficJudge, type TrafficJudgeOptions } from '../../contracts/traffic/traffic-judge.ts';
import type { Exchange, RawHeader } from '../../contracts/transcript/exchange.ts';
import { compile } from '../../openapi/index.ts';

/** The keys of a deployment of the lab, by plan. */
const labKeys = [
  { plan: 'free', secret: 'k-free-1' },
  { plan: 'free', secret: 'k-free-2' },
  { plan: 'pro', secret: 'k-pro-1' },
];

const document = await compile(builtInDocument);

/** A call of an ordinary client; `headers` in addition to the key's. */
export type ClientCall = {
  method?: string;
  path: string;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** A call, and how it was answered: with JSON, or not at all. */
export type PassedCall = {
  method?: string;
  url: string;
  sent?: readonly RawHeader[];
  body?: string | undefined;
  status?: number;
  headers?: readonly RawHeader[];
  answer?: unknown;
  failure?: RecordedExchange['failure'];
  /** In Unix milliseconds, between those that a recording of whole ones has. */
  sentAt?: number;
  took?: number;
};

/** Returns a call as somebody recorded it. */
export function passed({
  body,
  method = body === undefined ? 'GET' : 'POST',
  url,
  sent = [],
  status = 200,
  headers = [],
  answer = [],
  failure,
  sentAt = 1000.5,
  took = 1,
}: PassedCall): RecordedExchange {
  const bytes = Buffer.from(JSON.stringify(answer));
  return {
    request: {
      ...{ method, url, headers: sent },
      ...(body !== undefined && { body: { bytes: Buffer.from(body) } }),
    },
    ...(failure
      ? { failure }
      : {
          response: {
            ...{ status, headers: [['Content-Type', 'application/json'], ...headers] },
            body: { bytes },
          },
        }),
    ...{ sentAt, endedAt: sentAt + took },
  };
}

/** Makes a call, and records what passed. */
export function record(
  baseUrl: string,
  { method = 'GET', path, key, body, headers = {} }: ClientCall,
): Promise<RecordedExchange> {
  const url = baseUrl + path;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const sent: RawHeader[] = Object.entries({
    Accept: 'application/json',
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(text !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  });
  const sentAt = now();
  const request = {
    method,
    url,
    headers: sent,
    ...(text !== undefined && { body: { bytes: Buffer.from(text) } }),
  };
  return new Promise((resolve) => {
    const outgoing = httpRequest(url, { method, agent: false, headers: Object.fromEntries(sent) });
    outgoing.on('error', (error) =>
      resolve({
        request,
        failure: { kind: 'dropped', message: error.message },
        sentAt,
        endedAt: now(),
      }),
    );
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const raw = incoming.rawHeaders;
        resolve({
          request,
          response: {
            status: incoming.statusCode ?? 0,
            headers: raw.flatMap((name, at): RawHeader[] =>
              at % 2 === 0 ? [[name, raw[at + 1] as string]] : [],
            ),
            body: { bytes: Buffer.concat(chunks) },
          },
          sentAt,
          endedAt: now(),
        });
      });
    });
    outgoing.end(text);
  });
}

/** Returns what the suite sent and received, as somebody would have recorded it. */
export function toRecorded(
  { request, response, failure, case: { credential }, sentAt, endedAt }: Exchange,
  baseUrl: string,
  secretOf: (keyName: string) => string,
): RecordedExchange {
  const secret = request.keyName === undefined ? '' : secretOf(request.keyName);
  const headers = { Accept: 'application/json', ...request.headers };
  return {
    request: {
      method: request.method,
      url: baseUrl + request.path.replaceAll('$KEY', secret),
      headers: Object.entries({ ...headers, ...credentialHeaders(credential, secret) }),
      ...(request.body !== undefined && { body: { bytes: Buffer.from(request.body) } }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: response.headers,
        body: {
          bytes: Buffer.from(response.text),
          isDecoded: true,
          ...(response.unjudged !== undefined && { isCut: true }),
        },
      },
    }),
    ...(failure && { failure }),
    sentAt,
    endedAt,
  };
}

/** Judges recorded traffic. */
export async function judgeTraffic(
  recorded: Iterable<RecordedExchange>,
  options: Omit<TrafficJudgeOptions, 'document'> & Partial<Pick<TrafficJudgeOptions, 'document'>>,
): Promise<Report> {
  const judge = new TrafficJudge({ document, keys: labKeys, ...options });
  for (const one of recorded) await judge.add(one);
  return judge.report();
}
