import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { createReference } from '../../reference/reference.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';

it('shows webhooks on the first page, as calls that the service makes', () => {
  const body = (title: string) => ({ required: true, ...jsonOf({ type: 'object', title }) });
  const answers = { responses: { 204: { description: 'Taken.' } } };
  const raw = toDocument(
    { '/a': { get: { operationId: 'a', responses: {} } } },
    {
      webhooks: {
        sold: {
          post: { summary: 'An animal was sold', requestBody: body('Sale'), ...answers },
          put: { deprecated: true, ...answers },
        },
        named: { $ref: '#/components/pathItems/named' },
        wrong: null,
      },
      components: { pathItems: { named: { post: { description: 'It has a name.', ...answers } } } },
    },
  );
  const pages = (options: object) => {
    const reference = createReference(compile(raw), options);
    return (path: string) => reference.render(path, { now: 0 })?.text ?? '';
  };
  const page = pages({});
  const index = page('index.html');
  expect(index).toContain('<section id="webhooks"');
  for (const part of ['An animal was sold', 'application/json', 'Deprecated', 'It has a name.'])
    expect(index).toContain(part);
  expect(index).not.toContain('<bdi>wrong</bdi>');
  const twin = { styles: [], modules: [], links: [] };
  expect(pages({ twin })('index.html')).toContain('The mock makes none.');
  expect(index).not.toContain('The mock makes none.');
});
