import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { toApplicable } from '../../../contracts/clauses/applicable.ts';
import { compile } from '../../../openapi/index.ts';
import { projectFile } from '../../support/twin.ts';

const parcels = await compile(projectFile('tests/support/parcels.yaml'));
/** Lists what most documents do without; nothing is said of it. */
const ofOthers = [
  'replaced',
  'merge-patch',
  'json-patch',
  'updated',
  'deleted',
  'true-counts',
  'pages',
  'nested',
  'write-only',
  'preconditions',
  'defaults',
  'read-only',
  'links',
  'webhook-body',
  'webhook-signature',
  'described-status',
  'required-headers',
  'header-values',
];

const shelters = await compile(projectFile('tests/support/shelters.yaml'));

it('holds the Pet Store Service to every check, each with its own clause', async () => {
  expect(toApplicable(await compile(builtInDocument), checks)).toEqual({
    checks: checks.filter(({ id }) => !ofOthers.includes(id)),
    notApplicable: [],
  });
});

it.each([parcels, shelters])('holds $title to no § of the Pet Store Service', (document) => {
  const applicable = toApplicable(document, checks);
  for (const { clause } of applicable.checks)
    if (clause.basis === 'stated') expect(clause.source).toMatch(/^#\/paths/);
  const ids = [...applicable.checks, ...applicable.notApplicable].map(({ id }) => id);
  expect(new Set([...ids, ...ofOthers])).toEqual(new Set(checks.map(({ id }) => id)));
});

it('says where the document states a clause, and what a check that does not apply would need', () => {
  const applicable = toApplicable(parcels, checks);
  const sourceOf = (id: string) =>
    applicable.checks.find((check) => check.id === id)?.clause.source;
  for (const id of ['invalid-body', 'error-shape', 'success-status'])
    expect(sourceOf(id)).toBe('#/paths');
  const reasonOf = (id: string) =>
    applicable.notApplicable.find((check) => check.id === id)?.reason;
  expect(reasonOf('key-required')).toBe('the document asks for no credentials');
  expect(reasonOf('rate-limit-countdown')).toBe(
    'the document states no rate limits (x-rate-limits)',
  );
  expect(reasonOf('created-as-sent')).toBe(
    'the document has no x-clauses that state this; docs/document-checks.md has lines to copy',
  );
  expect(reasonOf('unknown-id')).toBe('the document states no 404 or 410 for an item');
});

it('checks each rule of the lines to copy', async () => {
  const page = readFileSync(projectFile('docs/document-checks.md'), 'utf8');
  const [, lines = ''] = /Copy the lines [^`]*```yaml\n([^`]+)```/.exec(page) ?? [];
  const { checks: applied } = toApplicable(
    compile({ ...parcels.asOpenApi(), ...(load(lines) as object) }),
    checks,
  );
  const own = checks.filter(({ needs }) => needs === 'the clause itself');
  expect(own.filter((one) => !applied.some(({ id }) => id === one.id))).toEqual([]);
});

it('says of a document without a list that it has none, though it has a collection', () => {
  const operations = parcels.operations.filter(({ kind }) => kind !== 'list');
  const { notApplicable } = toApplicable({ ...parcels, operations }, checks);
  expect(notApplicable).toContainEqual({
    id: 'head-as-get',
    reason: 'the document has no list of a collection',
  });
});

it('takes sections of another interface for no sections of the Pet Store Service', () => {
  const info = {
    ...parcels.asOpenApi().info,
    'x-source': '§1, §2, §4.1, §4.2, §4.3, §5, §7, §8, §9',
  };
  const numbered = { ...parcels, asOpenApi: () => ({ ...parcels.asOpenApi(), info }) };
  expect(toApplicable(numbered, checks)).toEqual(toApplicable(parcels, checks));
});

it('holds another document to a clause that it words, in its words', () => {
  const clauses = [
    { id: 'read-back', source: '§3.1', text: 'A parcel lasts.' },
    { id: 'rate-limit-plan', source: '§5', text: 'The plans hold.' },
  ];
  const { checks: applied, notApplicable } = toApplicable({ ...parcels, clauses }, checks);
  expect(applied.find(({ id }) => id === 'read-back')?.clause).toEqual({
    basis: 'stated',
    source: '§3.1',
    text: 'A parcel lasts.',
  });
  expect(notApplicable).toContainEqual({
    id: 'rate-limit-plan',
    reason: 'the document states no rate limits (x-rate-limits)',
  });
});
