import { expect, it } from 'vitest';
import { compactJson, toShownBody } from '../../../../mock/extras/pages/browser/exact-json.ts';
import {
  type FormValues,
  toCall,
  toInitialValues,
} from '../../../../mock/extras/pages/browser/form-call.ts';
import { toTwinUrls } from '../../../../mock/extras/pages/browser/send-call.ts';
import type { OperationView } from '../../../../mock/extras/pages/operation-view.ts';

const parameter = { required: false, type: 'string', isList: false, options: [], examples: [] };

const view: OperationView = {
  id: 'list',
  method: 'POST',
  path: '/a/{id}/b',
  basePath: '/v1',
  keyPlaces: [{ in: 'authorization', scheme: 'Bearer' }],
  parameters: [
    { ...parameter, name: 'id', in: 'path', required: true },
    { ...parameter, name: 'id', in: 'query' },
    { ...parameter, name: 'tags', in: 'query', isList: true },
    { ...parameter, name: 'X-Trace', in: 'header', required: true, examples: ['t 1'] },
  ],
  body: { required: true, examples: [] },
  call: { target: '/a/7/b', values: { path: { id: '7' }, query: [] }, body: '{"n":1}' },
  keys: [{ name: 'demo', key: 'demo', plan: { name: 'free', perMinute: 1, perDay: 2 } }],
  trust: [],
};

const initial = toInitialValues(view);
const withFields = (parameters: FormValues['parameters'], more: Partial<FormValues> = {}) =>
  toCall(view, { ...initial, ...more, parameters: { ...initial.parameters, ...parameters } });

it('begins with a call that succeeds', () => {
  expect(initial.key).toBe('demo');
  expect(toCall(view, initial)).toEqual({
    target: '/a/7/b',
    headers: { 'X-Trace': 't 1' },
    body: '{\n  "n": 1\n}',
  });
});

it('sends the media type that the body of its call has', () => {
  const mediaType = 'application/json-patch+json';
  const call = {
    target: '/a/7/b',
    values: { path: { id: '7' }, query: [] },
    body: '[]',
    mediaType,
  };
  expect(toCall({ ...view, call }, initial)).toMatchObject({ mediaType });
  expect(toCall({ ...view, call }, { ...initial, body: '' })).not.toHaveProperty('mediaType');
});

it('sends what is typed, each value where it belongs, and leaves out what is empty', () => {
  const fields = { 'path:id': 'a/b ?#\ud800', 'query:id': '', 'query:tags': 'x y\n\n&z' };
  expect(withFields(fields, { headers: 'Prefer: code=503\n\n X-A :b', body: '' })).toEqual({
    target: '/a/a%2Fb%20%3F%23%EF%BF%BD/b?tags=x%20y&tags=%26z',
    headers: { 'X-Trace': 't 1', Prefer: 'code=503', 'X-A': 'b' },
  });
});

it.each([
  [{ 'path:id': '' }, {}, 'The path needs a value for "id".'],
  [{}, { headers: 'Prefer' }, 'A header is "Name: value", but a line is "Prefer".'],
  [{}, { headers: 'Bad name: x' }, 'A header is "Name: value", but a line is "Bad name: x".'],
])('says what cannot be sent: %j %j', (fields, more, problem) => {
  expect(withFields(fields, more)).toEqual({ problem });
});

it('writes JSON on one line, and what is no JSON as it is', () => {
  expect(compactJson('{ "n" : 9223372036854775807 }')).toBe('{"n":9223372036854775807}');
  expect(compactJson('{ "a b": ')).toBe('{ "a b": ');
});

it.each([
  ['http://h/__pages/pages/a.ts', 'http://h/', 'http://h/'],
  ['http://h/sandboxes/a/__pages/pages/a.js', 'http://h/sandboxes/a/', 'http://h/'],
  [
    "http://h/it's/sandboxes/a/__pages/pages/a.js",
    'http://h/it%27s/sandboxes/a/',
    'http://h/it%27s/',
  ],
])('finds where the twin is from %s', (module, root, defaultRoot) => {
  expect(toTwinUrls(new URL('../../', module))).toEqual({ root, defaultRoot });
});

it('shows JSON on lines, other text as it stands, and nothing of what is no text', () => {
  const shown = (text: string, mediaType: string) =>
    toShownBody(new TextEncoder().encode(text), mediaType);
  expect(shown('{"n":9223372036854775807}', 'application/problem+json')).toBe(
    '{\n  "n": 9223372036854775807\n}',
  );
  expect(shown('{"n":1}', 'text/plain')).toBe('{"n":1}');
  expect(shown('{"n":', 'application/json')).toBe('{"n":');
  expect(toShownBody(new Uint8Array([0xff, 0x41, 0]), 'image/png')).toBeUndefined();
});
