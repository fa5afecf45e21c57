import { expect, it } from 'vitest';
import { readDocument } from '../../../contracts/document/read-document.ts';
import type { Difference } from '../../../contracts/fidelity/compare-answers.ts';
import type { Replay } from '../../../contracts/fidelity/replay.ts';
import { toUnexplained } from '../../../contracts/learn/command.ts';
import { Lines } from '../../../contracts/learn/lines.ts';
import { projectFile } from '../../support/twin.ts';

const document = await readDocument(
  { spec: projectFile('examples/learn/orders.yaml') },
  { isStated: false },
);

function replayed(key: string, differences: readonly Partial<Difference>[]): Replay {
  const [method = '', path = ''] = key.split(' ');
  const operation = document.operations.find((one) => one.method === method && one.path === path);
  return {
    ...{ number: 1, path, sentAt: 0, secrets: [], base: '', names: new Set() },
    request: { method, url: '', headers: [] },
    response: { status: 200, headers: [], size: 0, text: '', hasMark: false, json: undefined },
    ...(operation && { operation }),
    ...({ outcome: 'success', twinOutcome: 'success' } as const),
    differences: differences as Difference[],
  };
}

const open = (all: readonly Replay[], lines = new Lines()) =>
  toUnexplained(lines, { document, runs: new Map([['a.har', all]]) });

it('says what still differs, what was seen once, and which call would show it', () => {
  const lines = new Lines();
  const operation = document.operations.find(({ id }) => id === 'createCustomer');
  lines.add([
    {
      ...(operation && { operation }),
      ...{ rule: ['values', 'tier'], value: 'free', confidence: 'low', calls: ['a.har 1'] },
    },
  ]);
  const all = [
    replayed('GET /customers', [{ kind: 'order', at: '' }]),
    replayed('POST /customers', [{ kind: 'value', at: '/tier', recorded: 'a', twin: 'b' }]),
    replayed('POST /orders/{order}/finalize', [{ kind: 'status', at: '' }]),
    replayed('GET /other', [{ kind: 'status', at: '' }]),
    replayed('GET /customers', []),
  ];
  expect(open(all, lines)).toEqual({
    sentence: '4 of 5 answers still differ.',
    open: `
4 of 5 answers still differ. What is open, and which call would show it (--ask URL makes such calls):
- GET /customers, order, 1 answer: a read before and after each change
- POST /customers, value at /tier, 1 answer: the same call with other values
- POST /orders/{order}/finalize, status, 1 answer: one that is refused and one that succeeds, for the same item
- no operation of the document, status, 1 answer: none, as the document does not describe it
- POST /customers, values tier, seen once: the same call with other values
`,
  });
});

it('shows ten rows and the number of the others, and nothing where nothing is open', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ kind: 'value' as const, at: `/m${at}x` }));
  const { open: rows } = open([replayed('GET /customers', many)]);
  expect(rows.split('\n').slice(2, -2)).toHaveLength(10);
  expect(rows).toContain('... and 2 more\n');
  expect(open([replayed('GET /customers', [])])).toEqual({
    sentence: '0 of 1 answer still differ.',
    open: '',
  });
});
