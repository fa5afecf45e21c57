import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const document = new URL('../../contracts/openapi.yaml', import.meta.url);
const types = new URL('../../package/types.d.ts', import.meta.url);

/**
 * The types of the interface as TypeScript, from its document. Throws where the document cannot be
 * read.
 */
export async function generateTypes(): Promise<string> {
  const tree = await openapiTS(document, { silent: true });
  return `// Generated from contracts/openapi.yaml by "npm run generate:types".\n\n${astToString(tree)}`;
}

if (import.meta.main) await writeFile(types, await generateTypes());
