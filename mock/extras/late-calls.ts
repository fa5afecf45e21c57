/** What changes calls where a twin is pinned, or its document has other security schemes. */

export { parseOverlay, readOverlay } from '../../contracts/description/overlay.ts';
export { applyPins } from '../../contracts/description/pins.ts';
export { readPins, toPinnedParts } from './pinned-parts.ts';
export { createSecurity } from './schemes/create-security.ts';
