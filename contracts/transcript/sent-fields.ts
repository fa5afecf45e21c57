import type { Resource } from '../description/document.ts';
import { membersOf } from '../json.ts';
import { type Exchange, sentValue } from './exchange.ts';

/** The fields of the item that the body of a create sends. */
export function sentFields(
  exchange: Pick<Exchange, 'request'>,
  resource: Pick<Resource, 'bodyForm'> | undefined,
): Readonly<Record<string, unknown>> {
  const body = membersOf(sentValue(exchange)) ?? {};
  const [wrapper] = resource?.bodyForm?.create?.pointer ?? [];
  return (wrapper === undefined ? body : membersOf(body[wrapper])) ?? {};
}
