import type { ApiDocument } from '../description/document.ts';

/** The longest wait for the page, in milliseconds, and the most that is read of it, in bytes. */
const maxWait = 2000;
const maxSize = 4 * 1024 * 1024;

/**
 * Where a running twin shows the reference of a document; undefined if it shows none, or that of
 * another document: the page must have the place of a clause.
 */
export async function findDocs(
  baseUrl: string,
  { basePath, clauses }: Pick<ApiDocument, 'basePath' | 'clauses'>,
): Promise<string | undefined> {
  const [clause] = clauses;
  if (!clause) return undefined;
  const url = `${baseUrl.slice(0, baseUrl.length - basePath.length)}/__docs/`;
  const page = await readPage(url).catch(() => '');
  return page.includes(` id="${clause.id}"`) ? url : undefined;
}

async function readPage(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { Accept: 'text/html' },
    redirect: 'error',
    signal: AbortSignal.timeout(maxWait),
  });
  const isPage = response.ok && response.headers.get('Content-Type')?.startsWith('text/html');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (!isPage || size > maxSize) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
