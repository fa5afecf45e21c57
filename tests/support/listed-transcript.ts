import { builtInDocument } from '../../common/built-in-document.ts';
import { readBody } from '../../contracts/transcript/body.ts';
import type { Exchange, Failure } from '../../contracts/transcript/exchange.ts';
import { ownRun, type Transcript } from '../../contracts/transcript/transcript.ts';
import { compile } from '../../openapi/index.ts';

/** Describes what a call of listPets came to. */
export type Outcome = { status: number; body: string } | Failure;

/** Calls of listPets that ended so, one after another. */
export async function listedTranscript(outcomes: readonly Outcome[]): Promise<Transcript> {
  const document = await compile(builtInDocument);
  const operation = document.operations.find(({ id }) => id === 'listPets');
  if (!operation) throw new Error('listPets is gone');
  const exchanges = outcomes.map((outcome, index): Exchange => {
    const common = {
      number: index + 1,
      case: {
        id: `listPets/${index}`,
        operation,
        method: 'GET',
        path: '/pets',
        credential: 'valid',
        purpose: { kind: 'list', filters: {} },
        priority: 1,
        writes: false,
      },
      request: { method: 'GET', path: '/pets', headers: {} },
      sentAt: index,
      endedAt: index,
    } as const;
    if ('kind' in outcome) return { ...common, failure: outcome };
    const { status, body } = outcome;
    const response = { status, headers: [], ...readBody(Buffer.from(body)) };
    return { ...common, response };
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
