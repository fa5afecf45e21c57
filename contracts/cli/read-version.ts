import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of this package. */
export function readVersion(): string {
  return JSON.parse(readFileSync(findPackageJSON(import.meta.url) as string, 'utf8')).version;
}
