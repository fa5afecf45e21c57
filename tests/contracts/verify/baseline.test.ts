import { expect, it } from 'vitest';
import type { BaselineEntry } from '../../../contracts/judging/baseline.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { rowOf, verifyDeployment } from '../../support/verify-deployment.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const entry = { reason: 'ticket 7', owner: 'pets', expires: '2999-01-31' };

type Named = Pick<BaselineEntry, 'clause' | 'operation'>;
type Settings = NonNullable<Parameters<typeof verifyDeployment>[1]>;

/** Returns the verdicts of entries that match nothing, with the settings of a run. */
async function faultsOf(entries: Named[], settings: Settings, animals = 130) {
  const baseline = entries.map((one) => ({ ...entry, ...one }));
  const { report } = await verifyDeployment({ settings: { animals } }, { ...settings, baseline });
  const faults = report.findings.filter(({ target }) => target === 'baseline');
  return faults.map(
    ({ verdict, message }) => `${verdict}: ${message.replace(/^the baseline /, '')}`,
  );
}

const untried: [how: string, entries: Named[], settings: Settings, animals?: number][] = [
  ['--only another clause', [{ clause: 'filter' }], { only: ['page-size'] }],
  ['--skip of the clause', [{ clause: 'filter' }], { skip: ['filter'], maxRequests: 300 }],
  [
    '--only another operation',
    [{ clause: 'body-schema', operation: 'getPet' }],
    { only: ['listPets'] },
  ],
  ['too few requests', [{ clause: 'page-size' }], { only: ['page-size'], maxRequests: 8 }],
  ['a store that shows too little', [{ clause: 'page-size' }], { only: ['page-size'] }, 3],
];

it.each(untried)('does not call an entry stale after %s', async (_, entries, settings, animals) => {
  const faults = await faultsOf(entries, settings, animals);
  expect(faults).toEqual([expect.stringMatching(/^known: entry for .+ was not tried this time$/)]);
});

it.each([
  ['its clause was tried', { clause: 'filter' }],
  ['its clause was tried on its operation', { clause: 'filter', operation: 'listPets' }],
  ['no check has its name', { clause: 'fliter' }],
  ['no operation has its name', { clause: 'filter', operation: 'listDogs' }],
])('calls an entry stale where %s', async (_, stale) => {
  const faults = await faultsOf([stale], { only: ['filter'] });
  expect(faults).toEqual([expect.stringMatching(/^drift: .+ no longer matches a finding$/)]);
});

it('says so once of a clause that is broken', async () => {
  const baseline = [{ ...entry, clause: 'page-size' }];
  const { report } = await verifyDeployment(rowOf('list-limit-ignored'), {
    only: ['page-size'],
    baseline,
  });
  expect(report.findings.map(({ verdict }) => verdict)).not.toContain('drift');
});

const note = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};
const body = { requestBody: { required: true, ...jsonOf(note) } };
const none = { description: 'None.' };
const responses = { 200: jsonOf(note), 400: none, 404: none };
const notes = toDocument({
  '/notes': {
    get: { operationId: 'listNotes', responses: { 200: jsonOf({ type: 'array', items: note }) } },
    post: { operationId: 'addNote', ...body, responses: { 201: jsonOf(note), 400: none } },
  },
  '/notes/{id}': {
    parameters: [pathParameter('id')],
    get: { operationId: 'getNote', responses },
    patch: { operationId: 'patchNote', ...body, responses },
    delete: { operationId: 'removeNote', responses: { 204: none, 404: none } },
  },
});

/** Starts a deployment of notes whose patches and deletions may change nothing. */
function startNotes({ isKept }: { isKept: boolean }): Promise<string> {
  const stored = new Map<string, { id: number; name: unknown }>();
  let count = 0;
  return startServer(({ method, segments: [, id], sent }) => {
    if (['POST', 'PATCH'].includes(method) && typeof sent?.name !== 'string')
      return { status: 400 };
    if (method === 'POST') {
      const made = { id: ++count, name: sent?.name };
      stored.set(String(count), made);
      return { status: 201, body: made };
    }
    if (!id) return { status: 200, body: [...stored.values()] };
    const found = stored.get(id);
    if (!found) return { status: 404 };
    if (method === 'DELETE' && !isKept) stored.delete(id);
    if (method === 'PATCH' && !isKept) found.name = sent?.name;
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: found };
  });
}

it.each([
  ['broken', true, []],
  ['mended', false, ['drift', 'drift']],
])('knows a change by its own operation where it is %s', async (_, isKept, faults) => {
  const baseline = [
    { ...entry, clause: 'updated', operation: 'patchNote' },
    { ...entry, clause: 'deleted', operation: 'removeNote' },
  ];
  const spec = await writeJson(notes);
  const { findings } = await verifyWrites(await startNotes({ isKept }), spec, { baseline });
  const ofBaseline = findings.filter(({ target }) => target === 'baseline');
  expect(ofBaseline.map(({ verdict }) => verdict)).toEqual(faults);
  const ofChanges = findings.filter(({ check }) => ['updated', 'deleted'].includes(check));
  expect(ofChanges.filter(({ verdict }) => verdict !== 'known')).toEqual([]);
  expect(ofChanges.length > 0).toBe(isKept);
  expect(findings.some((one) => 'calledIds' in one)).toBe(false);
});
