import { type ApiDocument, indexDocument } from '../../../contracts/description/document.ts';
import { readOwn } from '../../../contracts/look/read-own.ts';
import { once } from '../../json/once-per.ts';

/** What describes the admin: an OpenAPI document as JSON text, and the same indexed. */
export type AdminDescription = { text: string; document: ApiDocument };

/** Reads the description of the admin, once for all twins of a process. */
export const readAdminDescription = once((): AdminDescription => {
  const text = readOwn(new URL('openapi.json', import.meta.url));
  return { text, document: indexDocument(JSON.parse(text)) };
});
