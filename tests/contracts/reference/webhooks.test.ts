import { expect, it } from 'vitest';
import { indexDocument } from '../../../contracts/description/document.ts';
import { createReference } from '../../../contracts/reference/reference.ts';

it('gives each webhook a page, and marks it as a call that the service makes', () => {
  const body = (title: string) => ({
    required: true,
    content: { 'application/json': { schema: { type: 'object', title } } },
  });
  const answers = { responses: { 204: { description: 'Taken.' } } };
  const raw = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses: {} } } },
    webhooks: {
      sold: {
        post: { summary: 'An animal was sold', requestBody: body('Sale'), ...answers },
        put: { deprecated: true, ...answers },
      },
      named: { $ref: '#/components/pathItems/named' },
      wrong: null,
    },
    components: { pathItems: { named: { post: { description: 'It has a name.', ...answers } } } },
  };
  const pages = (options: object) => {
    const reference = createReference(indexDocument(raw), options);
    return (path: string) => reference.render(path, { now: 0 })?.text ?? '';
  };
  const page = pages({});
  const index = page('index.html');
  expect(index).toContain('<section id="webhooks"');
  for (const href of ['webhooks/sold.html', 'webhooks/sold-put.html', 'webhooks/named.html'])
    expect(index).toContain(`<a href="${href}">`);
  const sold = page('webhooks/sold.html');
  for (const part of ['An animal was sold', '>Webhook</p>', 'Taken.', 'id="body"'])
    expect(sold).toContain(part);
  expect(sold).not.toContain('data-try-it');
  expect(page('webhooks/sold-put.html')).toContain('Deprecated');
  expect(page('webhooks/named.html')).toContain('It has a name.');
  expect(page('webhooks/wrong.html')).toBe('');
  const twin = { styles: [], modules: [], links: [] };
  expect(pages({ twin })('webhooks/sold.html')).toContain('The mock makes none.');
  expect(sold).not.toContain('The mock makes none.');
});
