import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../support/make-folder.ts';
import { jsonOf } from '../../../support/serve-document.ts';
import { openTestTwin, type TestTwin } from '../../../support/twin.ts';

/** A scheme of each kind. */
export const securitySchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' },
  query: { type: 'apiKey', in: 'query', name: 'appid' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  hawk: { type: 'http', scheme: 'hawk' },
  raw: { type: 'apiKey', in: 'header', name: 'Authorization' },
  certificate: { type: 'mutualTLS' },
};

export type Ways = readonly Readonly<Record<string, readonly string[]>>[];

/** A document of one operation for each entry, `GET /NAME`, which asks for these ways in. */
export function toSecuredDocument(
  operations: Readonly<Record<string, Ways | undefined>>,
  { schemes = securitySchemes, ...more }: { schemes?: object; [field: string]: unknown } = {},
): object {
  const paths = Object.entries(operations).map(([name, security]) => [
    `/${name}`,
    {
      get: {
        operationId: name,
        ...(security && { security }),
        responses: { 200: jsonOf({ const: name }) },
      },
    },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Parcel "Shop"', version: '1' },
    servers: [{ url: 'https://shop.example/v2' }],
    components: { securitySchemes: schemes },
    ...more,
    paths: Object.fromEntries(paths),
  };
}

/** A twin of a document that the caller closes. */
export async function openSecuredTwin(
  document: object,
  settings: Parameters<typeof openTestTwin>[0] = {},
): Promise<TestTwin> {
  const folder = makeFolder();
  const spec = join(folder, 'document.json');
  await writeFile(spec, JSON.stringify(document));
  try {
    return await openTestTwin({ spec, pets: 2, rateLimits: 'observe', ...settings });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Basic credentials as they are sent. */
export function basic(user: string, password: string): { Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
