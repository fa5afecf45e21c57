import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { silenceCases } from '../../../contracts/cases/other-cases.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { loadDocument } from '../../../contracts/description/document.ts';
import { projectFile } from '../../support/twin.ts';

/** What the interface states and a client can observe, by section, and the checks that hold it. */
const ledger: [section: string, statement: string, checks: string[]][] = [
  ['§1', 'bodies are JSON, as application/json', ['media-type']],
  ['§1', 'every operation asks for credentials', ['key-required']],
  ['§2', 'a status is available, pending or sold', ['body-schema', 'invalid-body']],
  [
    '§2',
    'a new animal needs a name and a category, and may have a status',
    ['invalid-body', 'success-status'],
  ],
  [
    '§2',
    'an animal has the fields of a new one and an int64 id',
    ['body-schema', 'created-as-sent'],
  ],
  ['§2', 'the service assigns an id that no other animal has', ['unique-ids']],
  ['§2', 'an Error has a code, a message and the HTTP status', ['error-shape', 'error-status']],
  ['§3', 'an animal keeps the status that it was created with', ['read-back']],
  ['§4.1', 'GET /pets answers 200 with an array of animals', ['success-status', 'body-schema']],
  ['§4.1', 'limit bounds the list: 1 to 100, 20 by default', ['page-size']],
  ['§4.1', 'status filters the list', ['filter']],
  ['§4.1', 'what is stored is listed', ['listed-when-created', 'reads-change-nothing']],
  ['§4.2', 'POST /pets answers 201 with the created animal', ['success-status', 'created-as-sent']],
  ['§4.2', 'POST /pets answers 400 to an invalid body', ['invalid-body', 'refused-leaves-nothing']],
  ['§4.3', 'GET /pets/{petId} answers 200 with the animal', ['success-status', 'read-back']],
  ['§4.3', 'GET /pets/{petId} answers 404 where there is none', ['unknown-id']],
  [
    '§4.3',
    'the operation works until its removal on 5 December 2030',
    ['success-status', 'sunset-date'],
  ],
  ['§4.4', 'GET /store/orders exists', ['operation-exists']],
  ['§5', 'the key is a bearer token; a missing or invalid one gets 401', ['key-required']],
  ['§7', 'errors are Error objects, as application/json', ['error-shape', 'media-type']],
  ['§7', 'no other error is foreseen for a valid call', ['reliable-answers']],
  ['§8', 'the plans have figures for the minute and the day', ['rate-limit-plan']],
  ['§8', 'every response carries the three headers', ['rate-limit-headers']],
  [
    '§8',
    'the headers are a limit, what is left of it and when it resets',
    ['rate-limit-form', 'rate-limit-constant', 'rate-limit-countdown'],
  ],
  ['§8', 'Reset is a Unix timestamp', ['rate-limit-reset']],
  ['§8', 'exceeding the limit gets 429 with Retry-After', ['rate-limit-refusal', 'retry-after']],
  ['§8', 'a client waits the indicated time, and then goes on', ['retry-works']],
  ['§8', 'the limits belong to a key', ['keys-isolated']],
  ['§9', 'the removal date is 5 December 2030', ['sunset-date']],
];

it.each(ledger)('%s: %s', (section, _, held) => {
  for (const id of held) {
    const check = checks.find((one) => one.id === id);
    expect(check?.clause.basis, id).toBe('stated');
    expect(check?.clause.source.length, `${id} of ${section} names its source`).toBeGreaterThan(0);
  }
});

it('has a statement for each check that may gate', () => {
  const stated = checks.filter(({ clause }) => clause.basis === 'stated').map(({ id }) => id);
  expect([...new Set(ledger.flatMap(([, , held]) => held))].toSorted()).toEqual(stated.toSorted());
});

it('names sections of the interface or RFCs as sources, and nothing else', () => {
  for (const { id, clause } of checks)
    for (const source of clause.source.split(', '))
      expect(source, id).toMatch(
        clause.basis === 'none' ? /./ : /^(§\d(\.\d)?|RFC \d+ §[\d.]+|§[\d.]+)$/,
      );
});

it('gives each check an id of its own', () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

it('probes silences that the document lists, and no others', async () => {
  const document = await loadDocument(projectFile('contracts/openapi.yaml'));
  const probed = silenceCases(document).map(({ purpose }) =>
    purpose.kind === 'silence' ? purpose.silence : purpose.kind,
  );
  expect(document.silences.map(({ id }) => id)).toEqual(
    expect.arrayContaining([...new Set(probed)]),
  );
});

it('is documented, clause by clause', () => {
  const documented = readFileSync(projectFile('docs/checks.md'), 'utf8');
  const sections = checks.map(
    ({ id, clause }) => `## ${id}\n\n${clause.text} (${clause.basis}: ${clause.source})`,
  );
  for (const section of sections) expect(documented).toContain(section);
  expect(documented.match(/^## /gm)).toHaveLength(checks.length);
});
