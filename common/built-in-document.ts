import { fileURLToPath } from 'node:url';

/** The file of the Pet Store Service's own document. */
export const builtInDocument = fileURLToPath(new URL('../contracts/openapi.yaml', import.meta.url));
