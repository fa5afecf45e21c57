import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { findUnsourced } from '../support/find-unsourced.ts';
import { projectFile } from '../support/twin.ts';

const { asOpenApi, silences } = await compile(projectFile('contracts/openapi.yaml'));

/** A copy of the document in which the node at a path of keys was changed. */
function changed(keys: (string | number)[], change: (node: Record<string, unknown>) => void) {
  const copy = structuredClone(asOpenApi());
  change(keys.reduce((node, key) => node[key], copy));
  return copy;
}

it('states for every node of the document where it comes from', () => {
  expect(findUnsourced(asOpenApi())).toEqual([]);
});

it.each([
  ['info', ['info']],
  ['paths/pets/get/parameters/0/schema', ['paths', '/pets', 'get', 'parameters', 0, 'schema']],
  ['components/headers/Retry-After/schema', ['components', 'headers', 'Retry-After', 'schema']],
  ['components/securitySchemes/apiKey', ['components', 'securitySchemes', 'apiKey']],
  ['x-rate-limits', ['x-rate-limits']],
])('finds that %s states nothing', (at, keys) => {
  const silent = changed(keys, (node) => {
    delete node['x-source'];
    delete node['x-assumed'];
  });
  expect(findUnsourced(silent)).toEqual([`${at} has neither x-source nor x-assumed`]);
});

it('finds an assumption without a reason', () => {
  const keys = ['components', 'responses', 'Gone'];
  const withReason = (reason: unknown) =>
    findUnsourced(changed(keys, (node) => (node['x-assumed'] = reason)));
  expect(withReason('')).toEqual(['components/responses/Gone gives no reason: ""']);
});

it('finds a source that the interface does not have', () => {
  const withSource = (source: unknown) =>
    findUnsourced(changed(['components', 'schemas', 'Pet'], (node) => (node['x-source'] = source)));
  expect(withSource('§4.7')).toEqual(['components/schemas/Pet names no known source: "§4.7"']);
  expect(withSource('§2, RFC 9110')).toEqual([
    'components/schemas/Pet names no known source: "§2, RFC 9110"',
  ]);
});

it('finds a clause that names a section which is not there', () => {
  expect(findUnsourced(changed(['x-clauses', 0], (node) => (node.source = '§12')))).toEqual([
    'x-clauses/0 names no known source: "§12"',
  ]);
  const without = changed([], (node) => {
    node['x-sections'] = (node['x-sections'] as { id: string }[]).filter(({ id }) => id !== '5');
  });
  expect(findUnsourced(without)).toContain(
    'components/securitySchemes/apiKey names no known source: "§5"',
  );
});

it('names each silence once, with a question and what the twin does', () => {
  expect(new Set(silences.map(({ id }) => id)).size).toBe(silences.length);
  for (const { id, question, twin } of silences) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(question).toMatch(/\?$/);
    expect(twin).not.toBe('');
  }
});
