import { builtInDocument } from '../../common/built-in-document.ts';
import type { Case } from '../../contracts/cases/case.ts';
import { readBody } from '../../contracts/transcript/body.ts';
import type { Exchange } from '../../contracts/transcript/exchange.ts';
import { ownRun, type Transcript } from '../../contracts/transcript/transcript.ts';
import { compile } from '../../openapi/index.ts';

/** How a case was answered; the body is sent as JSON. */
export type Reply = {
  case: Case;
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  key?: string;
};

export const document = await compile(builtInDocument);

/** A transcript in which each case was answered so, one after another, a second apart. */
export function answeredTranscript(given: readonly Reply[]): Transcript {
  const exchanges = given.map((one, index): Exchange => {
    const { method, path, body: sent, marker } = one.case;
    const body = Buffer.from(one.body === undefined ? '' : JSON.stringify(one.body));
    const headers = { 'Content-Type': 'application/json', ...one.headers };
    return {
      number: index + 1,
      case: one.case,
      request: {
        method,
        path,
        headers: {},
        ...(sent !== undefined && { body: sent }),
        ...(marker !== undefined && { marker }),
        keyName: one.key ?? 'free-1',
      },
      sentAt: Date.UTC(2026, 10, 22, 12) + index * 1000,
      endedAt: Date.UTC(2026, 10, 22, 12) + index * 1000 + 5,
      response: { status: one.status, headers: Object.entries(headers), ...readBody(body) },
    };
  });
  return {
    document,
    target: { name: 'target', url: 'http://127.0.0.1:1/v1' },
    keys: [],
    refusedKeys: [],
    observer: ownRun,
    trials: [],
    skipped: [],
    exchanges,
  };
}
