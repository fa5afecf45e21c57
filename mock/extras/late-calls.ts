/*
 * What is loaded only where a document is corrected by overlays or pinned, or has other security
 * schemes.
 */
export { parseOverlay, readOverlay } from '../../contracts/description/overlay.ts';
export { applyPins } from '../../contracts/description/pins.ts';
export { readPins, toPinnedParts } from './pinned-parts.ts';
export { createSecurity } from './schemes/create-security.ts';
