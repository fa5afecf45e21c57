import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { toEvidence } from '../../../contracts/calibrate/calibrate.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';

const { operations } = await compile(builtInDocument);

it('names what a create was sent for, whatever its case begins with', () => {
  const create = operations.find(({ kind }) => kind === 'create');
  const toExchange = (id: string, purpose: Exchange['case']['purpose']): Exchange => ({
    number: 1,
    case: {
      ...{ id, purpose, method: 'POST', path: '/pets', credential: 'valid', priority: 1 },
      ...(create && { operation: create }),
      writes: true,
    },
    request: { method: 'POST', path: '/pets', headers: {} },
    failure: { kind: 'dropped', message: 'the connection ended' },
    sentAt: 0,
    endedAt: 1,
  });
  const probe = 'sent with another value';
  expect(
    toEvidence([
      toExchange(`repeated-create/${probe}`, {
        ...{ kind: 'silence', silence: 'repeated-create' },
        probe,
      }),
      toExchange('createPet/valid (1)', { kind: 'create' }),
      toExchange('createPet/valid (2)', { kind: 'create' }),
    ]),
  ).toEqual([
    `POST /pets (${probe}): no answer: the connection ended (1 time, last at 1970-01-01T00:00:00Z)`,
    'POST /pets (createPet/valid): no answer: the connection ended (2 times, last at 1970-01-01T00:00:00Z)',
  ]);
});
