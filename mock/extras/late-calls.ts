/*
 * What is loaded only where a document is corrected by overlays or pinned, or has other security
 * schemes.
 */
export { parseOverlay, readOverlay } from '../../openapi/overlay.ts';
export { applyPins } from '../../openapi/pins.ts';
export { readPins, toPinnedParts } from './pinned-parts.ts';
export { createSecurity } from './schemes/create-security.ts';
