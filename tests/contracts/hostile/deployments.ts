import { codings } from './codings.ts';
import { connections } from './connections.ts';
import type { HostileRow } from './row.ts';
import { sizes } from './sizes.ts';
import { values } from './values.ts';

/** Every hostile deployment: the next one is a row more. */
export const hostileRows: readonly HostileRow[] = [...codings, ...sizes, ...values, ...connections];
