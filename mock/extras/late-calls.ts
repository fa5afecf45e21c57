/*
 * Loaded only where a document is pinned, or has other security schemes.
 */
export { readPins, toPinnedParts } from './pinned-parts.ts';
export { createSecurity } from './schemes/create-security.ts';
