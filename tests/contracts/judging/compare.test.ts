import { expect, it } from 'vitest';
import type { Case, Purpose } from '../../../contracts/cases/case.ts';
import { compare } from '../../../contracts/judging/compare.ts';
import type { Transcript } from '../../../contracts/transcript/transcript.ts';
import { answeredTranscript, document, type Reply } from '../../support/answered-transcript.ts';

const ids = document.operations.map(({ id }) => id);
const everywhere = ['listPets', 'createPet', 'getPet', 'listOrders'];

type Answer = Omit<Reply, 'case'> & {
  id: string;
  name?: string;
  purpose?: Purpose;
  repeatOf?: string;
};

function toCase({ id, name = 'plain', purpose = { kind: 'call' }, repeatOf }: Answer): Case {
  const operation = document.operations.find((one) => one.id === id);
  if (!operation) throw new Error(`There is no ${id} among ${ids.join(', ')}.`);
  return {
    id: `${id}/${name}`,
    operation,
    method: operation.method,
    path: operation.path,
    credential: 'valid',
    purpose,
    priority: 1,
    writes: false,
    ...(repeatOf !== undefined && { repeatOf: `${id}/${repeatOf}` }),
  };
}

function answers(name: string, all: readonly Answer[]): Transcript {
  const given = all.map((one) => ({ ...one, case: toCase(one) }));
  return { ...answeredTranscript(given), target: { name, url: `http://${name}.test` } };
}

/** Returns what differs between two targets, a line each. */
function differencesOf(twin: readonly Answer[], target: readonly Answer[]): string[] {
  const found = compare(answers('twin', twin), answers('target', target), () => false);
  return found.map(({ message, count }) => `${message} (${count})`);
}

const all = (answer: Omit<Answer, 'id'>): Answer[] => everywhere.map((id) => ({ id, ...answer }));

it('names one cause once for all operations, and an operation where there are few', () => {
  const unknown: Purpose = { kind: 'unknown-id' };
  const twin = all({ status: 404, purpose: unknown });
  const target = all({ status: 422, purpose: unknown });
  expect(differencesOf(twin, target)).toEqual([
    '4 operations: twin 404, target 422 for an unknown id (4)',
  ]);
  expect(differencesOf(twin.slice(0, 2), target.slice(0, 2))).toEqual([
    'listPets, createPet: twin 404, target 422 for an unknown id (2)',
  ]);
});

it('puts statuses first, then members of bodies, then headers', () => {
  const twin: Answer[] = [
    { id: 'listPets', status: 418, headers: { Vary: 'Origin' }, body: { detail: [], code: 'a' } },
    { id: 'createPet', status: 418, headers: { Vary: 'Origin' }, body: { detail: [] } },
    { id: 'listOrders', status: 200, body: [] },
  ];
  const target: Answer[] = [
    { id: 'listPets', status: 418, headers: { Server: 'x' }, body: { detail: 'no' } },
    { id: 'createPet', status: 418, headers: { Server: 'x' }, body: { detail: 'no', info: 1 } },
    { id: 'listOrders', status: 204 },
  ];
  expect(differencesOf(twin, target)).toEqual([
    'listOrders: twin 200, target 204 (1)',
    'listPets, createPet: detail is array on twin, string on target (2)',
    'listPets: only twin has code (1)',
    'createPet: only target has info (1)',
    'listPets, createPet: only twin sends vary (2)',
    'listPets, createPet: only target sends server (2)',
  ]);
});

it('names a header once for all operations', () => {
  const twin = all({ status: 418, headers: { 'Access-Control-Allow-Origin': '*' } });
  const target = twin.map(
    (one): Answer => ({
      ...one,
      headers: { Server: 'x', ...(one.id === 'getPet' && { ETag: '"1"' }) },
    }),
  );
  const [, , get, orders] = [...twin];
  target[3] = { ...(orders as Answer), headers: { 'Access-Control-Allow-Origin': '*' } };
  expect(get?.id).toBe('getPet');
  expect(differencesOf(twin, target)).toEqual([
    '3 operations: only twin sends access-control-allow-origin (3)',
    '3 operations: only target sends server (3)',
    'getPet: only target sends etag (1)',
  ]);
});

it('compares no member that the document leaves optional, and none that differs from call to call', () => {
  const pet = { id: 1, name: 'Rex', categoryId: 1 };
  const twin: Answer[] = [
    { id: 'getPet', status: 200, body: { ...pet, status: 'sold', note: 'a' } },
    { id: 'listPets', status: 418, body: { a: 1 } },
    { id: 'listPets', name: 'again', repeatOf: 'plain', status: 418, body: { b: 1 } },
  ];
  const target: Answer[] = [
    { id: 'getPet', status: 200, body: { ...pet, age: 4 } },
    { id: 'listPets', status: 418, body: { c: 1 } },
  ];
  expect(differencesOf(twin, target)).toEqual([
    'getPet: only twin has note (1)',
    'getPet: only target has age (1)',
  ]);
});
