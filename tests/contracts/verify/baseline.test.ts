import { expect, it } from 'vitest';
import type { BaselineEntry } from '../../../contracts/judging/baseline.ts';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import { rowOf, verifyDeployment } from '../../support/verify-deployment.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

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

it('calls a finding known until the entry expires', async () => {
  const run = async (expires: string) => {
    const baseline = [{ ...entry, clause: 'page-size', expires }];
    const settings = { only: ['page-size'], baseline };
    const { report } = await verifyDeployment(rowOf('list-limit-ignored'), settings);
    return report.findings.filter(({ verdict }) => verdict === 'drift');
  };
  expect(await run('2999-01-31')).toEqual([]);
  const message = 'the baseline entry for page-size expired on 2020-01-31';
  const target = 'baseline';
  expect(await run('2020-01-31')).toMatchObject([{ check: 'page-size' }, { target, message }]);
});

/** Starts a deployment of notes whose patches and deletions may change nothing. */
function startNotes({ isKept }: { isKept: boolean }): Promise<string> {
  const deployment = new Deployment();
  return deployment.start(({ method, path }) => {
    const found = deployment.items.get(path);
    if (!isKept || !found || !['PATCH', 'DELETE'].includes(method)) return undefined;
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: found };
  });
}

it.each([
  ['broken', true, []],
  ['mended', false, ['drift', 'drift']],
])('knows a change by its own operation where it is %s', async (_, isKept, faults) => {
  const baseline = [
    { ...entry, clause: 'updated', operation: 'PATCH /notes/{id}' },
    { ...entry, clause: 'deleted', operation: 'DELETE /notes/{id}' },
  ];
  const url = await startNotes({ isKept });
  const { findings } = await verifyWrites(url, toDocument(collection('/notes')), { baseline });
  const ofBaseline = findings.filter(({ target }) => target === 'baseline');
  expect(ofBaseline.map(({ verdict }) => verdict)).toEqual(faults);
  const ofChanges = findings.filter(({ check }) => ['updated', 'deleted'].includes(check));
  expect(ofChanges.filter(({ verdict }) => verdict !== 'known')).toEqual([]);
  expect(ofChanges.length > 0).toBe(isKept);
  expect(findings.some((one) => 'calledIds' in one)).toBe(false);
});
