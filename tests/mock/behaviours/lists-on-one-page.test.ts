import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const document = documentOf('GET /pets?page:int&per_page:int -> [{ id: int, name }]');

it.each([
  ['?per_page=2', true],
  ['', false],
])(
  'counts the items of a bare array at %s, and links pages only where there are others',
  async (asked, links) => {
    const { call } = await serveDocument(document, { pets: 3 });
    const { headers } = await call(`/pets${asked}`);
    expect([headers.get('X-Total-Count'), headers.has('Link')]).toEqual(['3', links]);
  },
);
