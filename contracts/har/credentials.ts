import { isSecretName } from '../description/secret-names.ts';
import { membersOf } from '../json.ts';

/** Whether a query parameter of this name is there for a key or a session. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || ['key', 'code'].includes(name.toLowerCase());
}

/** Whether an entry of a HAR shows a credential, of whatever kind. */
export function showsCredentials({ request, response }: Record<string, unknown>): boolean {
  const { headers, queryString } = membersOf(request) ?? {};
  return (
    namesOf(headers).some(isSecretName) ||
    namesOf(queryString).some(isSecretParameter) ||
    namesOf(membersOf(response)?.headers).some(isSecretName)
  );
}

function namesOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map((one) => String(membersOf(one)?.name ?? '')) : [];
}
